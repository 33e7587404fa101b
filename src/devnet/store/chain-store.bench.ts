import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTable } from '../../../test/support/formatTable.ts'
import { writeLongLog } from '../../../test/support/longLog.ts'
import { median } from '../../../test/support/measure.ts'
import { SyntheticChain } from '../../../test/support/SyntheticChain.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { LoggedFiles, logPath } from './LoggedFiles.ts'
import { openChainFolder } from './openChainFolder.ts'
import { writeBag } from './writeBag.ts'

const LOGGED_STEPS = 200_000
const ACCOUNTS = 20_000
const TOUCHED = 10
const STEPS = 400
const WARM_UP_STEPS = 100
const MIB = 1024 * 1024

const timed = async <T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly ms: number }> => {
  const start = performance.now()
  const value = await work()
  return { value, ms: performance.now() - start }
}

/** How long a log of hundreds of thousands of steps takes to open, and what it takes in memory. */
const measureOpening = async (folder: string) => {
  writeLongLog(folder, LOGGED_STEPS)
  const logBytes = statSync(logPath(folder)).size
  const held = (): number => {
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = held()
  const { value: files, ms } = await timed(() => new LoggedFiles(folder, false))
  const bytesPerStep = (held() - before) / LOGGED_STEPS
  files.close()
  return { ms, bytesPerStep, logBytes, steps: files.index.steps }
}

/** What a step costs with and without waiting for the disk: its states, and all. */
const measureAppends = async (folder: string, sync: boolean) => {
  const chain = new SyntheticChain({ accounts: ACCOUNTS, touched: TOUCHED })
  const opened = await openChainFolder(folder, { zeroStates: chain.zeroStates, keep: 100, sync })
  const times: number[] = []
  for (let k = 0; k < WARM_UP_STEPS + STEPS; k++) {
    const step = chain.next(opened.store)
    const { ms } = await timed(() => opened.store.append(step))
    if (k >= WARM_UP_STEPS) times.push(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { opened, appendMs: median(times) }
}

/** A checkpoint of the head: at once, and in slices with the longest of them. */
const measureCheckpoint = async ({ store }: Awaited<ReturnType<typeof openChainFolder>>) => {
  const roots = [store.head!.id, ...store.shardTops].map((id) => store.findState(id)!)
  encodeBoc(roots)
  const { ms: atOnceMs } = await timed(() => encodeBoc(roots))
  let longestMs = 0
  const { ms: slicedMs, value: bytes } = await timed(() => {
    const work = writeBag(roots)
    for (;;) {
      const start = performance.now()
      const result = work.next()
      longestMs = Math.max(longestMs, performance.now() - start)
      if (result.done === true) return result.value.length
    }
  })
  return { atOnceMs, slicedMs, longestMs, bytes }
}

/** The chain in a folder: opening, appending, writing states down. */
export const run = async () => {
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-bench-'))
  try {
    const opening = await measureOpening(join(root, 'long'))
    const loose = await measureAppends(join(root, 'loose'), false)
    await loose.opened.close()
    const { opened, appendMs } = await measureAppends(join(root, 'synced'), true)
    const checkpoint = await measureCheckpoint(opened)
    await opened.close()
    const again = await timed(() => openChainFolder(join(root, 'synced'), { keep: 100 }))
    await again.value.close()
    console.log(
      formatTable([
        { what: `open a log of ${opening.steps} steps (${Math.round(opening.logBytes / MIB)} MiB)`, ms: opening.ms },
        { what: `append a step, ${TOUCHED} of ${ACCOUNTS} accounts changed`, ms: loose.appendMs },
        { what: 'the same, waiting for the disk', ms: appendMs },
        { what: `states of ${ACCOUNTS} accounts as a bag, by the codec at once`, ms: checkpoint.atOnceMs },
        { what: 'the same in slices', ms: checkpoint.slicedMs },
        { what: 'longest stretch of it without a pause', ms: checkpoint.longestMs },
        { what: `open that chain from its last checkpoint`, ms: again.ms },
      ]),
    )
    return {
      open_ms: opening.ms,
      bytes_per_step: opening.bytesPerStep,
      append_ms: loose.appendMs,
      append_sync_ms: appendMs,
      checkpoint_ms: checkpoint.slicedMs,
      reopen_ms: again.ms,
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

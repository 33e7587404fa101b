import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openChainFolder } from '../../src/devnet/store/openChainFolder.ts'
import { masterchain } from '../../src/primitives/BlockId.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { childArguments, childScript } from './childScript.ts'
import { RECORDED_STEPS, readRecordedBlock } from './recordedSteps.ts'

const CHILD = childScript(join(import.meta.dirname, '../../scripts'), 'killChain')

export type KillReport = {
  readonly kills: number
  /** Steps that were written by processes that were then killed. */
  readonly steps: number
  /** Kills that came between the writing of a step and the word of it. */
  readonly unannounced: number
  /** Folders whose last step had to be cut off. */
  readonly torn: number
  readonly finishedChains: number
}

/** What a growing process said last: where it is, and where it was going. */
type Said = { at: number; going: number }

/** Lets processes grow the recorded chain in a folder and kills each at some moment; checks what it left. */
export const killChains = async (kills: number, seed: number): Promise<KillReport> => {
  const random = createRandom(seed)
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-kill-'))
  const report = { kills: 0, steps: 0, unannounced: 0, torn: 0, finishedChains: 0 }
  let folder = join(root, 'chain-0')
  let before = 0
  try {
    while (report.kills < kills) {
      const said = await growUntilKilled(folder, {
        afterMs: Math.floor(random() * 500),
        seed: Math.floor(random() * 2 ** 31),
        // Every other process has written a step by then, however busy the machine is.
        afterLines: report.kills % 2 === 0 ? 4 : 1,
      })
      if (said === undefined) {
        folder = join(root, `chain-${++report.finishedChains}`)
        before = 0
        continue
      }
      report.kills++
      const { head, isTorn } = await checkFolder(folder, join(root, 'copy'))
      assert.ok(
        head === said.at || head === said.going,
        `the chain ends at ${head}; last said: ${JSON.stringify(said)}`,
      )
      if (head !== said.at) report.unannounced++
      if (isTorn) report.torn++
      report.steps += Math.max(0, head - before)
      before = head
    }
    return report
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

type KillMoment = { readonly afterMs: number; readonly afterLines: number; readonly seed: number }

/** Starts a process, gives it a while after so many lines of output, and kills it. `undefined` where it came to the end before. */
const growUntilKilled = async (
  folder: string,
  { afterMs, afterLines, seed }: KillMoment,
): Promise<Said | undefined> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [...childArguments, CHILD, '--grow', folder, '--seed', String(seed)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Said = { at: -1, going: -1 }
  let timer: NodeJS.Timeout | undefined
  let lines = 0
  createInterface(child.stdout).on('line', (line) => {
    const [what, seqno] = line.split(' ')
    if (what === 'at') said.at = Number(seqno)
    else said.going = Number(seqno)
    lines++
    if (lines >= afterLines) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs)
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  assert.ok(code === 0 || code === null, `the process ended with ${code}`)
  return code === 0 ? undefined : said
}

/** Opens a copy of a folder, so that the next process finds what the killed one left: all blocks must be as recorded. */
const checkFolder = async (
  folder: string,
  copy: string,
): Promise<{ readonly head: number; readonly isTorn: boolean }> => {
  rmSync(copy, { recursive: true, force: true })
  cpSync(folder, copy, { recursive: true })
  let isTorn = false
  const log = () => undefined
  const info = (message: string): void => {
    if (message === 'incomplete block set truncated') isTorn = true
  }
  const logger = { debug: log, info, warn: log, error: log, child: () => logger }
  const { store, close } = await openChainFolder(copy, { keep: 20, sync: false, logger })
  const head = store.head?.id.seqno ?? 0
  assert.ok(head <= RECORDED_STEPS)
  for (let seqno = 1; seqno <= head; seqno++) {
    const master = readRecordedBlock({ workchain: masterchain, shard: wholeShard, seqno })
    assert.deepEqual(store.findMaster(seqno)?.id, master.id)
    for (const { id } of [master, ...store.index.listIncluded(seqno)]) {
      assert.deepEqual(store.findBytes(id), readRecordedBlock(id).bytes)
    }
  }
  for (const id of [store.head?.id ?? store.zeroState, ...store.shardTops]) assert.ok(store.findState(id) !== undefined)
  await close()
  return { head, isTorn }
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

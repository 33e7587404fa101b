// npm run bench -- debug    replays of recorded transactions from a liteserver to the verdict, and 300,000 steps read page by page
import { serveStore } from '../../test/support/debugLocalnet.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { loadLocalnetStore } from '../../test/support/localnetStore.ts'
import { replayLocalnet } from '../../test/support/replayLocalnet.ts'
import { callCode } from '../../test/support/vmSamples.ts'
import type { RecordOptions } from '../chain/recording.ts'
import { openAccountBlocks } from '../codec/tlb/Block.ts'
import { createLogger } from '../observe/Logger.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../tvm/createVirtualMachine.ts'
import { fetchReplay } from './replay/fetchReplay.ts'
import type { ReplayTarget } from './replay/ReplayInputs.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => {} })
const MEBIBYTE = 2 ** 20
/** Replays before the clock starts, and those that count. */
const WARM_UP = 20
const REPLAYS = 200
const PAGE = 20_000
/** A loop of three steps a round. */
const LONG_RUN = callCode('30 70 820186A0 92 A4 00 E4', { gasLimit: 50_000_000 })

/** The first transaction of each account in a block, spread over the whole recording. */
const listTargets = (): ReplayTarget[] => {
  const targets: ReplayTarget[] = []
  for (const { info, extra } of replayLocalnet()) {
    for (const [hash, block] of openAccountBlocks(extra).entries()) {
      const [first] = block.transactions.entries()
      if (first !== undefined) targets.push({ address: { workchain: info.workchain, hash }, lt: first[0] })
    }
  }
  const every = Math.max(1, Math.floor(targets.length / (WARM_UP + REPLAYS)))
  return targets.filter((_, k) => k % every === 0).slice(0, WARM_UP + REPLAYS)
}

const measureReplays = async (vm: OwnedVirtualMachine): Promise<{ median: number; p99: number; exact: number }> => {
  const { chain, close } = await serveStore(await loadLocalnetStore())
  const times: number[] = []
  let exact = 0
  try {
    for (const [k, target] of listTargets().entries()) {
      const begun = performance.now()
      const { verdict } = await fetchReplay(chain, vm, target, { signal: AbortSignal.timeout(60_000) })
      if (k < WARM_UP) continue
      times.push(performance.now() - begun)
      if (verdict.replay === 'exact') exact++
    }
  } finally {
    await close()
  }
  times.sort((a, b) => a - b)
  return { median: times[times.length >> 1]!, p99: times[Math.floor(times.length * 0.99)]!, exact }
}

const liveBytes = (): number => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

type Pages = { readonly pages: number; readonly steps: number; readonly ms: number; readonly grownMb: number }

/** Reads all steps of a long run, each page by a run of its own; how much more memory is in use after the last than after the first. */
const measurePages = async (vm: OwnedVirtualMachine, options: Omit<RecordOptions, 'window'>): Promise<Pages> => {
  let steps = 0
  let pages = 0
  let first = 0
  const begun = performance.now()
  for (let total = 1; steps < total; pages++) {
    const { recording } = await vm.recordMethod(LONG_RUN, { ...options, window: { from: steps, count: PAGE } })
    total = recording.steps_total
    steps += recording.steps.length
    if (pages === 0) first = liveBytes()
  }
  const ms = performance.now() - begun
  return { pages, steps, ms, grownMb: (liveBytes() - first) / MEBIBYTE }
}

export const run = async (): Promise<Record<string, number>> => {
  const vm = await createVirtualMachine({ logger, workers: 1, startAfterMs: 0, timeLimitMs: 60_000 })
  try {
    const replays = await measureReplays(vm)
    console.log(
      formatTable([{ replays: REPLAYS, exact: replays.exact, 'median ms': replays.median, 'p99 ms': replays.p99 }]),
    )
    const plain = { registers: false, cells: false, log: false }
    const summary = performance.now()
    await vm.recordMethod(LONG_RUN, { window: undefined, stack: 'none', ...plain })
    const summaryMs = performance.now() - summary
    const diff = await measurePages(vm, { stack: 'diff', ...plain })
    const all = await measurePages(vm, { stack: 'diff', registers: true, cells: true, log: false })
    console.log(
      formatTable([
        { 'long run': 'summary only', steps: diff.steps, pages: 1, ms: summaryMs, 'grown MiB': 0 },
        { 'long run': 'stack diffs', steps: diff.steps, pages: diff.pages, ms: diff.ms, 'grown MiB': diff.grownMb },
        { 'long run': 'with registers', steps: all.steps, pages: all.pages, ms: all.ms, 'grown MiB': all.grownMb },
      ]),
    )
    return {
      replay_ms: replays.median,
      steps_per_s: Math.round((1000 * diff.steps) / diff.ms),
      replay_p99_ms: replays.p99,
      exact: replays.exact,
      grown_mb: diff.grownMb,
    }
  } finally {
    await vm.close()
  }
}

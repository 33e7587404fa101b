import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { SeqnoRange } from './IndexStore.ts'
import type { StageMetrics } from './StageMetrics.ts'

/** Progress of the indexer. */
export type Progress = {
  readonly ranges: readonly SeqnoRange[]
  readonly head: number | undefined
  /** Masterchain blocks missing below the head, or below the requested end. */
  readonly missing: number
  /** Of this run. */
  readonly blocks: number
  readonly transactions: number
  readonly blocksPerSecond: number
  readonly transactionsPerSecond: number
  readonly secondsLeft: number | undefined
  /** The last failure, until something is written. */
  readonly failure: string | undefined
}

type WorkState = {
  readonly ranges: readonly SeqnoRange[]
  readonly head: number | undefined
  readonly from: number
  readonly to: number | undefined
}

/** The side of the work: at the head, or backfilling history. */
export type WorkSide = 'head' | 'history'

const WINDOW_MS = 20_000
const STALLED_MS = 30_000
/** A batch of history is large and may take long. */
const HISTORY_FACTOR = 4
const LOOKS = 6

/** Records writes, and reports a stall if there is work but nothing is written. It outlives changes of leadership. */
export class StallWatchdog {
  private readonly logger: Logger
  private readonly metrics: StageMetrics
  private readonly stalledMs: number
  /** When each side last progressed or was idle. */
  private readonly moved: Record<WorkSide, number> = { head: performance.now(), history: performance.now() }
  private blocks = 0
  private transactions = 0
  private recent: { readonly at: number; readonly blocks: number; readonly transactions: number }[] = []
  private failure: { readonly what: string; readonly message: string } | undefined
  private stalled: ReadonlySet<WorkSide> = new Set()

  constructor(logger: Logger, metrics: StageMetrics, stalledMs = STALLED_MS) {
    this.logger = logger
    this.metrics = metrics
    this.stalledMs = stalledMs
  }

  /** Nothing to do: another process is the leader. */
  idle(): void {
    const now = performance.now()
    this.moved.head = now
    this.moved.history = now
    this.failure = undefined
  }

  wrote(side: WorkSide, { first, last }: SeqnoRange, transactions: number): void {
    const at = performance.now()
    this.moved[side] = at
    this.failure = undefined
    this.blocks += last - first + 1
    this.transactions += transactions
    this.recent = this.recent.filter((entry) => at - entry.at < WINDOW_MS)
    this.recent.push({ at, blocks: this.blocks, transactions: this.transactions })
  }

  failed(what: string, error: unknown): void {
    this.failure = { what, message: error instanceof Error ? error.message : String(error) }
  }

  describe({ ranges, head, from, to }: WorkState): Progress {
    const missing = countMissing(ranges, from, Math.min(head ?? 0, to ?? Number.MAX_SAFE_INTEGER))
    const first = this.recent[0]
    const last = this.recent.at(-1)
    const seconds = first === undefined || last === undefined ? 0 : (last.at - first.at) / 1000
    const blocksPerSecond = seconds === 0 ? 0 : (last!.blocks - first!.blocks) / seconds
    const transactionsPerSecond = seconds === 0 ? 0 : (last!.transactions - first!.transactions) / seconds
    return {
      ranges,
      head,
      missing,
      blocks: this.blocks,
      transactions: this.transactions,
      blocksPerSecond,
      transactionsPerSecond,
      secondsLeft: blocksPerSecond > 0 ? missing / blocksPerSecond : undefined,
      failure: this.failure && `${this.failure.what}: ${this.failure.message}`,
    }
  }

  /** Checks periodically whether the work progresses. */
  async watch(listWork: () => readonly WorkSide[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.stalledMs / LOOKS, undefined, { signal, ref: false }).catch(() => undefined)
      this.look(signal.aborted ? [] : listWork())
    }
  }

  private look(work: readonly WorkSide[]): void {
    const now = performance.now()
    const stalled = new Set<WorkSide>()
    for (const [side, limitMs] of Object.entries(this.limits) as [WorkSide, number][]) {
      if (!work.includes(side)) this.moved[side] = now
      const silentMs = now - this.moved[side]
      if (silentMs < limitMs) continue
      stalled.add(side)
      if (this.stalled.has(side)) continue
      const seconds = Math.round(silentMs / 1000)
      this.logger.error('indexing stalled', { side, seconds, ...(this.failure && { failure: this.failure }) })
    }
    for (const side of this.stalled) if (!stalled.has(side)) this.logger.info('indexing resumed', { side })
    this.stalled = stalled
    this.metrics.setStalled(stalled.size > 0)
  }

  private get limits(): Readonly<Record<WorkSide, number>> {
    return { head: this.stalledMs, history: this.stalledMs * HISTORY_FACTOR }
  }
}

const countMissing = (ranges: readonly SeqnoRange[], from: number, to: number): number => {
  const covered = ranges.map(({ first, last }) => Math.max(0, Math.min(last, to) - Math.max(first, from) + 1))
  return Math.max(0, to - from + 1 - covered.reduce((sum, count) => sum + count, 0))
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { SeqnoRange } from './IndexStore.ts'
import type { StageMetrics } from './StageMetrics.ts'

/** How far the work is. */
export type Progress = {
  readonly ranges: readonly SeqnoRange[]
  readonly head: number | undefined
  /** Masterchain blocks that are still missing below the head, or below the end that was asked for. */
  readonly missing: number
  /** Of this run. */
  readonly blocks: number
  readonly transactions: number
  readonly blocksPerSecond: number
  readonly transactionsPerSecond: number
  readonly secondsLeft: number | undefined
  /** What went wrong last, while nothing was written since. */
  readonly failure: string | undefined
}

type Place = {
  readonly ranges: readonly SeqnoRange[]
  readonly head: number | undefined
  readonly from: number
  readonly to: number | undefined
}

const WINDOW_MS = 20_000
const STALLED_MS = 30_000
const LOOK_MS = 5000

/** Notes when something was written, and raises the alarm where there is work and nothing is. */
export class WorkClock {
  private readonly logger: Logger
  private readonly metrics: StageMetrics
  private lastWrite = performance.now()
  private blocks = 0
  private transactions = 0
  private recent: { readonly at: number; readonly blocks: number; readonly transactions: number }[] = []
  private failure: { readonly what: string; readonly message: string } | undefined
  private isStalled = false

  constructor(logger: Logger, metrics: StageMetrics) {
    this.logger = logger
    this.metrics = metrics
  }

  touch(): void {
    this.lastWrite = performance.now()
  }

  wrote({ first, last }: SeqnoRange, transactions: number): void {
    const at = performance.now()
    this.lastWrite = at
    this.failure = undefined
    this.blocks += last - first + 1
    this.transactions += transactions
    this.recent = this.recent.filter((entry) => at - entry.at < WINDOW_MS)
    this.recent.push({ at, blocks: this.blocks, transactions: this.transactions })
    if (this.isStalled) this.logger.info('indexing goes on', { last })
    this.setStalled(false)
  }

  failed(what: string, error: unknown): void {
    this.failure = { what, message: error instanceof Error ? error.message : String(error) }
  }

  describe({ ranges, head, from, to }: Place): Progress {
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

  async watch(hasWork: () => boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
      const silentMs = performance.now() - this.lastWrite
      if (signal.aborted || silentMs < STALLED_MS || !hasWork()) continue
      if (!this.isStalled) {
        const seconds = Math.round(silentMs / 1000)
        this.logger.error('indexing has stalled', { seconds, ...(this.failure && { failure: this.failure }) })
      }
      this.setStalled(true)
    }
  }

  private setStalled(isStalled: boolean): void {
    this.isStalled = isStalled
    this.metrics.setStalled(isStalled)
  }
}

const countMissing = (ranges: readonly SeqnoRange[], from: number, to: number): number => {
  const covered = ranges.map(({ first, last }) => Math.max(0, Math.min(last, to) - Math.max(first, from) + 1))
  return Math.max(0, to - from + 1 - covered.reduce((sum, count) => sum + count, 0))
}

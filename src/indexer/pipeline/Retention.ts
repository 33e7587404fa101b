import type { Logger } from '../../observe/Logger.ts'
import type { OpenTraces } from '../IndexBatch.ts'
import type { IndexStore, OpenRange, SeqnoRange, StoredIndex } from './IndexStore.ts'

/** The covered ranges as known to this process; changed only after a commit. */
export class Coverage {
  private ranges: readonly OpenRange[]

  constructor(ranges: readonly OpenRange[]) {
    this.ranges = ranges
  }

  get all(): readonly SeqnoRange[] {
    return this.ranges.map(({ first, last }) => ({ first, last }))
  }

  /** The highest range. */
  get top(): OpenRange | undefined {
    return this.ranges.at(-1)
  }

  /** The lowest range. */
  get bottom(): OpenRange | undefined {
    return this.ranges[0]
  }

  /** The range that ends directly below a seqno. */
  findBelow(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ last }) => last === seqno - 1)
  }

  /** The range that starts directly above a seqno. */
  findAbove(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ first }) => first === seqno + 1)
  }

  /** The range with a seqno or, if none has it, the next one below. */
  findAtOrBelow(seqno: number): SeqnoRange | undefined {
    return this.ranges.findLast(({ first }) => first <= seqno)
  }

  /** Adds a written range, which may join those on both sides. */
  add({ first, last }: SeqnoRange, open: OpenTraces): void {
    const below = this.findBelow(first)
    const above = this.findAbove(last)
    const joined = { first: below?.first ?? first, last: above?.last ?? last, open }
    const others = this.ranges.filter((range) => range !== below && range !== above)
    this.ranges = [...others, joined].sort((a, b) => a.first - b.first)
  }
}

export type RetentionOptions = {
  /** Minimum number of masterchain blocks to retain below the newest; all by default. */
  readonly retention?: number | undefined
  readonly logger: Logger
}

type WorkState = Pick<StoredIndex, 'retainedFrom' | 'partitionWidth'>

const EVERY_MS = 60_000
const LAST_TRIES = 3

type WorkStore = Pick<IndexStore, 'lowestKept' | 'dropBefore' | 'clearBefore'>

/** Drops history older than the retention, from time to time and by whole partitions. */
export class Retention {
  private readonly store: WorkStore
  private readonly options: RetentionOptions
  private place: WorkState | undefined
  private lastTry = Number.NEGATIVE_INFINITY
  private stopping = new AbortController()
  private clearing: Promise<void> = Promise.resolve()

  constructor(store: WorkStore, options: RetentionOptions) {
    this.store = store
    this.options = options
  }

  /** Blocks below are not indexed any more. */
  get retainedFrom(): number {
    return this.place?.retainedFrom ?? 0
  }

  /** The lowest block to retain if this one is the newest. */
  lowestBelow(newest: number): number {
    const { retention } = this.options
    return Math.max(this.retainedFrom, retention === undefined ? 0 : newest - retention)
  }

  loaded(place: WorkState): void {
    const { retention, logger } = this.options
    const { partitionWidth } = place
    if (this.place === undefined && retention !== undefined && partitionWidth > retention) {
      logger.warn('retention is smaller than a partition', { retention, partitionWidth })
    }
    this.place = place
  }

  /** Whether there is something to drop and no recent attempt. */
  isDue(coverage: Coverage): boolean {
    return performance.now() - this.lastTry >= EVERY_MS && this.findOld(coverage) !== undefined
  }

  /** Drops old partitions. Returns true if the index state has to be reloaded. */
  async dropOld(coverage: Coverage, when: 'now and then' | 'at once'): Promise<boolean> {
    const before = this.findOld(coverage)
    if (before === undefined || (when === 'now and then' && !this.isDue(coverage))) return false
    // A run that ends has no later attempt.
    for (let left = when === 'at once' ? LAST_TRIES : 1; left > 0 && !(await this.drop(before, coverage)); left -= 1);
    return true
  }

  /** Waits for the cleanup. */
  finish(): Promise<void> {
    return this.clearing
  }

  /** Cleanup left undone happens after the next drop. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.clearing
    this.stopping = new AbortController()
  }

  /** The block before which partitions are to be dropped, if any. */
  private findOld({ top, bottom }: Coverage): number | undefined {
    const { retention } = this.options
    if (retention === undefined || this.place === undefined || top === undefined || bottom === undefined)
      return undefined
    const before = top.last - retention
    return before > 0 && this.store.lowestKept(before) > bottom.first ? before : undefined
  }

  private async drop(before: number, coverage: Coverage): Promise<boolean> {
    const { logger } = this.options
    this.lastTry = performance.now()
    try {
      const { retainedFrom, partitions } = await this.store.dropBefore(before)
      logger.info('retention dropped old partitions', { first: coverage.bottom?.first, retainedFrom, partitions })
      this.clear(retainedFrom)
      return true
    } catch (error) {
      // Usually a long read holds locks on the tables.
      logger.warn('retention failed, retrying', { before, error })
      return false
    }
  }

  private clear(before: number): void {
    const { signal } = this.stopping
    this.clearing = this.clearing
      .then(() => this.store.clearBefore(before, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.options.logger.warn('cleanup after retention failed', { error })
      })
  }
}

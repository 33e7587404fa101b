import type { Logger } from '../../observe/Logger.ts'
import { partitionStart } from '../../store/schema/tables.ts'
import type { OpenTraces } from '../IndexBatch.ts'
import type { IndexStore, OpenRange, SeqnoRange, StoredIndex } from './IndexStore.ts'

/** What is covered, as this process knows it: it is changed after each commit, and by nothing else. */
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

  /** The range that ends right below a seqno. */
  findBelow(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ last }) => last === seqno - 1)
  }

  /** The range that begins right above a seqno. */
  findAbove(seqno: number): OpenRange | undefined {
    return this.ranges.find(({ first }) => first === seqno + 1)
  }

  /** The range that holds a seqno or, where none does, the next one below it. */
  findAtOrBelow(seqno: number): SeqnoRange | undefined {
    return this.ranges.findLast(({ first }) => first <= seqno)
  }

  /** Takes in a range that was written, which may have closed the gap to those on both sides of it. */
  add({ first, last }: SeqnoRange, open: OpenTraces): void {
    const below = this.findBelow(first)
    const above = this.findAbove(last)
    const joined = { first: below?.first ?? first, last: above?.last ?? last, open }
    const others = this.ranges.filter((range) => range !== below && range !== above)
    this.ranges = [...others, joined].sort((a, b) => a.first - b.first)
  }
}

export type RetentionOptions = {
  /** How many masterchain blocks below the newest are kept at least; without it, all are. */
  readonly retention?: number | undefined
  readonly logger: Logger
}

type Place = Pick<StoredIndex, 'retainedFrom' | 'partitionWidth'>

const EVERY_MS = 60_000

/** Drops the history that is older than what is to be kept, now and then and in large pieces. */
export class Retention {
  private readonly store: Pick<IndexStore, 'dropBefore' | 'clearBefore'>
  private readonly options: RetentionOptions
  private place: Place | undefined
  private lastTry = Number.NEGATIVE_INFINITY
  private stopping = new AbortController()
  private clearing: Promise<void> = Promise.resolve()

  constructor(store: Pick<IndexStore, 'dropBefore' | 'clearBefore'>, options: RetentionOptions) {
    this.store = store
    this.options = options
  }

  /** Blocks below it are not taken any more. */
  get retainedFrom(): number {
    return this.place?.retainedFrom ?? 0
  }

  /** The lowest block that is to be kept where this one is the newest. */
  lowestBelow(newest: number): number {
    const { retention } = this.options
    return Math.max(this.retainedFrom, retention === undefined ? 0 : newest - retention)
  }

  loaded(place: Place): void {
    const { retention, logger } = this.options
    const { partitionWidth } = place
    if (this.place === undefined && retention !== undefined && partitionWidth > retention) {
      logger.warn('history is dropped in pieces that are larger than what is to be kept', { retention, partitionWidth })
    }
    this.place = place
  }

  /** Whether there is something to drop, and it was not tried a moment ago. */
  isDue(coverage: Coverage): boolean {
    return performance.now() - this.lastTry >= EVERY_MS && this.findOld(coverage) !== undefined
  }

  /** Drops what is old, where it is a whole piece. True where what is covered has to be loaded anew. */
  async dropOld(coverage: Coverage, when: 'now and then' | 'at once'): Promise<boolean> {
    const { logger } = this.options
    const before = this.findOld(coverage)
    if (before === undefined || (when === 'now and then' && !this.isDue(coverage))) return false
    this.lastTry = performance.now()
    try {
      const { retainedFrom, partitions } = await this.store.dropBefore(before)
      logger.info('old history dropped', { first: coverage.bottom?.first, retainedFrom, partitions })
      this.clear(retainedFrom)
    } catch (error) {
      // Somebody who reads for long has the tables, as a rule.
      logger.warn('old history cannot be dropped now, it is tried again', { before, error })
    }
    return true
  }

  /** Waits until nothing is left of what was dropped. */
  finish(): Promise<void> {
    return this.clearing
  }

  /** What is still to be cleared away then is so after the next drop. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.clearing
    this.stopping = new AbortController()
  }

  /** The block before which whole pieces are to be dropped, where there are any. */
  private findOld({ top, bottom }: Coverage): number | undefined {
    const { retention } = this.options
    if (retention === undefined || this.place === undefined || top === undefined || bottom === undefined)
      return undefined
    const before = top.last - retention
    return before > 0 && partitionStart(before, this.place.partitionWidth) > bottom.first ? before : undefined
  }

  private clear(before: number): void {
    const { signal } = this.stopping
    this.clearing = this.clearing
      .then(() => this.store.clearBefore(before, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.options.logger.warn('what dropped history has left cannot be cleared', { error })
      })
  }
}

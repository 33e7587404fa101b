import { setTimeout as delay } from 'node:timers/promises'
import { NodeRefusedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { DecodedUnit } from '../blockSets.ts'
import { OtherAccountsError, OtherNetworkError, type Side, StaleIndexError } from '../commit/indexState.ts'
import type { IndexBatch, InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import { linkUnits, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { StatesMissingError } from '../sources/checkRawBlock.ts'
import { withRetries } from '../sources/withRetries.ts'
import { HeadTracker } from './HeadTracker.ts'
import type { IndexerParts, Looks, SeqnoRange } from './IndexStore.ts'
import { type Begun, mapAhead, orAbort, Turns, takeReady } from './queues.ts'
import { Coverage, Retention } from './Retention.ts'
import type { StageMetrics } from './StageMetrics.ts'
import type { Progress, WorkClock, WorkSide } from './StallWatchdog.ts'

export type IndexerOptions = {
  /**
   * `newestFirst` begins at the head and fills history behind it; `ascending` begins at the lowest block, as it must where states
   * are made by applying one block after another.
   */
  readonly order: 'newestFirst' | 'ascending'
  /** The lowest masterchain block that is wanted. */
  readonly from: number
  /** The highest; without it the head is followed for ever. */
  readonly to?: number | undefined
  /** How many masterchain blocks below the newest are kept at least; without it, all are. */
  readonly retention?: number | undefined
  readonly logger: Logger
  readonly metrics: StageMetrics
  readonly clock: WorkClock
  /** How many units are fetched and decoded ahead. */
  readonly fetchAhead?: number
  /** Where it stops short of the head by more than this, a new range is begun there and the gap is filled behind it. */
  readonly maxCatchUp?: number | undefined
}

type Prepared = {
  readonly units: readonly DecodedUnit[]
  readonly resolved: readonly ResolvedAccount[]
  readonly inspected: InspectedContracts
}

/** What was written may be other than what is known here: everything is loaded anew. */
class WriteFailure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Of a masterchain: before it there is a state and no transaction. */
const FIRST_BLOCK = 1
const BATCH_TRANSACTIONS = 4000
/** The first batches are smaller, so that writing begins soon. */
const FIRST_BATCH_TRANSACTIONS = 500
const FETCH_AHEAD = 12
const WRITE_AHEAD = 2
const BATCH_UNITS = 256
const CATCHING_UP_LINGER_MS = 300
const FETCH_TRIES = 5
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2000
const LOOK_FOR_GAPS_MS = 1000

/**
 * Joins the stages. Above what is covered it follows the head; below, it fills history. Both prepare their batches side by side and
 * write them in turn, each beginning while the one before it is being finished. What fails is tried again; the covered ranges never
 * pass over a hole.
 */
export class Indexer {
  private readonly parts: IndexerParts
  private readonly options: IndexerOptions
  private readonly head: HeadTracker
  private readonly clock: WorkClock
  private readonly looksBack: Looks | undefined
  private readonly retention: Retention
  private readonly turns = new Turns()
  /** What is there. */
  private coverage = new Coverage([])
  /** What will be when all that is being written is there, too. */
  private planned = new Coverage([])
  /** A write failed: until everything has been loaded anew, what is known here may be wrong. */
  private isStale = false
  /** Transactions in a unit, as of late. */
  private unitTransactions = 10

  constructor(parts: IndexerParts, options: IndexerOptions) {
    this.parts = parts
    this.options = options
    this.looksBack = parts.looksBack?.(() => this.coverage.top!.last)
    this.head = new HeadTracker(parts.source, options.logger)
    this.clock = options.clock
    this.retention = new Retention(parts.store, options)
  }

  get progress(): Progress {
    const { to } = this.options
    return this.clock.describe({ ranges: this.coverage.all, head: this.head.seqno, from: this.lowest, to })
  }

  /** What there is to do. Where the head is not known, there may be something. */
  listWork(): readonly WorkSide[] {
    const head = this.head.seqno
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    const { top } = this.coverage
    const work: WorkSide[] = []
    if (head === undefined || Math.min(head, to) > (top?.last ?? 0)) work.push('head')
    if (top !== undefined && this.listGaps().next().done === false) work.push('history')
    return work
  }

  /** Resolves when all that was wanted is there; where there is no end to it, only by the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const ending = new AbortController()
    const whole = AbortSignal.any([signal, ending.signal])
    const watching = this.head.run((seqno) => this.options.metrics.setHead(seqno, this.coverage.top?.last), whole)
    try {
      await this.retry('writing', whole, (wrote) => this.runSession(whole, wrote))
    } finally {
      ending.abort()
      await watching
    }
  }

  private async runSession(signal: AbortSignal, wrote: () => void): Promise<void> {
    const ending = new AbortController()
    const session = AbortSignal.any([signal, ending.signal])
    // Every unit that is fetched ahead does.
    await this.load()
    await this.dropOld()
    this.isStale = false
    const followed = new AbortController()
    const tasks = [
      this.extendUp(session, wrote).finally(() => followed.abort()),
      this.fillDown(followed.signal, session, wrote),
    ]
    try {
      await Promise.all(tasks)
      await this.dropOld('at once')
      await this.retention.finish()
    } catch (error) {
      throw error instanceof WriteFailure ? error.error : error
    } finally {
      ending.abort()
      await Promise.allSettled(tasks)
      await this.turns.settle()
      await this.retention.stop()
    }
  }

  /** The lowest block that is to be there. */
  private get lowest(): number {
    const { from, to = Number.MAX_SAFE_INTEGER } = this.options
    return Math.max(from, this.retention.lowestBelow(this.coverage.top?.last ?? Math.min(to, this.head.seqno ?? 0)))
  }

  private async load(): Promise<void> {
    const loaded = await this.parts.store.load()
    this.coverage = new Coverage(loaded.ranges)
    this.planned = new Coverage(loaded.ranges)
    this.retention.loaded(loaded)
  }

  /** To be called when nothing else is being written. */
  private async dropOld(when: 'now and then' | 'at once' = 'now and then'): Promise<void> {
    if (await this.retention.dropOld(this.coverage, when)) await this.load()
  }

  private async extendUp(signal: AbortSignal, onWrite: () => void): Promise<void> {
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    await this.retry('following the head', signal, async (wrote) => {
      const next = await this.findNext(signal)
      let batchTransactions = FIRST_BATCH_TRANSACTIONS
      const units = mapAhead(this.follow(next, to, signal), this.options.fetchAhead ?? FETCH_AHEAD, (seqno) =>
        this.prepareUnit(seqno, signal),
      )
      const batches = takeReady(units, {
        isFull: (group) => group.length >= BATCH_UNITS || countTransactions(group) >= batchTransactions,
        lingerMs: () => (this.isBehind() ? CATCHING_UP_LINGER_MS : 0),
      })
      const prepared = mapAhead(batches, 1, (group) => this.prepare(group, signal))
      const written = mapAhead(prepared, WRITE_AHEAD, (batch) => {
        batchTransactions = Math.min(BATCH_TRANSACTIONS, 2 * batchTransactions)
        return this.write('head', batch, signal)
      })
      for await (const _ of written) {
        wrote()
        onWrite()
      }
    })
  }

  /** Where to begin above what is covered. */
  private async findNext(signal: AbortSignal): Promise<number> {
    const { order, from, to = Number.MAX_SAFE_INTEGER, maxCatchUp = 2000 } = this.options
    const { top } = this.coverage
    if (order === 'ascending' && top !== undefined) return Math.max(from, top.last + 1)
    const head = Math.min(to, await this.head.waitFor(from, signal))
    if (order === 'ascending') return this.lowest
    return top === undefined || top.last + 1 < from || head - top.last > maxCatchUp ? head : top.last + 1
  }

  private async *follow(first: number, to: number, signal: AbortSignal): AsyncGenerator<number> {
    for (let next = first; next <= to; ) {
      const head = await this.head.waitFor(next, signal)
      for (; next <= Math.min(head, to); next++) yield next
    }
  }

  /** Until the head is not followed any more: one who falls far behind it begins anew there, and leaves another gap. */
  private async fillDown(followed: AbortSignal, signal: AbortSignal, onWrite: () => void): Promise<void> {
    for (let isLast = false; !isLast; ) {
      isLast = followed.aborted
      await this.retry('filling history', signal, (wrote) =>
        this.fillGaps(
          () => {
            wrote()
            onWrite()
          },
          followed,
          signal,
        ),
      )
      const either = AbortSignal.any([followed, signal])
      if (!isLast) await delay(LOOK_FOR_GAPS_MS, undefined, { signal: either, ref: false }).catch(() => undefined)
      signal.throwIfAborted()
    }
  }

  private async fillGaps(wrote: () => void, followed: AbortSignal, signal: AbortSignal): Promise<void> {
    while (this.coverage.top === undefined && !followed.aborted) await pause(50, signal)
    const prepared = mapAhead(this.listGaps(), 1, (gap) => this.prepareRange(gap, signal))
    for await (const _ of mapAhead(prepared, WRITE_AHEAD, (batch) => this.write('history', batch, signal))) wrote()
  }

  /** Pieces of what is missing up to the end of the highest range, the highest first. */
  private *listGaps(): Generator<SeqnoRange> {
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    for (let last = Math.min(to, this.coverage.top?.last ?? 0); last >= this.lowest; ) {
      const below = this.coverage.findAtOrBelow(last)
      if (below !== undefined && below.last >= last) {
        last = below.first - 1
        continue
      }
      const size = Math.max(1, Math.min(BATCH_UNITS, Math.floor(BATCH_TRANSACTIONS / this.unitTransactions)))
      const first = Math.max(this.lowest, (below?.last ?? 0) + 1, last - size + 1)
      yield { first, last }
      last = first - 1
    }
  }

  private async prepareRange({ first, last }: SeqnoRange, signal: AbortSignal): Promise<Prepared> {
    const seqnos = Array.from({ length: last - first + 1 }, (_, k) => first + k)
    const units: DecodedUnit[] = []
    const { fetchAhead = FETCH_AHEAD } = this.options
    for await (const unit of mapAhead(seqnos, fetchAhead, (seqno) => this.prepareUnit(seqno, signal))) units.push(unit)
    try {
      return await this.prepare(units, signal)
    } catch (error) {
      // A server that still has the blocks may have dropped their states.
      if (!(error instanceof NodeRefusedError) || this.looksBack === undefined) throw error
      this.options.logger.debug('states of the past are gone', { first, last, error })
      return this.prepare(units, signal, this.looksBack)
    }
  }

  private async prepareUnit(seqno: number, signal: AbortSignal): Promise<DecodedUnit> {
    const { source, decode } = this.parts
    const { metrics } = this.options
    // What is fetched beside it is not to be thrown away for one answer that was wrong or late.
    const raw = await withRetries(() => metrics.time('fetch', () => orAbort(source.fetchUnit(seqno, signal), signal)), {
      signal,
      maxTries: FETCH_TRIES,
      onRetry: (error, tries, pauseMs) => {
        this.clock.failed('fetching', error)
        this.options.logger.warn('a block cannot be fetched, it is tried again', { seqno, tries, pauseMs, error })
      },
    })
    return metrics.time('decode', () => decode(raw, signal))
  }

  private async prepare(
    units: readonly DecodedUnit[],
    signal: AbortSignal,
    { resolver, inspect }: Looks = this.parts.looks,
  ): Promise<Prepared> {
    const { metrics } = this.options
    // Whoever is told to stop does not wait for a server that hangs.
    const resolved = await metrics.time('resolve', () => orAbort(resolver.resolve(units, signal), signal))
    const inspected = await metrics.time('inspect', () => orAbort(inspect(units, resolved, signal), signal))
    return { units, resolved, inspected }
  }

  /** One batch after another, whoever made it. */
  private write(what: WorkSide, batch: Prepared, signal: AbortSignal): Promise<void> {
    return this.turns.take(async (before) => {
      signal.throwIfAborted()
      try {
        if (this.retention.isDue(this.coverage)) {
          await before
          await this.dropOld()
        }
        return await this.linkAndCommit(what, batch)
      } catch (error) {
        throw this.failWrite(error)
      }
    })
  }

  private failWrite(error: unknown): WriteFailure {
    this.isStale = true
    return new WriteFailure(error)
  }

  private async linkAndCommit(what: WorkSide, { units, resolved, inspected }: Prepared): Promise<Begun> {
    if (this.isStale) throw new StaleIndexError('The write before this one failed.')
    const { metrics } = this.options
    const range = { first: units[0]!.seqno, last: units.at(-1)!.seqno }
    // What is kept may begin higher by now than when this was asked for. Those of it that are wanted are asked for again.
    if (range.first < this.retention.retainedFrom) return { done: Promise.resolve() }
    const below = this.planned.findBelow(range.first)
    const above = this.planned.findAbove(range.last)
    const linked = await metrics.time('link', () =>
      linkUnits({
        below: below?.open ?? NOTHING_OPEN,
        units,
        above: above?.open,
        isFromFirst: (below ?? range).first <= FIRST_BLOCK,
      }),
    )
    this.planned.add(range, linked.open)
    const batch = { units, linked, resolved, inspected, neighbours: { below, above } }
    const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
    return { done: this.commit(what, batch, side) }
  }

  private async commit(what: WorkSide, batch: IndexBatch, side: Side): Promise<void> {
    const { metrics } = this.options
    const { units, linked } = batch
    const range = { first: units[0]!.seqno, last: units.at(-1)!.seqno }
    try {
      await metrics.time('commit', () => this.parts.store.commit(batch, side))
    } catch (error) {
      throw this.failWrite(error)
    }
    this.coverage.add(range, linked.open)
    const transactions = countTransactions(units)
    this.unitTransactions = Math.max(1, 0.7 * this.unitTransactions + (0.3 * transactions) / units.length)
    this.clock.wrote(what, range, transactions)
    metrics.committed(units.length, transactions)
    if (this.head.seqno !== undefined) metrics.setHead(this.head.seqno, this.coverage.top?.last)
  }

  private isBehind(): boolean {
    const head = this.head.seqno
    const last = this.coverage.top?.last
    return head !== undefined && last !== undefined && Math.min(head, this.options.to ?? head) > last + 1
  }

  /** Until it succeeds, or never can. A failure to write is for whoever began the session. */
  private async retry(what: string, signal: AbortSignal, work: (wrote: () => void) => Promise<void>): Promise<void> {
    let failures = 0
    const wrote = (): void => {
      failures = 0
    }
    for (;;) {
      try {
        await work(wrote)
        return
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof WriteFailure || isRefusal(error)) throw error
        failures++
        const pauseMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(10, failures - 1))
        this.clock.failed(what, error)
        this.options.logger.warn('indexing failed, it is tried again', { what, pauseMs, failures, error })
        await pause(pauseMs, signal)
      }
    }
  }
}

/** The database is an index of something else, and will be; or states are to be made that cannot be. */
const isRefusal = (error: unknown): boolean =>
  error instanceof OtherNetworkError || error instanceof OtherAccountsError || error instanceof StatesMissingError

const countTransactions = (units: readonly DecodedUnit[]): number =>
  units.reduce((sum, { transactions }) => sum + transactions.count, 0)

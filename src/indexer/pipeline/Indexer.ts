import { setTimeout as delay } from 'node:timers/promises'
import { NodeRefusedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import { linkUnits, NOTHING_OPEN } from '../link/linkUnits.ts'
import { Coverage } from './Coverage.ts'
import { HeadTracker } from './HeadTracker.ts'
import type { IndexerParts, Looks } from './IndexerParts.ts'
import type { SeqnoRange } from './IndexStore.ts'
import { mapAhead } from './mapAhead.ts'
import type { StageMetrics } from './StageMetrics.ts'
import { takeReady } from './takeReady.ts'
import { type Progress, WorkClock } from './WorkClock.ts'

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
  readonly logger: Logger
  readonly metrics: StageMetrics
  /** How many units are fetched and decoded ahead. */
  readonly fetchAhead?: number
  /** Where it stops short of the head by more than this, a new range is begun there and the gap is filled behind it. */
  readonly maxCatchUp?: number
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

const BATCH_TRANSACTIONS = 4000
const BATCH_UNITS = 256
const CATCHING_UP_LINGER_MS = 300
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000

/**
 * Joins the stages. Above what is covered it follows the head; below, it fills history. Both prepare their batches side by side and
 * write them in turn. What fails is tried again; the covered ranges never pass over a hole.
 */
export class Indexer {
  private readonly parts: IndexerParts
  private readonly options: IndexerOptions
  private readonly head: HeadTracker
  private readonly clock: WorkClock
  private readonly looksBack: Looks | undefined
  private coverage = new Coverage([])
  private writing: Promise<unknown> = Promise.resolve()
  /** Transactions in a unit, as of late. */
  private unitTransactions = 10

  constructor(parts: IndexerParts, options: IndexerOptions) {
    this.parts = parts
    this.options = options
    this.looksBack = parts.looksBack?.(() => this.coverage.top!.last)
    this.head = new HeadTracker(parts.source, options.logger)
    this.clock = new WorkClock(options.logger, options.metrics)
  }

  get progress(): Progress {
    const { from, to } = this.options
    return this.clock.describe({ ranges: this.coverage.all, head: this.head.seqno, from, to })
  }

  /** Resolves when all that was wanted is there; where there is no end to it, only by the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const ending = new AbortController()
    const whole = AbortSignal.any([signal, ending.signal])
    const side = [
      this.head.run((seqno) => this.options.metrics.setHead(seqno, this.coverage.top?.last), whole),
      this.clock.watch(() => this.isBehind(), whole),
    ]
    try {
      await this.retry('writing', whole, (wrote) => this.runSession(whole, wrote))
    } finally {
      ending.abort()
      await Promise.allSettled(side)
    }
  }

  private async runSession(signal: AbortSignal, wrote: () => void): Promise<void> {
    const ending = new AbortController()
    const session = AbortSignal.any([signal, ending.signal])
    this.coverage = new Coverage(await this.parts.store.load())
    this.clock.touch()
    wrote()
    const tasks = [this.extendUp(session)]
    if (this.options.order === 'newestFirst') tasks.push(this.fillDown(session))
    try {
      await Promise.all(tasks)
    } catch (error) {
      throw error instanceof WriteFailure ? error.error : error
    } finally {
      ending.abort()
      await Promise.allSettled(tasks)
    }
  }

  private async extendUp(signal: AbortSignal): Promise<void> {
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    await this.retry('following the head', signal, async (wrote) => {
      const next = await this.findNext(signal)
      const units = mapAhead(this.follow(next, to, signal), this.options.fetchAhead ?? 4, (seqno) =>
        this.prepareUnit(seqno, signal),
      )
      const batches = takeReady(units, {
        isFull: isFullBatch,
        lingerMs: () => (this.isBehind() ? CATCHING_UP_LINGER_MS : 0),
      })
      for await (const batch of mapAhead(batches, 1, (group) => this.prepare(group, signal))) {
        await this.write(batch, signal)
        wrote()
      }
    })
  }

  /** Where to begin above what is covered. */
  private async findNext(signal: AbortSignal): Promise<number> {
    const { order, from, to = Number.MAX_SAFE_INTEGER, maxCatchUp = 2000 } = this.options
    const { top } = this.coverage
    if (order === 'ascending') return top === undefined ? from : top.last + 1
    const head = Math.min(to, await this.head.waitFor(from, signal))
    return top === undefined || head - top.last > maxCatchUp ? head : top.last + 1
  }

  private async *follow(first: number, to: number, signal: AbortSignal): AsyncGenerator<number> {
    for (let next = first; next <= to; ) {
      const head = await this.head.waitFor(next, signal)
      for (; next <= Math.min(head, to); next++) yield next
    }
  }

  private async fillDown(signal: AbortSignal): Promise<void> {
    await this.retry('filling history', signal, async (wrote) => {
      while (this.coverage.top === undefined) await delay(50, undefined, { signal })
      for await (const batch of mapAhead(this.listGaps(), 1, (gap) => this.prepareRange(gap, signal))) {
        await this.write(batch, signal)
        wrote()
      }
    })
  }

  /** Pieces of what is missing below the highest range, the highest first. */
  private *listGaps(): Generator<SeqnoRange> {
    const { from } = this.options
    for (let last = this.coverage.top!.first - 1; last >= from; ) {
      const below = this.coverage.findAtOrBelow(last)
      if (below !== undefined && below.last >= last) {
        last = below.first - 1
        continue
      }
      const size = Math.max(1, Math.min(BATCH_UNITS, Math.floor(BATCH_TRANSACTIONS / this.unitTransactions)))
      const first = Math.max(from, (below?.last ?? 0) + 1, last - size + 1)
      yield { first, last }
      last = first - 1
    }
  }

  private async prepareRange({ first, last }: SeqnoRange, signal: AbortSignal): Promise<Prepared> {
    const seqnos = Array.from({ length: last - first + 1 }, (_, k) => first + k)
    const units: DecodedUnit[] = []
    const { fetchAhead = 4 } = this.options
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
    const raw = await metrics.time('fetch', () => source.fetchUnit(seqno, signal))
    return metrics.time('decode', () => decode(raw, signal))
  }

  private async prepare(
    units: readonly DecodedUnit[],
    signal: AbortSignal,
    { resolver, inspect }: Looks = this.parts.looks,
  ): Promise<Prepared> {
    const { metrics } = this.options
    const resolved = await metrics.time('resolve', () => resolver.resolve(units, signal))
    const inspected = await metrics.time('inspect', () => inspect(units, resolved, signal))
    return { units, resolved, inspected }
  }

  /** One batch after another, whoever made it. */
  private write(batch: Prepared, signal: AbortSignal): Promise<void> {
    const written = this.writing.then(() => this.linkAndCommit(batch, signal))
    this.writing = written.catch(() => undefined)
    return written
  }

  private async linkAndCommit({ units, resolved, inspected }: Prepared, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { metrics } = this.options
    const range = { first: units[0]!.seqno, last: units.at(-1)!.seqno }
    const below = this.coverage.findBelow(range.first)
    const above = this.coverage.findAbove(range.last)
    try {
      const linked = await metrics.time('link', () =>
        linkUnits({ below: below?.open ?? NOTHING_OPEN, units, above: above?.open }),
      )
      const batch = { units, linked, resolved, inspected }
      const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
      await metrics.time('commit', () => this.parts.store.commit(batch, side))
      this.coverage.add(range, linked.open)
    } catch (error) {
      throw new WriteFailure(error)
    }
    const transactions = countTransactions(units)
    this.unitTransactions = Math.max(1, 0.7 * this.unitTransactions + (0.3 * transactions) / units.length)
    this.clock.wrote(range, transactions)
    metrics.committed(units.length, transactions)
    if (this.head.seqno !== undefined) metrics.setHead(this.head.seqno, this.coverage.top?.last)
  }

  private isBehind(): boolean {
    const head = this.head.seqno
    const last = this.coverage.top?.last
    return head !== undefined && last !== undefined && Math.min(head, this.options.to ?? head) > last + 1
  }

  /** Until it succeeds. A failure to write is for whoever began the session. */
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
        if (error instanceof WriteFailure) throw error
        failures++
        const pauseMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(10, failures - 1))
        this.clock.failed(what, error)
        this.options.logger.warn('indexing failed, it is tried again', { what, pauseMs, failures, error })
        await delay(pauseMs, undefined, { signal })
      }
    }
  }
}

const countTransactions = (units: readonly DecodedUnit[]): number =>
  units.reduce((sum, { transactions }) => sum + transactions.count, 0)

const isFullBatch = (units: readonly DecodedUnit[]): boolean =>
  units.length >= BATCH_UNITS || countTransactions(units) >= BATCH_TRANSACTIONS

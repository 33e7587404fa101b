import { setTimeout as delay } from 'node:timers/promises'
import { NodeRefusedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import { OtherAccountsError, OtherNetworkError, type Side, StaleIndexError } from '../commit/indexState.ts'
import type { IndexBatch, InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import { linkBlockSets, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { StatesMissingError } from '../sources/checkRawBlock.ts'
import { withRetries } from '../sources/withRetries.ts'
import { BlockTracing } from './BlockTracing.ts'
import { HeadTracker } from './HeadTracker.ts'
import type { AccountStages, IndexerStages, SeqnoRange } from './IndexStore.ts'
import { abortable, mapAhead, type StartedWrite, takeReady, WriteQueue } from './queues.ts'
import { Coverage, Retention } from './Retention.ts'
import type { StageMetrics } from './StageMetrics.ts'
import type { Progress, StallWatchdog, WorkSide } from './StallWatchdog.ts'

export type IndexerOptions = {
  /**
   * `newestFirst` starts at the head and backfills; `ascending` starts at the lowest block, which is required if states are
   * computed by applying blocks.
   */
  readonly order: 'newestFirst' | 'ascending'
  /** The lowest masterchain block to index. */
  readonly from: number
  /** The highest; by default the head is followed forever. */
  readonly to?: number | undefined
  /** Minimum number of masterchain blocks to retain below the newest; all by default. */
  readonly retention?: number | undefined
  readonly logger: Logger
  readonly metrics: StageMetrics
  readonly watchdog: StallWatchdog
  /** Block sets fetched and decoded ahead. */
  readonly fetchAhead?: number
  /** If the index lags the head by more than this, a new range starts at the head and the gap is backfilled. */
  readonly maxCatchUp?: number | undefined
}

type Prepared = {
  readonly blockSets: readonly DecodedBlockSet[]
  readonly resolved: readonly ResolvedAccount[]
  readonly inspected: InspectedContracts
}

/** A write failed, so the index may differ from the state here: everything is reloaded. */
class WriteFailure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** The first masterchain block: before it there is only the zero state. */
const FIRST_BLOCK = 1
const BATCH_TRANSACTIONS = 4000
/** Blocks may be large with few transactions in them: rows of so many bytes are a batch, too. */
const BATCH_BYTES = 16 << 20
/** The first batches are smaller, so that writing starts soon. */
const FIRST_BATCH_TRANSACTIONS = 500
const FETCH_AHEAD = 12
/** Rows of block sets fetched and decoded ahead. */
const AHEAD_BYTES = 32 << 20
const WRITE_AHEAD = 2
const BATCH_UNITS = 256
const CATCHING_UP_LINGER_MS = 300
const FETCH_TRIES = 5
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2000
const LOOK_FOR_GAPS_MS = 1000

/**
 * Runs the stages. It follows the head above the covered ranges and backfills history below. Both prepare their batches in
 * parallel and write them through one queue, each starting while the previous one is being finished. Failures are retried; the
 * covered ranges never skip a gap.
 */
export class Indexer {
  private readonly parts: IndexerStages
  private readonly options: IndexerOptions
  private readonly head: HeadTracker
  private readonly watchdog: StallWatchdog
  private readonly historyStages: AccountStages | undefined
  private readonly retention: Retention
  private readonly writes = new WriteQueue()
  private readonly tracing = new BlockTracing()
  /** The committed coverage. */
  private coverage = new Coverage([])
  /** The coverage after all writes in progress. */
  private planned = new Coverage([])
  /** A write failed: the state here may be wrong until it is reloaded. */
  private isStale = false
  /** Recent average of transactions per block set. */
  private blockSetTransactions = 10
  /** Recent maximum of bytes per block set. */
  private blockSetBytes = 1

  constructor(parts: IndexerStages, options: IndexerOptions) {
    this.parts = parts
    this.options = options
    this.historyStages = parts.historyStages?.(() => this.coverage.top!.last)
    this.head = new HeadTracker(parts.source, options.logger)
    this.watchdog = options.watchdog
    this.retention = new Retention(parts.store, options)
  }

  get progress(): Progress {
    const { to } = this.options
    return this.watchdog.describe({ ranges: this.coverage.all, head: this.head.seqno, from: this.lowest, to })
  }

  /** The work to do. If the head is unknown, there may be some. */
  listWork(): readonly WorkSide[] {
    const head = this.head.seqno
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    const { top } = this.coverage
    const work: WorkSide[] = []
    if (head === undefined || Math.min(head, to) > (top?.last ?? 0)) work.push('head')
    if (top !== undefined && this.listGaps().next().done === false) work.push('history')
    return work
  }

  /** Resolves when the requested range is indexed; without an end, only by the signal. */
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
      await this.writes.settle()
      await this.retention.stop()
    }
  }

  /** The lowest block to index. */
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

  /** Call it while nothing is being written. */
  private async dropOld(when: 'now and then' | 'at once' = 'now and then'): Promise<void> {
    if (await this.retention.dropOld(this.coverage, when)) await this.load()
  }

  private async extendUp(signal: AbortSignal, onWrite: () => void): Promise<void> {
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    await this.retry('following the head', signal, async (wrote) => {
      const next = await this.findNext(signal)
      let batchTransactions = FIRST_BATCH_TRANSACTIONS
      const blockSets = this.prepareBlockSets(this.follow(next, to, signal), signal)
      const batches = takeReady(blockSets, {
        isFull: (group) =>
          group.length >= BATCH_UNITS ||
          countTransactions(group) >= batchTransactions ||
          countBytes(group) >= BATCH_BYTES,
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

  /** The next block above the covered ranges. */
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

  /**
   * Backfills while the head is followed: an indexer that falls far behind starts a new range at the head and leaves another gap.
   */
  private async fillDown(followed: AbortSignal, signal: AbortSignal, onWrite: () => void): Promise<void> {
    const either = AbortSignal.any([followed, signal])
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
      if (!isLast) await delay(LOOK_FOR_GAPS_MS, undefined, { signal: either, ref: false }).catch(() => undefined)
      signal.throwIfAborted()
    }
  }

  private async fillGaps(wrote: () => void, followed: AbortSignal, signal: AbortSignal): Promise<void> {
    while (this.coverage.top === undefined && !followed.aborted) await pause(50, signal)
    const prepared = mapAhead(this.listGaps(), 1, (gap) => this.prepareRange(gap, signal))
    for await (const _ of mapAhead(prepared, WRITE_AHEAD, (batch) => this.write('history', batch, signal))) wrote()
  }

  /** Missing ranges up to the end of the highest range, highest first. */
  private *listGaps(): Generator<SeqnoRange> {
    const { to = Number.MAX_SAFE_INTEGER } = this.options
    for (let last = Math.min(to, this.coverage.top?.last ?? 0); last >= this.lowest; ) {
      const below = this.coverage.findAtOrBelow(last)
      if (below !== undefined && below.last >= last) {
        last = below.first - 1
        continue
      }
      const full = Math.min(BATCH_TRANSACTIONS / this.blockSetTransactions, BATCH_BYTES / this.blockSetBytes)
      const size = Math.max(1, Math.min(BATCH_UNITS, Math.floor(full)))
      const first = Math.max(this.lowest, (below?.last ?? 0) + 1, last - size + 1)
      yield { first, last }
      last = first - 1
    }
  }

  private async prepareRange({ first, last }: SeqnoRange, signal: AbortSignal): Promise<Prepared> {
    const seqnos = Array.from({ length: last - first + 1 }, (_, k) => first + k)
    const blockSets: DecodedBlockSet[] = []
    for await (const blockSet of this.prepareBlockSets(seqnos, signal)) blockSets.push(blockSet)
    try {
      return await this.prepare(blockSets, signal)
    } catch (error) {
      // A server that still has the blocks may have pruned their states.
      if (!(error instanceof NodeRefusedError) || this.historyStages === undefined) throw error
      this.options.logger.debug('historical states unavailable, using latest states', { first, last, error })
      return this.prepare(blockSets, signal, this.historyStages)
    }
  }

  /** Block sets, fetched and decoded ahead: fewer of them if they are large. */
  private prepareBlockSets(
    seqnos: Iterable<number> | AsyncIterable<number>,
    signal: AbortSignal,
  ): AsyncGenerator<DecodedBlockSet> {
    const { fetchAhead = FETCH_AHEAD } = this.options
    const countAhead = (): number => Math.min(fetchAhead, Math.floor(AHEAD_BYTES / this.blockSetBytes))
    return mapAhead(seqnos, countAhead, async (seqno) => {
      const blockSet = await this.tracing.begin(seqno, () => this.fetchAndDecode(seqno, signal))
      // One large block set may be followed by more.
      this.blockSetBytes = Math.max(1, 0.9 * this.blockSetBytes, countBytes([blockSet]))
      return blockSet
    })
  }

  private async fetchAndDecode(seqno: number, signal: AbortSignal): Promise<DecodedBlockSet> {
    const { source, decode } = this.parts
    const { metrics } = this.options
    // One wrong or late answer must not discard what is fetched in parallel.
    const raw = await withRetries(
      () => metrics.time('fetch', () => abortable(source.fetchBlockSet(seqno, signal), signal)),
      {
        signal,
        maxTries: FETCH_TRIES,
        onRetry: (error, tries, pauseMs) => {
          this.watchdog.failed('fetching', error)
          this.options.logger.warn('block fetch failed, retrying', { seqno, tries, pauseMs, error })
        },
      },
    )
    return metrics.time('decode', () => decode(raw, signal))
  }

  private prepare(
    blockSets: readonly DecodedBlockSet[],
    signal: AbortSignal,
    stages: AccountStages = this.parts.looks,
  ): Promise<Prepared> {
    return this.tracing.run(blockSets, () => this.resolveAndInspect(blockSets, signal, stages))
  }

  private async resolveAndInspect(
    blockSets: readonly DecodedBlockSet[],
    signal: AbortSignal,
    { resolver, inspect }: AccountStages,
  ): Promise<Prepared> {
    const { metrics } = this.options
    // A shutdown does not wait for a server that hangs.
    const resolved = await metrics.time('resolve', () => abortable(resolver.resolve(blockSets, signal), signal))
    const inspected = await metrics.time('inspect', () => abortable(inspect(blockSets, resolved, signal), signal))
    return { blockSets, resolved, inspected }
  }

  /** Writes batches one after another, from both sides. */
  private write(what: WorkSide, batch: Prepared, signal: AbortSignal): Promise<void> {
    return this.writes.enqueue(async (before) => {
      signal.throwIfAborted()
      try {
        if (this.retention.isDue(this.coverage)) {
          await before
          await this.dropOld()
        }
        return await this.tracing.run(batch.blockSets, () => this.linkAndCommit(what, batch))
      } catch (error) {
        throw this.failWrite(error)
      }
    })
  }

  private failWrite(error: unknown): WriteFailure {
    this.isStale = true
    return new WriteFailure(error)
  }

  private async linkAndCommit(what: WorkSide, { blockSets, resolved, inspected }: Prepared): Promise<StartedWrite> {
    if (this.isStale) throw new StaleIndexError('The previous write failed.')
    const { metrics } = this.options
    const range = { first: blockSets[0]!.seqno, last: blockSets.at(-1)!.seqno }
    // Retention may have advanced since this was requested. Blocks still wanted are requested again.
    if (range.first < this.retention.retainedFrom) return { done: Promise.resolve() }
    const below = this.planned.findBelow(range.first)
    const above = this.planned.findAbove(range.last)
    const linked = await metrics.time('link', () =>
      linkBlockSets({
        below: below?.open ?? NOTHING_OPEN,
        blockSets,
        above: above?.open,
        isFromFirst: (below ?? range).first <= FIRST_BLOCK,
      }),
    )
    this.planned.add(range, linked.open)
    const batch = { blockSets, linked, resolved, inspected, neighbours: { below, above } }
    const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
    return { done: this.commit(what, batch, side) }
  }

  private async commit(what: WorkSide, batch: IndexBatch, side: Side): Promise<void> {
    const { metrics } = this.options
    const { blockSets, linked } = batch
    const range = { first: blockSets[0]!.seqno, last: blockSets.at(-1)!.seqno }
    try {
      await metrics.time('commit', () => this.parts.store.commit(batch, side))
    } catch (error) {
      this.tracing.end(blockSets, error)
      throw this.failWrite(error)
    }
    this.tracing.end(blockSets)
    this.coverage.add(range, linked.open)
    const transactions = countTransactions(blockSets)
    this.blockSetTransactions = Math.max(1, 0.7 * this.blockSetTransactions + (0.3 * transactions) / blockSets.length)
    this.watchdog.wrote(what, range, transactions)
    metrics.committed(blockSets.length, transactions)
    if (this.head.seqno !== undefined) metrics.setHead(this.head.seqno, this.coverage.top?.last)
  }

  private isBehind(): boolean {
    const head = this.head.seqno
    const last = this.coverage.top?.last
    return head !== undefined && last !== undefined && Math.min(head, this.options.to ?? head) > last + 1
  }

  /** Retries until success or a permanent failure. Write failures are left to the caller. */
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
        this.watchdog.failed(what, error)
        this.options.logger.warn('indexing failed, retrying', { what, pauseMs, failures, error })
        await pause(pauseMs, signal)
      }
    }
  }
}

/** Permanent failures: the database is an index of something else, or required states cannot be computed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof OtherNetworkError || error instanceof OtherAccountsError || error instanceof StatesMissingError

const countTransactions = (blockSets: readonly DecodedBlockSet[]): number =>
  blockSets.reduce((sum, { transactions }) => sum + transactions.count, 0)

/** Bytes of their rows, nearly all that they take. */
const countBytes = (blockSets: readonly DecodedBlockSet[]): number =>
  blockSets.reduce(
    (sum, { transactions, messages, contents }) =>
      sum + transactions.rows.bytes.length + messages.rows.bytes.length + contents.rows.bytes.length,
    0,
  )

import type pg from 'pg'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import type { Database } from '../../store/connect/Database.ts'
import { indexedChannel, sendNotification } from '../../store/connect/notifications.ts'
import { isDistributed } from '../../store/distributed/engine.ts'
import type { PartitionMap } from '../../store/schema/PartitionMap.ts'
import {
  type CoveredRange,
  findIndexState,
  lockIndexStatement,
  markWriterStatement,
  readRanges,
  writeRange,
} from '../../store/writer/indexState.ts'
import type { Lease } from '../../store/writer/lease.ts'
import { ensurePartitions } from '../../store/writer/partitions.ts'
import { upsertNewest } from '../../store/writer/upsertRows.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { KeySet, newestAccountsOf } from '../newestAccounts.ts'
import { listAccountRows, upsertContracts } from './accounts.ts'
import { checkContinuity } from './checkContinuity.ts'
import { ContentCache, copyBlockSets, copyContents, type NewContents } from './copyBatch.ts'
import { type BatchPosition, expectNeighbours, locateBatch, type Side, StaleIndexError } from './indexState.ts'
import { copyRoutedTraces } from './routedTraces.ts'
import { changeTraces, copyLongTraces } from './traces.ts'

const MAX_ACCOUNT_BITS = 18

/** Results of a batch, to be cached after the commit. */
type Committed = {
  /** The covered range that now contains the batch. */
  readonly range: CoveredRange
  readonly contents: readonly NewContents[]
}

/**
 * Caches which rows are in the database, because this process wrote them. It is valid only while the last written range is
 * unchanged: a crashed server may have lost it, and everything written since.
 */
class CommitCache {
  readonly contents = new ContentCache()
  /** Accounts with a state from the range or above it. */
  readonly #accounts = new KeySet(ADDRESS_KEY_BYTES, MAX_ACCOUNT_BITS)
  #range: CoveredRange | undefined

  forget(): void {
    this.contents.clear()
    this.#accounts.clear()
    this.#range = undefined
  }

  /** Clears the cache unless a range that the batch touches is the last written one. */
  checkAgainst(...touched: readonly (CoveredRange | undefined)[]): void {
    const last = this.#range
    const isThere = touched.some(
      (range) => last !== undefined && range?.firstSeqno === last.firstSeqno && range.lastSeqno === last.lastSeqno,
    )
    if (!isThere) this.forget()
  }

  /** Accounts with states newer than those of the batch: those seen above it. */
  accountsNewerThan({ above }: BatchPosition): KeySet | undefined {
    return above !== undefined && above.firstSeqno === this.#range?.firstSeqno ? this.#accounts : undefined
  }

  /** Call it after the commit. */
  keep({ blockSets }: Pick<IndexBatch, 'blockSets'>, { range, contents }: Committed): void {
    this.contents.add(contents)
    for (const { touched } of newestAccountsOf(blockSets).list) this.#accounts.add(touched.account)
    this.#range = range
  }
}

export type CommitOptions = {
  readonly side: Side
  readonly lease: Pick<Lease, 'guard'>
  readonly now: Date
  readonly cache: CommitCache
  /** The write of the previous batch, if in progress: the index state is final when it has ended. */
  readonly before?: Promise<unknown> | undefined
  readonly classify?: ClassifyCommitted | undefined
  /** Those of the batch are among them. */
  readonly partitions: PartitionMap
}

/** Classifies the traces that a batch has finished, inside its transaction, if that should happen at once. */
export type ClassifyCommitted = (client: pg.ClientBase, batch: IndexBatch) => Promise<void>

/**
 * Writes a batch inside a transaction: rows, traces, latest states and the covered range become visible together. Throws if it
 * does not fit the index; then the transaction must be rolled back.
 */
const commitBatch = async (
  client: pg.ClientBase,
  batch: IndexBatch,
  { side, lease, now, cache, before, classify, partitions }: CommitOptions,
): Promise<Committed> => {
  const onCluster = isDistributed(client)
  await client.query([...(onCluster ? [] : [ASYNCHRONOUS]), ...PLANNING].join('; '))
  if (before !== undefined) {
    await client.query(markWriterStatement)
    await copyBlockSets(client, batch, now)
    await before
  }
  await client.query(lockIndexStatement)
  const state = await findIndexState(client)
  if (state === undefined) throw new StaleIndexError('The database has no index state.')
  const position = locateBatch(batch, await readRanges(client), side, state.retainedFrom)
  expectNeighbours(batch, position)
  const { firstSeqno, lastSeqno, below, above } = position
  cache.checkAgainst(below, above)
  const lowerEdge = await checkContinuity(client, batch, position)

  await changeTraces(client, batch)
  if (before === undefined) await copyBlockSets(client, batch, now)
  const known = onCluster ? await copyRoutedTraces(client, batch) : undefined
  await copyLongTraces(client, batch.linked.finished, known)
  const contents = cache.contents.select(batch.blockSets, partitions)
  await copyContents(client, contents)
  const accounts = listAccountRows(batch, cache.accountsNewerThan(position))
  if (accounts.length > 0) await upsertNewest(client, 'latest_account_states', accounts)
  await upsertContracts(client, batch.inspected)
  if (side === 'above') await classify?.(client, batch)

  const range: CoveredRange = {
    firstSeqno: below?.firstSeqno ?? firstSeqno,
    lastSeqno: above?.lastSeqno ?? lastSeqno,
    lowerEdge,
  }
  await writeRange(client, range)
  await sendNotification(client, indexedChannel, `${firstSeqno}-${lastSeqno}`)
  await lease.guard(client)
  return { range, contents }
}

/**
 * A commit does not wait for the disk. After a crash of the server the last batches, up to a second of them, are missing as a whole, with
 * their range and all that was committed after them, and are indexed again. On a cluster commits are durable.
 */
const ASYNCHRONOUS = 'SET LOCAL synchronous_commit TO off'

/**
 * Index scans are forced, whatever the server's statistics of tables that were never analysed. What cannot be scanned otherwise, like a
 * temporary table, then counts as very costly: a server that compiles costly statements would take longer for that than for the rest.
 */
const PLANNING = [
  'SET LOCAL jit TO off',
  'SET LOCAL enable_hashjoin TO off',
  'SET LOCAL enable_mergejoin TO off',
  'SET LOCAL enable_seqscan TO off',
  // Silences the notice for a temporary table that exists already.
  'SET LOCAL client_min_messages TO warning',
]

export type IndexWriterOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly lease: Pick<Lease, 'guard'>
  /** Masterchain blocks of a partition at most. */
  readonly partitionWidth: number
  readonly classify?: ClassifyCommitted | undefined
}

/** Adds blocks to the index. Created for a lease, and valid as long; batches come in order. */
export class IndexWriter {
  readonly #options: IndexWriterOptions
  readonly #cache = new CommitCache()
  #partitions: PartitionMap | undefined
  #underWay: Promise<unknown> | undefined
  /** Whether a commit may have been cut off between the workers of a cluster. */
  #isUnsure = true

  constructor(options: IndexWriterOptions) {
    this.#options = options
  }

  /**
   * Writes a batch atomically and returns the range that contains it. While the previous batch is being written, rows that depend
   * on nothing are sent in parallel, and the rest afterwards. A failure may come after the commit, if the connection broke: a
   * retry has to check the covered ranges first.
   */
  commit(batch: IndexBatch, side: Side, now: Date = new Date()): Promise<CoveredRange> {
    const written = this.#write(batch, side, now, this.#underWay)
    const underWay = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#underWay === underWay) this.#underWay = undefined
      })
    this.#underWay = underWay
    return written
  }

  async #write(batch: IndexBatch, side: Side, now: Date, before: Promise<unknown> | undefined): Promise<CoveredRange> {
    const { database, lease, classify } = this.#options
    const cache = this.#cache
    let committed: Committed
    try {
      await this.#endCutCommits()
      const partitions = await this.#ensurePartitions(batch)
      committed = await database.transaction((client) =>
        commitBatch(client, batch, { side, lease, now, cache, before, classify, partitions }),
      )
    } catch (error) {
      this.forget()
      this.#isUnsure = true
      throw error
    }
    cache.keep(batch, committed)
    return committed.range
  }

  /** Those that are known; `undefined` before a commit and after {@link forget}. */
  get partitions(): PartitionMap | undefined {
    return this.#partitions
  }

  /** Clears the cache. Call it when another process has changed the index, for example by a rewind. */
  forget(): void {
    this.#cache.forget()
    this.#partitions = undefined
  }

  /** A worker that was lost during a commit has rows that nobody sees until the cluster ends the commit there, a minute later. */
  async #endCutCommits(): Promise<void> {
    if (!this.#isUnsure) return
    await this.#options.database.transaction(async (client) => {
      if (isDistributed(client)) await client.query('SELECT recover_prepared_transactions()')
    })
    this.#isUnsure = false
  }

  async #ensurePartitions({ blockSets }: IndexBatch): Promise<PartitionMap> {
    const { database, partitionWidth } = this.#options
    const known = this.#partitions
    const missing = blockSets.map(({ seqno }) => seqno).filter((seqno) => known?.find(seqno) === undefined)
    if (known !== undefined && missing.length === 0) return known
    const partitions = await ensurePartitions(database, missing, partitionWidth)
    this.#partitions = partitions
    return partitions
  }
}

import type pg from 'pg'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import type { Database } from '../../store/connect/Database.ts'
import { indexedChannel, sendHint } from '../../store/connect/notifications.ts'
import { partitionStart } from '../../store/schema/tables.ts'
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
import { copyContents, copyUnits, KnownContents, type NewContents } from './copyBatch.ts'
import { type BatchPlace, expectNeighbours, placeBatch, type Side, StaleIndexError } from './indexState.ts'
import { changeTraces, copyLongTraces } from './traces.ts'

const MAX_ACCOUNT_BITS = 18

/** What a batch left behind, to be remembered once it is there for good. */
type Committed = {
  /** The range that the batch is part of now. */
  readonly range: CoveredRange
  readonly contents: readonly NewContents[]
}

/**
 * What is known to be in the database without asking, because it was written here. It is believed only as long as the range that
 * was written last is still as it was: a server that crashed may have lost it, and all that was written since.
 */
class CommitMemory {
  readonly contents = new KnownContents()
  /** Accounts with a state from the range, or from above it. */
  readonly #accounts = new KeySet(ADDRESS_KEY_BYTES, MAX_ACCOUNT_BITS)
  #range: CoveredRange | undefined

  forget(): void {
    this.contents.clear()
    this.#accounts.clear()
    this.#range = undefined
  }

  /** Forgets everything unless one of the ranges that a batch touches is the one that was written last. */
  checkAgainst(...touched: readonly (CoveredRange | undefined)[]): void {
    const last = this.#range
    const isThere = touched.some(
      (range) => last !== undefined && range?.firstSeqno === last.firstSeqno && range.lastSeqno === last.lastSeqno,
    )
    if (!isThere) this.forget()
  }

  /** Accounts of which something newer is there than a batch can have: those seen above it. */
  accountsNewerThan({ above }: BatchPlace): KeySet | undefined {
    return above !== undefined && above.firstSeqno === this.#range?.firstSeqno ? this.#accounts : undefined
  }

  /** To be told when the transaction has been committed. */
  keep({ units }: Pick<IndexBatch, 'units'>, { range, contents }: Committed): void {
    this.contents.add(contents)
    for (const { touched } of newestAccountsOf(units).list) this.#accounts.add(touched.account)
    this.#range = range
  }
}

export type CommitOptions = {
  readonly side: Side
  readonly lease: Pick<Lease, 'guard'>
  readonly now: Date
  readonly memory: CommitMemory
  /** The write of the batch before, where that is under way: what others know of the index is true when it has ended. */
  readonly before?: Promise<unknown> | undefined
  readonly classify?: ClassifyCommitted | undefined
}

/** Says what happened in the traces that a batch has finished, inside its transaction, where there is reason to do so at once. */
export type ClassifyCommitted = (client: pg.ClientBase, batch: IndexBatch) => Promise<void>

/**
 * Writes a batch, inside a transaction: the rows, the traces, the newest states, and the covered range, which all become
 * visible together. Throws where it does not go with what is there; then the transaction is to be undone.
 */
const commitBatch = async (
  client: pg.ClientBase,
  batch: IndexBatch,
  { side, lease, now, memory, before, classify }: CommitOptions,
): Promise<Committed> => {
  await client.query(settingsOf(side))
  if (before !== undefined) {
    await client.query(markWriterStatement)
    await copyUnits(client, batch, now)
    await before
  }
  await client.query(lockIndexStatement)
  const state = await findIndexState(client)
  if (state === undefined) throw new StaleIndexError('The database does not say what it is an index of.')
  const place = placeBatch(batch, await readRanges(client), side, state.retainedFrom)
  expectNeighbours(batch, place)
  const { firstSeqno, lastSeqno, below, above } = place
  memory.checkAgainst(below, above)
  const lowerEdge = await checkContinuity(client, batch, place)

  await changeTraces(client, batch)
  if (before === undefined) await copyUnits(client, batch, now)
  await copyLongTraces(client, batch.linked.finished)
  const contents = memory.contents.select(batch.units, state.partitionWidth)
  await copyContents(client, contents)
  const accounts = listAccountRows(batch, memory.accountsNewerThan(place))
  if (accounts.length > 0) await upsertNewest(client, 'latest_account_states', accounts)
  await upsertContracts(client, batch.inspected)
  if (side === 'above') await classify?.(client, batch)

  const range: CoveredRange = {
    firstSeqno: below?.firstSeqno ?? firstSeqno,
    lastSeqno: above?.lastSeqno ?? lastSeqno,
    lowerEdge,
  }
  await writeRange(client, range)
  await sendHint(client, indexedChannel, `${firstSeqno}-${lastSeqno}`)
  await lease.guard(client)
  return { range, contents }
}

/**
 * History need not be on disk when a batch of it is done: after a crash of the server the last batches are gone as a whole, their
 * range with them, and are indexed again. What is new is on disk before anybody is told.
 *
 * Rows are found by index, whatever the server believes of tables that it has never looked at.
 */
const settingsOf = (side: Side): string =>
  [
    `SET LOCAL synchronous_commit TO ${side === 'above' ? 'on' : 'off'}`,
    'SET LOCAL enable_hashjoin TO off',
    'SET LOCAL enable_mergejoin TO off',
    'SET LOCAL enable_seqscan TO off',
    // It tells of every table of the session that is there already.
    'SET LOCAL client_min_messages TO warning',
  ].join('; ')

export type IndexWriterOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly lease: Pick<Lease, 'guard'>
  readonly partitionWidth: number
  readonly classify?: ClassifyCommitted | undefined
}

/** The only one who adds blocks to the index. It is made for a lease and lasts as long; batches come in order. */
export class IndexWriter {
  readonly #options: IndexWriterOptions
  readonly #memory = new CommitMemory()
  readonly #partitions = new Set<number>()
  #underWay: Promise<unknown> | undefined

  constructor(options: IndexWriterOptions) {
    this.#options = options
  }

  /**
   * Writes a batch whole or not at all, and returns the range that it is part of now. Where the one before is still being written,
   * the rows that depend on nothing go to the server beside it, and the rest when it is done. A failure may have come after the batch
   * was written, when the connection broke: whoever tries again looks at the covered ranges first.
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
    const memory = this.#memory
    let committed: Committed
    try {
      await this.#ensurePartitions(batch)
      committed = await database.transaction((client) =>
        commitBatch(client, batch, { side, lease, now, memory, before, classify }),
      )
    } catch (error) {
      this.forget()
      throw error
    }
    memory.keep(batch, committed)
    return committed.range
  }

  /** Forgets what it believes to be there. To be called when somebody else has changed the index: after a rewind, for one. */
  forget(): void {
    this.#memory.forget()
    this.#partitions.clear()
  }

  async #ensurePartitions({ units }: IndexBatch): Promise<void> {
    const { database, partitionWidth } = this.#options
    const starts = new Set(units.map(({ seqno }) => partitionStart(seqno, partitionWidth)))
    const missing = [...starts].filter((start) => !this.#partitions.has(start))
    if (missing.length === 0) return
    await ensurePartitions(database, missing, partitionWidth)
    for (const start of missing) this.#partitions.add(start)
  }
}

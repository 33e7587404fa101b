import type pg from 'pg'
import type { Lease } from '../../store/lease/Lease.ts'
import { indexedChannel } from '../../store/notify/indexedChannel.ts'
import { sendHint } from '../../store/notify/sendHint.ts'
import { type CoveredRange, readRanges, writeRange } from '../../store/ranges/coveredRanges.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import { lockIndexStatement, markWriterStatement } from '../../store/writer/lockIndex.ts'
import { upsertNewest } from '../../store/writer/upsertRows.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { listAccountRows } from './accountRows.ts'
import type { CommitMemory, Committed } from './CommitMemory.ts'
import { changeTraces } from './changeTraces.ts'
import { checkContinuity } from './checkContinuity.ts'
import { copyLongTraces } from './copyLongTraces.ts'
import { copyContents, copyUnits } from './copyUnits.ts'
import { StaleIndexError } from './errors.ts'
import { expectNeighbours, placeBatch, type Side } from './placeBatch.ts'
import { upsertContracts } from './upsertContracts.ts'

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
export const commitBatch = async (
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

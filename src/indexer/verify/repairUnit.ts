import type pg from 'pg'
import type { Database } from '../../store/connect/Database.ts'
import { copyChunks } from '../../store/copy/copyChunks.ts'
import { copyRows } from '../../store/copy/copyRows.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { type CoveredRange, readRanges } from '../../store/ranges/coveredRanges.ts'
import { tables } from '../../store/tables.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import { lockIndex } from '../../store/writer/lockIndex.ts'
import { copyContents } from '../commit/copyUnits.ts'
import { encodeLookups } from '../commit/encodeLookups.ts'
import { BatchOutOfPlaceError } from '../commit/errors.ts'
import { gatherRows } from '../commit/gatherRows.ts'
import { KnownContents } from '../commit/NewContents.ts'
import { type DecodedUnit, MESSAGE_KIND } from '../DecodedUnit.ts'
import { fillTraceIds } from './fillTraceIds.ts'
import { ltWindow } from './ltWindow.ts'

const HASH_BYTES = 32

/**
 * Puts what the source has of a covered masterchain block (see createUnitReader) in place of what is there, in one transaction. Its transactions keep the
 * traces that they, or those before and after them, are part of. What is not a part of the blocks themselves is left alone: traces
 * and their numbers, token events, accounts and contracts; a rewind and indexing anew mend those.
 */
export const repairUnit = (
  database: Pick<Database, 'transaction'>,
  unit: DecodedUnit,
  lease: Pick<Lease, 'guard'>,
): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    await client.query('SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off')
    const { seqno, blocks } = unit
    const state = await findIndexState(client)
    const range = (await readRanges(client)).find((it) => it.firstSeqno <= seqno && it.lastSeqno >= seqno)
    if (state === undefined || range === undefined) {
      throw new BatchOutOfPlaceError(`Masterchain block ${seqno} is not covered, so there is nothing to repair.`)
    }
    const traceIds = await deleteUnit(client, unit)
    await copyRows(client, 'indexed_blocks', [
      {
        mc_seqno: seqno,
        gen_utime: unit.genUtime,
        tx_count: unit.transactions.count,
        committed_at: new Date(),
        digest: unit.digest,
      },
    ])
    await copyRows(client, 'blocks', blocks)
    await copyRows(client, 'shard_tops', unit.shardTops)
    await copyTransactions(client, unit, traceIds)
    await copyMessages(client, unit, range)
    await fillTraceIds(client, seqno, ltWindow(blocks))
    await replaceContents(client, unit, state.partitionWidth)
    await lease.guard(client)
  })

/** Takes out the rows of a unit. Returns the trace ids that its transactions had, by their hashes. */
const deleteUnit = async (
  client: pg.ClientBase,
  { seqno, blocks }: DecodedUnit,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const window = [seqno, ...ltWindow(blocks)]
  const { rows } = await client.query<{ hash: Buffer; trace_id: Uint8Array }>(
    'DELETE FROM transactions WHERE mc_seqno = $1 AND lt BETWEEN $2 AND $3 RETURNING hash, trace_id',
    window,
  )
  await client.query('DELETE FROM unreceived_messages WHERE mc_seqno = $1 AND created_lt BETWEEN $2 AND $3', window)
  for (const table of ['indexed_blocks', 'blocks', 'shard_tops', 'transaction_lookup']) {
    await client.query(`DELETE FROM ${table} WHERE mc_seqno = $1`, [seqno])
  }
  return new Map(rows.map(({ hash, trace_id }) => [hash.toString('latin1'), trace_id]))
}

const copyTransactions = async (
  client: pg.ClientBase,
  unit: DecodedUnit,
  traceIds: ReadonlyMap<string, Uint8Array>,
): Promise<void> => {
  const { count, hashes, rows } = unit.transactions
  if (count === 0) return
  const bytes = rows.bytes.slice()
  const all = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength)
  for (let k = 0; k < count; k++) {
    const known = traceIds.get(all.toString('latin1', k * HASH_BYTES, (k + 1) * HASH_BYTES))
    if (known !== undefined) bytes.set(known, rows.ends[k]! - HASH_BYTES)
  }
  await copyChunks(client, 'transactions', Object.keys(tables.transactions), [bytes])
  await copyChunks(client, 'transaction_lookup', Object.keys(tables.transaction_lookup), [encodeLookups(unit)])
}

/** Writes the messages that nobody received, and takes out those that were received here. */
const copyMessages = async (client: pg.ClientBase, unit: DecodedUnit, range: CoveredRange): Promise<void> => {
  const { transactions, messages } = unit
  const hashAt = (hashes: Uint8Array, k: number): Uint8Array => hashes.subarray(k * HASH_BYTES, (k + 1) * HASH_BYTES)
  const received = Array.from({ length: transactions.count }, (_, k) => k)
    .filter((k) => transactions.inKinds[k] === MESSAGE_KIND.internal)
    .map((k) => hashAt(transactions.inHashes, k))
  await client.query('DELETE FROM unreceived_messages WHERE hash = ANY ($1::bytea[]) AND mc_seqno BETWEEN $2 AND $3', [
    received,
    range.firstSeqno,
    range.lastSeqno,
  ])
  const { rows } = await client.query<{ in_hash: Buffer }>(
    'SELECT in_hash FROM transactions WHERE in_hash = ANY ($1::bytea[]) AND mc_seqno BETWEEN $2 AND $3',
    [Array.from({ length: messages.count }, (_, k) => hashAt(messages.hashes, k)), range.firstSeqno, range.lastSeqno],
  )
  const arrived = new Set(rows.map(({ in_hash }) => in_hash.toString('latin1')))
  const unreceived = Array.from({ length: messages.count }, (_, k) => k).filter(
    (k) => !arrived.has(Buffer.from(hashAt(messages.hashes, k)).toString('latin1')),
  )
  if (unreceived.length === 0) return
  const chunks = [gatherRows(messages.rows, unreceived)]
  await copyChunks(client, 'unreceived_messages', Object.keys(tables.unreceived_messages), chunks)
}

/** What is there may be damaged, so it is written anew. Others may have the same in their partitions. */
const replaceContents = async (client: pg.ClientBase, unit: DecodedUnit, width: number): Promise<void> => {
  const selected = new KnownContents().select([unit], width)
  const { count, hashes } = unit.contents
  for (const { start } of selected) {
    await client.query('DELETE FROM message_contents WHERE mc_seqno = $1 AND hash = ANY ($2::bytea[])', [
      start,
      Array.from({ length: count }, (_, k) => hashes.subarray(k * HASH_BYTES, (k + 1) * HASH_BYTES)),
    ])
  }
  await copyContents(client, selected)
}

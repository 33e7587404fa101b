import type pg from 'pg'
import type { Database } from '../../store/connect/Database.ts'
import { isDistributed } from '../../store/distributed/engine.ts'
import { STORED_MESSAGE_KIND } from '../../store/schema/codes.ts'
import { idParts, isAnyId, isId } from '../../store/schema/idParts.ts'
import type { PartitionMap } from '../../store/schema/PartitionMap.ts'
import { tables } from '../../store/schema/tables.ts'
import { copyChunks, copyRows } from '../../store/writer/copyRows.ts'
import { type CoveredRange, findIndexState, lockIndex, readRanges } from '../../store/writer/indexState.ts'
import type { Lease } from '../../store/writer/lease.ts'
import { readPartitionMap } from '../../store/writer/partitions.ts'
import { type DecodedBlockSet, MESSAGE_KIND } from '../blockSets.ts'
import { ContentCache, copyContents, copyLookups, gatherRows } from '../commit/copyBatch.ts'
import { BatchPositionError } from '../commit/indexState.ts'
import { fillFromDistributed } from './distributedTraceIds.ts'
import { ltWindow } from './storedRows.ts'

const NO_TRACE_ID = new Uint8Array(32)
// The maximum of the column out_count.
const MAX_SENT = 32_767

/** `s` sent the message that `t` received. */
const isSender = `s.account = t.in_source AND s.lt < t.in_created_lt AND s.lt >= t.in_created_lt - ${MAX_SENT}
  AND s.lt + s.out_count >= t.in_created_lt AND t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal}`

const fromSenders = `UPDATE transactions t SET trace_id = s.trace_id FROM transactions s
  WHERE t.mc_seqno = $1 AND ${isId('t.trace_id', '$2::bytea')} AND s.trace_id <> $2 AND ${isSender}`

const fromReceivers = `UPDATE transactions s SET trace_id = t.trace_id FROM transactions t
  WHERE s.mc_seqno = $1 AND ${isId('s.trace_id', '$2::bytea')} AND t.trace_id <> $2 AND ${isSender}`

/**
 * Fills missing trace ids of a masterchain block's transactions, from their senders or receivers; a transaction without any
 * starts a trace.
 */
const fillTraceIds = async (
  client: pg.ClientBase,
  seqno: number,
  [lowest, highest]: readonly [bigint, bigint],
): Promise<void> => {
  const run = async (statement: string): Promise<number> =>
    (await client.query(statement, [seqno, NO_TRACE_ID])).rowCount ?? 0
  await run(`UPDATE transactions t SET trace_id = t.hash
    WHERE t.mc_seqno = $1 AND ${isId('t.trace_id', '$2::bytea')} AND t.in_bits & 7 <> ${STORED_MESSAGE_KIND.internal}`)
  const [senders, receivers] = isDistributed(client)
    ? (['senders', 'receivers'] as const).map(
        (side) => () => fillFromDistributed(client, side, seqno, NO_TRACE_ID, MAX_SENT),
      )
    : [fromSenders, fromReceivers].map((statement) => () => run(statement))
  while ((await senders!()) + (await receivers!()) > 0);
  // For the rest no sender is known: the first starts a trace, the others follow from it.
  while ((await run(beginFirst)) > 0) while ((await senders!()) > 0);
  await client.query(
    `UPDATE unreceived_messages u SET trace_id = s.trace_id FROM transactions s
     WHERE u.mc_seqno = $1 AND u.created_lt BETWEEN $2 AND $3 AND s.mc_seqno = $1 AND s.account = u.account
       AND s.lt < u.created_lt AND s.lt + s.out_count >= u.created_lt`,
    [seqno, lowest, highest],
  )
}

const beginFirst = `UPDATE transactions SET trace_id = hash WHERE mc_seqno = $1 AND ${isId('trace_id', '$2::bytea')}
  AND lt = (SELECT min(lt) FROM transactions WHERE mc_seqno = $1 AND ${isId('trace_id', '$2::bytea')})`

const HASH_BYTES = 32

/**
 * Replaces the rows of a covered masterchain block by those of the source (see createBlockSetReader), in one transaction.
 * Transactions keep their traces. Derived rows are left alone: traces and their counts, token events, accounts and contracts;
 * rewinding and indexing again repairs those.
 */
export const repairBlockSet = (
  database: Pick<Database, 'transaction'>,
  blockSet: DecodedBlockSet,
  lease: Pick<Lease, 'guard'>,
): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    await client.query('SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off')
    const { seqno, blocks } = blockSet
    const state = await findIndexState(client)
    const range = (await readRanges(client)).find((it) => it.firstSeqno <= seqno && it.lastSeqno >= seqno)
    if (state === undefined || range === undefined) {
      throw new BatchPositionError(`Masterchain block ${seqno} is not covered, so there is nothing to repair.`)
    }
    const traceIds = await deleteBlockSet(client, blockSet)
    await copyRows(client, 'indexed_blocks', [
      {
        mc_seqno: seqno,
        gen_utime: blockSet.genUtime,
        tx_count: blockSet.transactions.count,
        committed_at: new Date(),
        digest: blockSet.digest,
      },
    ])
    await copyRows(client, 'blocks', blocks)
    await copyRows(client, 'shard_tops', blockSet.shardTops)
    await copyTransactions(client, blockSet, traceIds)
    await copyMessages(client, blockSet, range)
    await fillTraceIds(client, seqno, ltWindow(blocks))
    await replaceContents(client, blockSet, await readPartitionMap(client))
    await lease.guard(client)
  })

/** Deletes the rows of a block set. Returns the trace ids of its transactions by hash. */
const deleteBlockSet = async (
  client: pg.ClientBase,
  { seqno, blocks }: DecodedBlockSet,
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
  blockSet: DecodedBlockSet,
  traceIds: ReadonlyMap<string, Uint8Array>,
): Promise<void> => {
  const { count, hashes, rows } = blockSet.transactions
  if (count === 0) return
  const bytes = rows.bytes.slice()
  const all = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength)
  for (let k = 0; k < count; k++) {
    const known = traceIds.get(all.toString('latin1', k * HASH_BYTES, (k + 1) * HASH_BYTES))
    if (known !== undefined) bytes.set(known, rows.ends[k]! - HASH_BYTES)
  }
  await copyChunks(client, 'transactions', Object.keys(tables.transactions), [bytes])
  await copyLookups(client, [blockSet])
}

/** Writes the unreceived messages, and deletes rows of those received here. */
const copyMessages = async (client: pg.ClientBase, blockSet: DecodedBlockSet, range: CoveredRange): Promise<void> => {
  const { transactions, messages } = blockSet
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

/** Rewrites the contents, since stored ones may be damaged. Other partitions may have their own copies. */
const replaceContents = async (
  client: pg.ClientBase,
  blockSet: DecodedBlockSet,
  partitions: PartitionMap,
): Promise<void> => {
  const selected = new ContentCache().select([blockSet], partitions)
  const { count, hashes } = blockSet.contents
  const each = Array.from({ length: count }, (_, k) => hashes.subarray(k * HASH_BYTES, (k + 1) * HASH_BYTES))
  for (const { start } of selected) {
    await client.query(`DELETE FROM message_contents WHERE mc_seqno = $1 AND ${isAnyId('hash', '$2', '$3')}`, [
      start,
      each,
      idParts(each),
    ])
  }
  await copyContents(client, selected)
}

import type pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { indexedChannel, sendNotification } from '../connect/notifications.ts'
import { isDistributed } from '../distributed/engine.ts'
import { ownedCopies } from '../distributed/ownedTables.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { idParts, isAnyId } from '../schema/idParts.ts'
import { keyTables, partitionedTables, partitionName, tables, webhookTables } from '../schema/tables.ts'
import { findIndexState, lockIndex } from '../writer/indexState.ts'
import type { Lease } from '../writer/lease.ts'
import { dropPartitions, listPartitions } from '../writer/partitions.ts'
import { type NewestWinsTable, newestWins } from '../writer/upsertRows.ts'
import { collectAccountsDistributed, type RewoundRows, restoreMessagesDistributed } from './distributedRewind.ts'

/** A masterchain block, and the least logical time above it, which finds rows much faster than the seqno. */
type RewindPoint = { readonly seqno: number; readonly lt: bigint }

const findRewindPoint = async (client: pg.ClientBase, seqno: number): Promise<RewindPoint> => {
  const { rows } = await client.query<{ lt: bigint | null }>(
    'SELECT min(start_lt) AS lt FROM blocks WHERE mc_seqno > $1',
    [seqno],
  )
  return { seqno, lt: rows[0]?.lt ?? 0n }
}

// Tables that stay: codes are the same in every network, metadata was fetched independently of the index, and API keys
// and webhooks belong to users.
const KEPT: readonly string[] = [
  ...['schema_migrations', 'leases', 'codes', 'address_metadata'],
  ...partitionedTables,
  ...Object.keys(keyTables),
  ...Object.keys(webhookTables),
]

/** Empties the index, so that it can be rebuilt, even for another network. */
export const clearIndex = (database: Pick<Database, 'transaction'>, lease: Pick<Lease, 'guard'>): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    await dropPartitions(
      client,
      (await listPartitions(client)).map(({ name }) => name),
    )
    const emptied = Object.keys(tables).filter((name) => !KEPT.includes(name))
    await client.query(`TRUNCATE ${emptied.join(', ')}`)
    await sendNotification(client, indexedChannel, '0-0')
    await lease.guard(client)
  })

/**
 * Resets accounts touched above a masterchain block to the newest state that their transactions up to it show, and deletes those
 * without any. The rows above the block are still there.
 */
const rewindAccounts = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  const rewound = isDistributed(client)
    ? await collectAccountsDistributed(client, seqno, lt)
    : await collectAccounts(client, seqno, lt)
  await client.query('ANALYZE rewound_accounts')
  await rewindStates(client)
  for (const table of Object.keys(newestWins) as NewestWinsTable[]) {
    if (table !== 'latest_account_states') await rewindContracts(client, table, newestWins[table], rewound)
  }
  if (!isDistributed(client)) return
  for (const { copy } of Object.values(ownedCopies)) await rewindContracts(client, copy, 'address', rewound)
}

const collectAccounts = async (client: pg.ClientBase, seqno: number, lt: bigint): Promise<RewoundRows> => {
  await client.query(
    `CREATE TEMPORARY TABLE rewound_accounts ON COMMIT DROP AS
     SELECT a.account, t.*
     FROM (SELECT DISTINCT account FROM transactions WHERE mc_seqno > $1 AND lt >= $2) a
       LEFT JOIN LATERAL (
         SELECT p.lt, p.now, p.mc_seqno, p.end_status, p.hash, p.state_after, p.balance, p.balance_extra, p.frozen_hash,
           p.data_hash, p.code_hash, p.large
         FROM transactions p WHERE p.account = a.account AND p.mc_seqno <= $1 ORDER BY p.lt DESC LIMIT 1
       ) t ON true`,
    [seqno, lt],
  )
  return { rows: 'rewound_accounts r', values: [] }
}

const rewindStates = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    'DELETE FROM latest_account_states l USING rewound_accounts r WHERE l.account = r.account AND r.lt IS NULL',
  )
  await client.query(
    `UPDATE latest_account_states l SET balance = r.balance, last_lt = r.lt, now = r.now, mc_seqno = r.mc_seqno,
       status = r.end_status, hash = r.state_after, last_hash = r.hash, frozen_hash = r.frozen_hash, data_hash = r.data_hash,
       code_hash = r.code_hash, balance_extra = r.balance_extra,
       large = CASE WHEN r.large ? 'balance' THEN jsonb_set('{}', '{balance}', r.large -> 'balance') END,
       data = CASE WHEN l.data_hash = r.data_hash THEN l.data END
     FROM rewound_accounts r WHERE l.account = r.account AND r.lt IS NOT NULL`,
  )
}

/**
 * Deletes contracts first seen above the block. The others get the logical time of their account, so that newer rows replace
 * them.
 */
const rewindContracts = async (
  client: pg.ClientBase,
  table: keyof typeof tables,
  key: string,
  { rows, values }: RewoundRows,
): Promise<void> => {
  const isSame = `c.${key} = r.account`
  const isNew = 'since_lt' in tables[table] ? 'c.since_lt > r.lt' : 'false'
  await client.query(`DELETE FROM ${table} c USING ${rows} WHERE ${isSame} AND (r.lt IS NULL OR ${isNew})`, values)
  await client.query(`UPDATE ${table} c SET last_lt = r.lt FROM ${rows} WHERE ${isSame} AND r.lt < c.last_lt`, values)
}

const INTERNAL = STORED_MESSAGE_KIND.internal

/** Resets messages and traces to their state after a masterchain block. The rows above the block are still there. */
const rewindTraces = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  if (isDistributed(client)) await restoreMessagesDistributed(client, seqno, lt)
  else await restoreMessages(client, seqno, lt)
  await reopenTraces(client, seqno)
}

/**
 * Messages sent below and received above are pending again. The sender is the last transaction of the source before the message.
 * A message between two ranges still has its row.
 */
const restoreMessages = async (client: pg.ClientBase, seqno: number, lt: bigint): Promise<void> => {
  await client.query(
    `INSERT INTO unreceived_messages (created_lt, value, fwd_fee, ihr_fee, created_at, mc_seqno, opcode, bits, account,
       destination, hash, body_hash, init_hash, value_extra, extra_flags, large, trace_id)
     SELECT t.in_created_lt, t.in_value, t.in_fwd_fee, t.in_ihr_fee, t.in_created_at, s.mc_seqno, t.in_opcode, t.in_bits,
       t.in_source, t.account, t.in_hash, t.in_body_hash, t.in_init_hash, t.in_value_extra, t.in_extra_flags,
       (SELECT jsonb_object_agg(substr(key, 4), value) FROM jsonb_each(t.large) WHERE key LIKE 'in\\_%'), s.trace_id
     FROM transactions t CROSS JOIN LATERAL (
         SELECT lt, out_count, mc_seqno, trace_id FROM transactions
         WHERE account = t.in_source AND lt < t.in_created_lt AND mc_seqno <= $1 ORDER BY lt DESC LIMIT 1
       ) s
     WHERE t.mc_seqno > $1 AND t.lt >= $2 AND t.in_bits & 7 = ${INTERNAL} AND s.lt + s.out_count >= t.in_created_lt
     ON CONFLICT DO NOTHING`,
    [seqno, lt],
  )
}

/**
 * Resets traces that continued above. Their counts are computed as linking does: one message for each transaction that received
 * one, except the first of an orphan, and one for each external-out message.
 */
const reopenTraces = async (client: pg.ClientBase, seqno: number): Promise<void> => {
  const { rows } = await client.query<ReopenedTrace>(
    `DELETE FROM open_traces WHERE mc_seqno_end > $1
     RETURNING trace_id, mc_seqno_start, start_lt, start_utime, orphan_hash`,
    [seqno],
  )
  const { rows: finished } = await client.query<ReopenedTrace>(
    `SELECT trace_id, mc_seqno_start, start_lt, start_utime, NULL::bytea AS orphan_hash
     FROM traces WHERE mc_seqno > $1`,
    [seqno],
  )
  const reopened = [...rows, ...finished].filter(({ mc_seqno_start }) => mc_seqno_start <= seqno)
  for (let at = 0; at < reopened.length; at += CHUNK) await insertOpen(client, seqno, reopened.slice(at, at + CHUNK))
}

const CHUNK = 1000

type ReopenedTrace = {
  readonly trace_id: Uint8Array
  readonly mc_seqno_start: number
  readonly start_lt: bigint
  readonly start_utime: number
  readonly orphan_hash: Uint8Array | null
}

const insertOpen = async (client: pg.ClientBase, seqno: number, traces: readonly ReopenedTrace[]): Promise<void> => {
  await client.query(
    `INSERT INTO open_traces (start_lt, end_lt, mc_seqno_start, mc_seqno_end, start_utime, end_utime, transactions, messages,
       pending, trace_id, orphan_hash)
     SELECT r.start_lt, t.end_lt, r.mc_seqno_start, t.mc_seqno_end, r.start_utime, t.end_utime, t.transactions,
       t.received - (r.orphan_hash IS NOT NULL)::int + coalesce(m.gone, 0), coalesce(m.pending, 0),
       r.trace_id, r.orphan_hash
     FROM unnest($2::bytea[], $3::bigint[], $4::int[], $5::int[], $6::bytea[])
         AS r (trace_id, start_lt, mc_seqno_start, start_utime, orphan_hash)
       JOIN (
         SELECT trace_id, max(lt) AS end_lt, max(mc_seqno) AS mc_seqno_end, max(now) AS end_utime,
           count(*)::int AS transactions, count(in_hash)::int AS received
         FROM transactions WHERE ${isAnyId('trace_id', '$2', '$7')} AND mc_seqno <= $1 GROUP BY trace_id
       ) t ON t.trace_id = r.trace_id
       LEFT JOIN (
         SELECT u.trace_id, count(*) FILTER (WHERE ${IS_UNDER_WAY})::int AS pending,
           count(*) FILTER (WHERE NOT (${IS_UNDER_WAY}))::int AS gone
         FROM unreceived_messages u, index_state s
         WHERE u.trace_id = ANY ($2::bytea[]) AND u.mc_seqno <= $1 GROUP BY u.trace_id
       ) m ON m.trace_id = r.trace_id`,
    [
      seqno,
      traces.map((trace) => trace.trace_id),
      traces.map((trace) => trace.start_lt),
      traces.map((trace) => trace.mc_seqno_start),
      traces.map((trace) => trace.start_utime),
      traces.map((trace) => trace.orphan_hash),
      idParts(traces.map((trace) => trace.trace_id)),
    ],
  )
}

/** Messages to accounts that are not watched never arrive here. */
const IS_UNDER_WAY = `u.bits & 7 = ${INTERNAL} AND (s.watched_accounts IS NULL OR coalesce(u.destination = ANY (s.watched_accounts), false))`

/**
 * Removes everything above a masterchain block in one transaction; the covered ranges end there. Afterwards the writer clears its
 * caches and reloads the index state. Older account states cannot always be restored. Until the blocks are indexed again, an
 * account touched above has its balance, status and hashes of the block, but unknown data unless it is unchanged; a contract
 * touched above keeps its latest description, whose `data_hash` then differs from the account's. Bodies and codes stay, since
 * other rows may use them.
 */
export const rewindIndex = (
  database: Pick<Database, 'transaction'>,
  seqno: number,
  lease: Pick<Lease, 'guard'>,
): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    // Forces index scans, whatever the server's statistics of tables that were never analysed.
    await client.query('SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off')
    if ((await findIndexState(client)) === undefined) return
    const point = await findRewindPoint(client, seqno)
    await rewindTraces(client, point)
    await rewindAccounts(client, point)
    await deleteAbove(client, point)
    await client.query('DELETE FROM covered_ranges WHERE first_seqno > $1', [seqno])
    await client.query('UPDATE covered_ranges SET last_seqno = $1 WHERE last_seqno > $1', [seqno])
    await sendNotification(client, indexedChannel, `${seqno}-${seqno}`)
    await lease.guard(client)
  })

/** The logical time columns of rows that are not found by their block. */
const ltColumns: Readonly<Record<Exclude<(typeof partitionedTables)[number], 'message_contents'>, string | undefined>> =
  {
    indexed_blocks: undefined,
    blocks: undefined,
    shard_tops: undefined,
    transactions: 'lt',
    unreceived_messages: 'created_lt',
    traces: undefined,
    jetton_transfers: 'lt',
    jetton_burns: 'lt',
    nft_transfers: 'lt',
    jetton_balances: undefined,
    long_traces: undefined,
    actions: 'trace_end_lt',
    action_accounts: undefined,
  }

/** Bodies stay with their partition: a block below may have them, too. */
const deleteAbove = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  const partitions = await listPartitions(client)
  const above = new Set(partitions.filter(({ start }) => start > seqno).map(({ name }) => name))
  await dropPartitions(client, [...above])
  const lowest = partitions.findLast(({ start }) => start <= seqno)?.start
  if (lowest !== undefined) {
    for (const [table, column] of Object.entries(ltColumns)) {
      const also = column === undefined ? '' : ` AND ${column} >= ${lt}`
      await client.query(`DELETE FROM ${partitionName(table, lowest)} WHERE mc_seqno > $1${also}`, [seqno])
    }
  }
  await client.query('DELETE FROM transaction_lookup WHERE mc_seqno > $1', [seqno])
  await client.query('DELETE FROM unclassified_blocks WHERE mc_seqno > $1', [seqno])
}

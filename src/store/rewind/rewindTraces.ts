import type pg from 'pg'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { RewindPoint } from './RewindPoint.ts'

const INTERNAL = STORED_MESSAGE_KIND.internal

/** Makes messages and traces what they were after a masterchain block. The rows of what came above are still there. */
export const rewindTraces = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  await restoreMessages(client, seqno, lt)
  await reopenTraces(client, seqno)
}

/**
 * Messages from below that were received above are under way again. Who sent one is the last transaction of its source before it. One between two ranges has its row still.
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
 * Traces that went on above are as far as they were. What they consist of is counted anew, as linking counts it: a message for
 * every transaction that received one, save the first of an orphan, and for every one that left.
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
         FROM transactions WHERE trace_id = ANY ($2::bytea[]) AND mc_seqno <= $1 GROUP BY trace_id
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
    ],
  )
}

/** Those to accounts that are not watched are with nobody here. */
const IS_UNDER_WAY = `u.bits & 7 = ${INTERNAL} AND (s.watched_accounts IS NULL OR coalesce(u.destination = ANY (s.watched_accounts), false))`

import type pg from 'pg'
import { STORED_MESSAGE_KIND } from '../../store/codes/messageBits.ts'

const NO_TRACE_ID = new Uint8Array(32)
// As many as the column out_count can tell.
const MAX_SENT = 32_767

/** `s` sent the message that `t` received. */
const isSender = `s.account = t.in_source AND s.lt < t.in_created_lt AND s.lt >= t.in_created_lt - ${MAX_SENT}
  AND s.lt + s.out_count >= t.in_created_lt AND t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal}`

const fromSenders = `UPDATE transactions t SET trace_id = s.trace_id FROM transactions s
  WHERE t.mc_seqno = $1 AND t.trace_id = $2 AND s.trace_id <> $2 AND ${isSender}`

const fromReceivers = `UPDATE transactions s SET trace_id = t.trace_id FROM transactions t
  WHERE s.mc_seqno = $1 AND s.trace_id = $2 AND t.trace_id <> $2 AND ${isSender}`

/**
 * Gives transactions of a masterchain block that have no trace id yet that of those whose messages they received or who received
 * theirs; who comes first begins a trace.
 */
export const fillTraceIds = async (
  client: pg.ClientBase,
  seqno: number,
  [lowest, highest]: readonly [bigint, bigint],
): Promise<void> => {
  const run = async (statement: string): Promise<number> =>
    (await client.query(statement, [seqno, NO_TRACE_ID])).rowCount ?? 0
  await run(`UPDATE transactions t SET trace_id = t.hash
    WHERE t.mc_seqno = $1 AND t.trace_id = $2 AND t.in_bits & 7 <> ${STORED_MESSAGE_KIND.internal}`)
  while ((await run(fromSenders)) + (await run(fromReceivers)) > 0);
  // Of those that are left, nobody knows who sent what they received: the first begins, the others follow from it.
  while ((await run(beginFirst)) > 0) while ((await run(fromSenders)) > 0);
  await client.query(
    `UPDATE unreceived_messages u SET trace_id = s.trace_id FROM transactions s
     WHERE u.mc_seqno = $1 AND u.created_lt BETWEEN $2 AND $3 AND s.mc_seqno = $1 AND s.account = u.account
       AND s.lt < u.created_lt AND s.lt + s.out_count >= u.created_lt`,
    [seqno, lowest, highest],
  )
}

const beginFirst = `UPDATE transactions SET trace_id = hash WHERE mc_seqno = $1 AND trace_id = $2
  AND lt = (SELECT min(lt) FROM transactions WHERE mc_seqno = $1 AND trace_id = $2)`

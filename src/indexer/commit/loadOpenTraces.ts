import type pg from 'pg'
import { STORED_MESSAGE_KIND } from '../../store/codes/messageBits.ts'
import type { Tables } from '../../store/tables.ts'
import type { OpenMessage, OpenTraces } from '../OpenTraces.ts'
import { toOpenTrace } from './traceRows.ts'

/**
 * The traces that have messages under way at the end of a covered range, or begin unknown in it, with those messages. Where a
 * batch joins two ranges, it needs those of both: of all from the beginning of the lower to the end of the upper one.
 */
export const loadOpenTraces = async (
  client: pg.ClientBase,
  { firstSeqno, lastSeqno }: { readonly firstSeqno: number; readonly lastSeqno: number },
): Promise<OpenTraces> => {
  await client.query(
    'SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off; SET LOCAL enable_seqscan TO off',
  )
  const { rows: traces } = await client.query<Tables['open_traces']>(
    'SELECT * FROM open_traces WHERE mc_seqno_end BETWEEN $1 AND $2 ORDER BY start_lt, trace_id',
    [firstSeqno, lastSeqno],
  )
  const { rows: messages } = await client.query<{
    hash: Uint8Array
    trace_id: Uint8Array
    account: Uint8Array
    created_lt: bigint
    mc_seqno: number
  }>(
    `SELECT u.hash, u.trace_id, u.account, u.created_lt, u.mc_seqno
     FROM open_traces o JOIN unreceived_messages u ON u.trace_id = o.trace_id, index_state s
     WHERE o.mc_seqno_end BETWEEN $1 AND $2 AND o.pending > 0 AND u.bits & 7 = ${STORED_MESSAGE_KIND.internal}
       AND (s.watched_accounts IS NULL OR u.destination = ANY (s.watched_accounts))
     ORDER BY u.created_lt, u.account`,
    [firstSeqno, lastSeqno],
  )
  return { traces: traces.map(toOpenTrace), messages: messages.map(toOpenMessage) }
}

const toOpenMessage = (row: {
  hash: Uint8Array
  trace_id: Uint8Array
  account: Uint8Array
  created_lt: bigint
  mc_seqno: number
}): OpenMessage => ({
  hash: row.hash,
  traceId: row.trace_id,
  account: row.account,
  createdLt: row.created_lt,
  seqno: row.mc_seqno,
})

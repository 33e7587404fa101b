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
  const { rows: traces } = await client.query<Tables['open_traces']>(
    'SELECT * FROM open_traces WHERE mc_seqno_end BETWEEN $1 AND $2 ORDER BY start_lt, trace_id',
    [firstSeqno, lastSeqno],
  )
  const pending = traces.filter((trace) => trace.pending > 0)
  const messages: MessageRow[] = []
  for (let at = 0; at < pending.length; at += STEP) {
    const traceIds = pending.slice(at, at + STEP).map(({ trace_id }) => trace_id)
    for (const row of await readMessages(client, traceIds)) messages.push(row)
  }
  return { traces: traces.map(toOpenTrace), messages: messages.map(toOpenMessage) }
}

const STEP = 5000

type MessageRow = Pick<Tables['unreceived_messages'], 'hash' | 'trace_id' | 'account' | 'created_lt' | 'mc_seqno'>

const readMessages = async (client: pg.ClientBase, traceIds: readonly Uint8Array[]): Promise<MessageRow[]> => {
  const { rows } = await client.query<MessageRow>(
    `SELECT u.hash, u.trace_id, u.account, u.created_lt, u.mc_seqno FROM unreceived_messages u, index_state s
     WHERE u.trace_id = ANY ($1::bytea[]) AND u.bits & 7 = ${STORED_MESSAGE_KIND.internal}
       AND (s.watched_accounts IS NULL OR u.destination = ANY (s.watched_accounts))
     ORDER BY u.created_lt, u.account`,
    [traceIds],
  )
  return rows
}

const toOpenMessage = (row: MessageRow): OpenMessage => ({
  hash: row.hash,
  traceId: row.trace_id,
  account: row.account,
  createdLt: row.created_lt,
  seqno: row.mc_seqno,
})

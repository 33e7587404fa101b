import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { copyRows } from '../../store/copy/copyRows.ts'
import { isLongTrace } from '../../store/longTraces.ts'
import type { Trace } from '../OpenTraces.ts'
import { toFinishedRow } from './traceRows.ts'

/** Keeps the traces among these that took long by the accounts that take part in them, whose transactions are all there. */
export const copyLongTraces = async (client: pg.ClientBase, finished: readonly Trace[]): Promise<void> => {
  const long = finished.filter(isLongTrace)
  if (long.length === 0) return
  const { rows } = await client.query<{ trace_id: Uint8Array; account: Uint8Array }>(
    `SELECT DISTINCT trace_id, account FROM transactions
     WHERE trace_id = ANY ($1::bytea[]) AND mc_seqno BETWEEN $2 AND $3`,
    [
      long.map(({ traceId }) => traceId),
      long.reduce((least, { startSeqno }) => Math.min(least, startSeqno), Number.POSITIVE_INFINITY),
      long.reduce((most, { endSeqno }) => Math.max(most, endSeqno), 0),
    ],
  )
  const rowOf = new Map(long.map((trace) => [toHex(trace.traceId), toFinishedRow(trace)]))
  await copyRows(
    client,
    'long_traces',
    rows.map(({ trace_id, account }) => ({ ...rowOf.get(toHex(trace_id))!, account })),
  )
}

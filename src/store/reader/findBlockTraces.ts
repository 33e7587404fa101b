import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export type BlockTrace = { readonly traceId: Uint8Array; readonly startSeqno: number }

export const blockTracesQuery = (mcSeqno: number) =>
  queryBuilder.selectFrom('traces').select(['trace_id', 'mc_seqno_start']).where('mc_seqno', '=', mcSeqno)

/** The traces that ended in a masterchain block. */
export const findBlockTraces = async (reader: Reader, mcSeqno: number): Promise<BlockTrace[]> => {
  const rows = await reader.read(blockTracesQuery(mcSeqno).compile())
  return rows.map(({ trace_id, mc_seqno_start }) => ({ traceId: trace_id, startSeqno: mc_seqno_start }))
}

export const joinedTracesQuery = (account: Uint8Array, traceIds: readonly Uint8Array[], first: number, last: number) =>
  queryBuilder
    .selectFrom('transactions')
    .select('trace_id')
    .where(isAnyOf('trace_id', traceIds))
    .where('account', '=', account)
    .where('mc_seqno', '>=', first)
    .where('mc_seqno', '<=', last)

/** Those of them in which an account has a transaction. */
export const findJoinedTraces = async (reader: Reader, account: Uint8Array, mcSeqno: number): Promise<Uint8Array[]> => {
  const traces = await findBlockTraces(reader, mcSeqno)
  if (traces.length === 0) return []
  const first = traces.reduce((least, { startSeqno }) => Math.min(least, startSeqno), mcSeqno)
  const ids = traces.map(({ traceId }) => traceId)
  const rows = await reader.read(joinedTracesQuery(account, ids, first, mcSeqno).compile())
  return rows.map(({ trace_id }) => trace_id)
}

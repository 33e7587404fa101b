import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'
import type { TraceRecord } from './TraceRecord.ts'
import type { TransactionRow } from './TransactionRecord.ts'

export const traceTransactionsQuery = (traces: readonly TraceRecord[]) =>
  queryBuilder
    .selectFrom('transactions')
    .selectAll()
    .where(
      isAnyOf(
        'trace_id',
        traces.map(({ traceId }) => traceId),
      ),
    )
    // A few partitions have them all.
    .where('mc_seqno', '>=', Math.min(...traces.map(({ startSeqno }) => startSeqno)))
    .where('mc_seqno', '<=', Math.max(...traces.map(({ endSeqno }) => endSeqno)))
    .orderBy('lt', 'asc')
    .orderBy('account', 'asc')

/** The transactions of traces, by logical time and account. Those of blocks that are not kept any more are missing. */
export const findTraceTransactions = async (
  reader: Reader,
  traces: readonly TraceRecord[],
): Promise<TransactionRow[]> => (traces.length === 0 ? [] : reader.read(traceTransactionsQuery(traces).compile()))

import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { rawQuery } from './rawQuery.ts'
import type { TraceRecord } from './TraceRecord.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** A few partitions have them all. */
export const traceTransactionsQuery = (traces: readonly TraceRecord[]): CompiledQuery<TransactionRow> =>
  rawQuery(
    'select * from transactions where trace_id = any($1) and mc_seqno >= $2 and mc_seqno <= $3 order by lt asc, account asc',
    [
      traces.map(({ traceId }) => traceId),
      Math.min(...traces.map(({ startSeqno }) => startSeqno)),
      Math.max(...traces.map(({ endSeqno }) => endSeqno)),
    ],
  )

/** The transactions of traces, by logical time and account. Those of blocks that are not kept any more are missing. */
export const findTraceTransactions = async (
  reader: Reader,
  traces: readonly TraceRecord[],
): Promise<TransactionRow[]> => (traces.length === 0 ? [] : reader.read(traceTransactionsQuery(traces)))

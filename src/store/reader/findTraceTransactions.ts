import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { inLtOrder } from './inLtOrder.ts'
import { keyText } from './keyText.ts'
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

/** The same in any order, and each trace only where it can be: those of one statement may be far from each other. */
export const scatteredTransactionsQuery = (traces: readonly TraceRecord[]): CompiledQuery<TransactionRow> => {
  const firsts = traces.map(({ startSeqno }) => startSeqno)
  const lasts = traces.map(({ endSeqno }) => endSeqno)
  return rawQuery(
    `select t.* from unnest($1::bytea[], $2::integer[], $3::integer[]) as w(trace_id, first_seqno, last_seqno) cross join lateral (
      select * from transactions as t where t.trace_id = w.trace_id and t.mc_seqno >= w.first_seqno and t.mc_seqno <= w.last_seqno
        and t.mc_seqno >= $4 and t.mc_seqno <= $5 offset 0
    ) as t`,
    [traces.map(({ traceId }) => traceId), firsts, lasts, Math.min(...firsts), Math.max(...lasts)],
  )
}

const readScattered = joinReads<TraceRecord, TransactionRow>(
  {
    queryOf: scatteredTransactionsQuery,
    textOf: ({ traceId }) => keyText(traceId),
    textOfRow: ({ trace_id }) => keyText(trace_id),
  },
  { maxKeys: 64 },
)

/** So few transactions are read together with those of others. */
const MAX_SHORT = 64

/** The transactions of traces, by logical time and account. Those of blocks that are not kept any more are missing. */
export const findTraceTransactions = async (
  reader: Reader,
  traces: readonly TraceRecord[],
): Promise<TransactionRow[]> => {
  if (traces.length === 0) return []
  const count = traces.reduce((sum, { transactions }) => sum + transactions, 0)
  if (count > MAX_SHORT) return reader.read(traceTransactionsQuery(traces))
  return (await readScattered(reader, traces)).toSorted(inLtOrder('asc'))
}

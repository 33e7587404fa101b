import type { CopyRow } from '../../store/Table.ts'
import type { Tables, tables } from '../../store/tables.ts'
import type { OpenTrace, Trace } from '../OpenTraces.ts'

type FinishedRow = CopyRow<typeof tables.traces>
type OpenRow = CopyRow<typeof tables.open_traces>

const sharedColumns = (trace: Trace) => ({
  start_lt: trace.startLt,
  end_lt: trace.endLt,
  mc_seqno_start: trace.startSeqno,
  start_utime: trace.startUtime,
  end_utime: trace.endUtime,
  transactions: trace.transactions,
  messages: trace.messages,
  trace_id: trace.traceId,
})

export const toFinishedRow = (trace: Trace): FinishedRow => ({ ...sharedColumns(trace), mc_seqno: trace.endSeqno })

export const toOpenRow = (trace: OpenTrace): OpenRow => ({
  ...sharedColumns(trace),
  mc_seqno_end: trace.endSeqno,
  pending: trace.pending,
  orphan_hash: trace.orphanHash,
})

export const toOpenTrace = (row: Tables['open_traces']): OpenTrace => ({
  startLt: row.start_lt,
  endLt: row.end_lt,
  startSeqno: row.mc_seqno_start,
  endSeqno: row.mc_seqno_end,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  transactions: row.transactions,
  messages: row.messages,
  traceId: row.trace_id,
  pending: row.pending,
  orphanHash: row.orphan_hash ?? undefined,
})

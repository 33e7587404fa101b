import type { AnswerBudget } from '../AnswerBudget.ts'
import type { FoundTrace } from '../hydrate/readFoundTraces.ts'
import { toActionView } from './ActionView.ts'
import { hashText } from './scalars.ts'
import { TOO_LARGE, type TraceView, toTraceParts } from './TraceView.ts'
import { toTransactionView } from './TransactionView.ts'

/** A trace of the index. */
export const toFoundTraceView = async (found: FoundTrace, budget: AnswerBudget): Promise<TraceView> => {
  const { trace, beginning, transactions, actions } = found
  const texts = await budget.writeTexts(transactions ?? [], (record) => toTransactionView(record, budget))
  const around = {
    finality: 'finalized',
    externalHash: beginning?.hash,
    externalHashNorm: beginning?.normalHash,
    withAccounts: false,
    transactionsFull: undefined,
  } as const
  return {
    trace_id: hashText(trace.traceId),
    external_hash: beginning === undefined ? null : hashText(beginning.hash),
    mc_seqno_start: String(trace.startSeqno),
    mc_seqno_end: String(trace.endSeqno),
    start_lt: String(trace.startLt),
    start_utime: trace.startUtime,
    end_lt: String(trace.endLt),
    end_utime: trace.endUtime,
    trace_info: {
      trace_state: 'complete',
      messages: trace.messages,
      transactions: trace.transactions,
      pending_messages: 0,
      classification_state: 'unclassified',
    },
    is_incomplete: transactions === undefined,
    ...(transactions === undefined && { warning: TOO_LARGE }),
    ...(actions !== undefined && { actions: actions.map((action) => toActionView(action, around)) }),
    ...(transactions !== undefined && toTraceParts(transactions, texts)),
  }
}

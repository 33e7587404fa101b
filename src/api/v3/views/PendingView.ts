import type { PendingAction, PendingTrace, PendingTransaction } from '../../../store/reader/pending.ts'
import { inLtOrder, keyText } from '../../../store/reader/TransactionRecord.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { type ActionView, toActionView } from './ActionView.ts'
import { hashText } from './scalars.ts'
import { type TraceView, toTraceParts } from './TraceView.ts'
import { type TransactionView, toTransactionView } from './TransactionView.ts'

const noTrace = new Uint8Array(32)

export const toPendingTransactionView = (
  { traceId, isEmulated, finality, ...record }: PendingTransaction,
  budget: AnswerBudget,
): TransactionView => {
  const { trace_id, ...view } = toTransactionView({ ...record, traceId: traceId ?? noTrace }, budget)
  return { ...view, ...(traceId !== undefined && { trace_id }), emulated: isEmulated, finality }
}

/** By logical time, then account. */
export const inTraceOrder = (transactions: readonly PendingTransaction[]): PendingTransaction[] =>
  transactions.toSorted(inLtOrder('asc'))

export const toPendingActionView = (
  action: PendingAction,
  { externalHash, externalHashNorm }: PendingTrace,
  transactionsFull: readonly TransactionView[] | undefined,
): ActionView =>
  toActionView(action, {
    finality: action.finality,
    externalHash,
    externalHashNorm: keyText(externalHash) === keyText(externalHashNorm) ? undefined : externalHashNorm,
    withAccounts: false,
    transactionsFull,
  })

/** With those of its actions that are to be shown. */
export const toPendingTraceView = async (
  trace: PendingTrace,
  actions: readonly PendingAction[],
  budget: AnswerBudget,
): Promise<TraceView> => {
  const transactions = inTraceOrder(trace.transactions)
  const texts = await budget.writeTexts(transactions, (each) => toPendingTransactionView(each, budget))
  const countSent = (those: readonly PendingTransaction[]): number =>
    those.reduce((sum, { outMessages }) => sum + outMessages.length, 0)
  const nows = transactions.map(({ now }) => now)
  const seqnos = transactions.map(({ mcSeqno }) => mcSeqno)
  return {
    trace_id: trace.traceId === undefined ? null : hashText(trace.traceId),
    external_hash: hashText(trace.externalHash),
    mc_seqno_start: String(transactions[0]?.isEmulated === false ? transactions[0].mcSeqno : 0),
    mc_seqno_end: String(Math.max(0, ...seqnos)),
    start_lt: String(transactions[0]?.lt ?? 0n),
    start_utime: transactions[0]?.now ?? 0,
    end_lt: transactions.length === 0 ? null : String(transactions.at(-1)!.lt),
    end_utime: transactions.length === 0 ? null : Math.max(...nows),
    trace_info: {
      trace_state: 'pending',
      messages: 1 + countSent(transactions),
      transactions: transactions.length,
      pending_messages: countSent(transactions.filter(({ isEmulated }) => isEmulated)),
      classification_state: trace.actions === undefined ? 'unclassified' : 'ok',
    },
    is_incomplete: trace.isIncomplete,
    actions: actions.map((action) => toPendingActionView(action, trace, undefined)),
    ...toTraceParts(transactions, texts),
  }
}

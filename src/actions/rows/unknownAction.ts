import type { TraceInput } from '../trace/TraceInput.ts'
import type { Action } from './Action.ts'

/** What is told of a trace in which nothing was found. */
export const unknownAction = ({ traceId, transactions }: TraceInput): Action => {
  const success = transactions.every(({ aborted }) => !aborted)
  return {
    actionId: traceId,
    parentActionId: undefined,
    ancestorTypes: [],
    type: 'unknown',
    shownType: undefined,
    startLt: transactions[0]!.lt,
    endLt: transactions.at(-1)!.lt,
    startUtime: transactions[0]!.now,
    endUtime: transactions.at(-1)!.now,
    transactions: transactions.map(({ hash }) => hash),
    accounts: [...new Set(transactions.map(({ account }) => account))],
    success,
    details: { error: "unsupported action type: 'unknown'" },
    rawAction: { type: 'unknown', success },
  }
}

import { bytesEqual } from '../../../primitives/bytes.ts'
import type { PendingAction, PendingTrace, PendingTransaction } from '../../../store/reader/pending.ts'
import { keyText } from '../../../store/reader/TransactionRecord.ts'
import { withDefault } from '../../core/Param.ts'
import { isShown, readActionTypes } from '../actionParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { readPending } from '../hydrate/readPending.ts'
import { boolParam } from '../params.ts'
import { pendingParams, readPendingQuestion } from '../pendingParams.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { ActionsView, type ActionView, addressesOfActions } from '../views/ActionView.ts'
import { toPendingActionView, toPendingTransactionView } from '../views/PendingView.ts'
import { addressesOfTransactions } from '../views/TransactionView.ts'

export const pendingActions = v3Endpoint({
  name: 'pendingActions',
  tags: ['actions and traces'],
  summary: 'What will happen in traces that are not in the index yet, the latest first.',
  params: {
    ...pendingParams,
    include_transactions: withDefault(boolParam('Adds the transactions of an action.'), false),
  },
  result: ActionsView,
  errors: ['query_too_costly'],
  async handle(context, params) {
    const { account, include_transactions: withTransactions } = params
    const types = readActionTypes(params, context.options)
    const isWanted = (action: PendingAction): boolean =>
      isShown(types, action) && (account === undefined || action.accounts.some((each) => bytesEqual(each, account)))
    const found = (await readPending(context, readPendingQuestion(params), 'actions')).flatMap((trace) =>
      latestFirst((trace.actions ?? []).filter(isWanted)).map((action) => ({
        trace,
        action,
        transactions: withTransactions ? transactionsOf(trace, action) : undefined,
      })),
    )
    const beside = await hydrate(context, [
      ...addressesOfActions(found.map(({ action }) => action)),
      ...found.flatMap(({ transactions }) => addressesOfTransactions(transactions ?? [])),
    ])
    const { budget } = context
    const actions: ActionView[] = []
    for (const { trace, action, transactions } of found) {
      const full =
        transactions && (await budget.writeRows(transactions, (each) => toPendingTransactionView(each, budget)))
      actions.push(toPendingActionView(action, trace, full))
    }
    return { actions, ...beside }
  },
})

const latestFirst = (actions: readonly PendingAction[]): PendingAction[] =>
  [...actions].sort((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order in which the action names them. */
const transactionsOf = ({ transactions }: PendingTrace, action: PendingAction): PendingTransaction[] => {
  const byHash = new Map(transactions.map((each) => [keyText(each.hash), each]))
  return action.transactions.map((hash) => byHash.get(keyText(hash))).filter((each) => each !== undefined)
}

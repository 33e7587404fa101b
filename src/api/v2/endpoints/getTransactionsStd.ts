import { findCursor, type History, historyParams, readHistory, recoverHistory } from '../history.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { RawTransactionsView, toRawTransactionsView } from '../views/RawTransactionsView.ts'

export const getTransactionsStd = v2Endpoint({
  name: 'getTransactionsStd',
  tags: ['accounts', 'transactions'],
  summary: 'The same as getTransactions in the form that nodes give it, with the transaction to go on from.',
  params: historyParams,
  result: RawTransactionsView,
  errors: [],
  lifetime: () => 'head',
  check: (question) => void findCursor(question),
  handle: async ({ node }, question) => toView(await readHistory(node, question, findCursor(question))),
  recover: (error) => toView(recoverHistory(error)),
})

const toView = ({ transactions, next }: History) => toRawTransactionsView(transactions, next)

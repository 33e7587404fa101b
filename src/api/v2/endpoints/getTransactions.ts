import { Type } from 'typebox'
import {
  findCursor,
  type History,
  type HistoryQuestion,
  historyParams,
  readHistory,
  recoverHistory,
} from '../history.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ExtTransactionView, toExtTransactionView } from '../views/ExtTransactionView.ts'

export const getTransactions = v2Endpoint({
  name: 'getTransactions',
  tags: ['accounts', 'transactions'],
  summary: 'Transactions of an account, newest first, from one on (itself included) or from the last one.',
  params: historyParams,
  result: Type.Array(ExtTransactionView),
  errors: [],
  lifetime: () => 'head',
  check: (question) => void findStart(question),
  handle: async ({ node }, question) => toViews(await readHistory(node, question, findStart(question))),
  recover: (error) => toViews(recoverHistory(error)),
})

/** Here a logical time of zero is as good as none. */
const findStart = ({ lt, hash }: HistoryQuestion) => (lt === 0n ? undefined : findCursor({ lt, hash }))

const toViews = ({ transactions }: History) => transactions.map(toExtTransactionView)

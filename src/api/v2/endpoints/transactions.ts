import { Type } from 'typebox'
import { NodeRefusedError } from '../../../chain/errors.ts'
import type { LiveNode, TransactionKey } from '../../../chain/LiveChain.ts'
import type { Address } from '../../../primitives/Address.ts'
import { optional, type ParsedOf, withDefault } from '../../core/params.ts'
import { outOfRange } from '../errors.ts'
import { locateResult, locateSource, recoverLocating, routeParams } from '../locateTransaction.ts'
import { AddressParam, ArchivalParam, HashParam, LimitParam, ltParam, ToLtParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { type TransactionReading, toTransactionReading } from '../TransactionReading.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import {
  ExtTransactionView,
  RawTransactionsView,
  toExtTransactionView,
  toRawTransactionsView,
} from '../views/transactions.ts'

/** Which transactions of an account are wanted. */
const historyParams = {
  address: AddressParam,
  limit: withDefault(LimitParam, 10),
  lt: optional(ltParam('lt')),
  hash: optional(HashParam),
  to_lt: withDefault(ToLtParam, '0'),
  archival: optional(ArchivalParam),
}

type HistoryQuestion = ParsedOf<typeof historyParams>

type History = {
  /** Newest first. */
  readonly transactions: readonly TransactionReading[]
  /** Where it goes on; absent where it ends. */
  readonly next: TransactionKey | undefined
}

/** Nodes do not have all that was asked for. What they have is at hand. */
class HistoryCutError extends NodeRefusedError {
  readonly history: History

  constructor({ serverCode, serverText }: NodeRefusedError, history: History) {
    super(serverCode, serverText)
    this.history = history
  }
}

/** What is left of a history that nodes have only in part; all other failures are thrown on. */
const recoverHistory = (error: unknown): History => {
  if (error instanceof HistoryCutError) return error.history
  throw error
}

/** The transaction that a history is to start with; `undefined` for the account's last one. */
const findCursor = ({ lt, hash }: Pick<HistoryQuestion, 'lt' | 'hash'>): TransactionKey | undefined => {
  if (lt === undefined && hash === undefined) return undefined
  if (lt === undefined || hash === undefined) throw outOfRange('lt and hash should be used together')
  return { lt, hash }
}

/** What a node gives at once. */
const PAGE_SIZE = 16

/** Transactions of an account from one on, or from its last one, back to but without those of `to_lt` and before. */
const readHistory = async (
  node: LiveNode,
  { address, limit, to_lt }: HistoryQuestion,
  cursor: TransactionKey | undefined,
): Promise<History> => {
  const transactions: TransactionReading[] = []
  let next = withoutZero(cursor ?? (await findLastTransaction(node, address)))
  while (next !== undefined && transactions.length < limit) {
    const page = await node
      .getTransactions(address, next, Math.min(PAGE_SIZE, limit - transactions.length))
      .catch(cutAfter({ transactions, next }))
    const wanted = page.transactions.filter(({ lt }) => lt > to_lt)
    transactions.push(...wanted.map((each) => toTransactionReading(address.workchain, each)))
    next = page.next
    if (wanted.length < page.transactions.length || (next !== undefined && next.lt <= to_lt)) break
  }
  return { transactions, next }
}

/** A logical time of zero is how it is told that there is nothing before. */
const withoutZero = (key: TransactionKey | undefined): TransactionKey | undefined => (key?.lt === 0n ? undefined : key)

const findLastTransaction = async (node: LiveNode, address: Address): Promise<TransactionKey | undefined> => {
  const { found } = await readAccount(node, address, undefined)
  return found?.lastTransaction
}

const cutAfter =
  (history: History) =>
  (error: unknown): never => {
    const isCut = error instanceof NodeRefusedError && history.transactions.length > 0
    throw isCut ? new HistoryCutError(error, history) : error
  }

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

export const tryLocateResultTx = v2Endpoint({
  name: 'tryLocateResultTx',
  tags: ['transactions'],
  summary: 'The transaction that a message set off.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateResult(node, route)),
  recover: recoverLocating,
})

/** The name that it had first. */
export const tryLocateTx = {
  ...tryLocateResultTx,
  name: 'tryLocateTx',
  summary: 'The same as tryLocateResultTx.',
} as const

export const tryLocateSourceTx = v2Endpoint({
  name: 'tryLocateSourceTx',
  tags: ['transactions'],
  summary: 'The transaction that sent a message.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateSource(node, route)),
  recover: recoverLocating,
})

import { Type } from 'typebox'
import { NodeRefusedError } from '../../../chain/errors.ts'
import type { LiveNode, TransactionKey } from '../../../chain/LiveChain.ts'
import { optional, type ParsedOf, withDefault } from '../../core/params.ts'
import { outOfRange } from '../errors.ts'
import { locateResult, locateSource, recoverLocating, routeParams } from '../locateTransaction.ts'
import { AddressParam, ArchivalParam, HashParam, LimitParam, ltParam, ToLtParam } from '../params.ts'
import { readLastTransaction } from '../readAccount.ts'
import { type TransactionReading, toTransactionReading } from '../TransactionReading.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import {
  ExtTransactionView,
  RawTransactionsView,
  toExtTransactionView,
  toExtTransactionViews,
  toRawTransactionsView,
} from '../views/transactions.ts'

/** Account, page size and cursor. */
const historyParams = {
  address: AddressParam,
  limit: withDefault(LimitParam, 10),
  lt: optional(ltParam('lt')),
  hash: optional(HashParam),
  to_lt: withDefault(ToLtParam, '0'),
  archival: optional(ArchivalParam),
}

type HistoryRequest = ParsedOf<typeof historyParams>

type History = {
  /** Newest first. */
  readonly transactions: readonly TransactionReading[]
  /** The next transaction; absent at the end. */
  readonly next: TransactionKey | undefined
}

/** Nodes have only part of the requested history; carries that part. */
class HistoryCutError extends NodeRefusedError {
  readonly history: History

  constructor({ serverCode, serverText }: NodeRefusedError, history: History) {
    super(serverCode, serverText)
    this.history = history
  }
}

/** The available part of a pruned history; rethrows other errors. */
const recoverHistory = (error: unknown): History => {
  if (error instanceof HistoryCutError) return error.history
  throw error
}

/** The transaction to start from; `undefined` means the last one of the account. */
const findCursor = ({ lt, hash }: Pick<HistoryRequest, 'lt' | 'hash'>): TransactionKey | undefined => {
  if (lt === undefined && hash === undefined) return undefined
  if (lt === undefined || hash === undefined) throw outOfRange('lt and hash should be used together')
  return { lt, hash }
}

/** Page size of nodes. */
const PAGE_SIZE = 16

/** Transactions of an account from a cursor, or from the last one, back to `to_lt` (exclusive). */
const readHistory = async (
  node: LiveNode,
  { address, limit, to_lt }: HistoryRequest,
  cursor: TransactionKey | undefined,
): Promise<History> => {
  const transactions: TransactionReading[] = []
  let next = withoutZero(cursor ?? (await readLastTransaction(node, address)))
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

/** A logical time of zero means that there is no previous transaction. */
const withoutZero = (key: TransactionKey | undefined): TransactionKey | undefined => (key?.lt === 0n ? undefined : key)

const cutAfter =
  (history: History) =>
  (error: unknown): never => {
    const isCut = error instanceof NodeRefusedError && history.transactions.length > 0
    throw isCut ? new HistoryCutError(error, history) : error
  }

export const getTransactions = v2Endpoint({
  name: 'getTransactions',
  tags: ['accounts', 'transactions'],
  summary: 'Transactions of an account, newest first, starting at lt and hash (inclusive), or at the last one.',
  params: historyParams,
  result: Type.Array(ExtTransactionView),
  errors: [],
  lifetime: () => 'head',
  check: (request) => void findStart(request),
  handle: async ({ node }, request) => toViews(await readHistory(node, request, findStart(request))),
  recover: (error) => toViews(recoverHistory(error)),
})

/** Here a logical time of zero means absent. */
const findStart = ({ lt, hash }: HistoryRequest) => (lt === 0n ? undefined : findCursor({ lt, hash }))

const toViews = ({ transactions }: History) => toExtTransactionViews(transactions)

export const getTransactionsStd = v2Endpoint({
  name: 'getTransactionsStd',
  tags: ['accounts', 'transactions'],
  summary: 'Like getTransactions, in the raw format of nodes, with the id of the next transaction.',
  params: historyParams,
  result: RawTransactionsView,
  errors: [],
  lifetime: () => 'head',
  check: (request) => void findCursor(request),
  handle: async ({ node }, request) => toView(await readHistory(node, request, findCursor(request))),
  recover: (error) => toView(recoverHistory(error)),
})

const toView = ({ transactions, next }: History) => toRawTransactionsView(transactions, next)

export const tryLocateResultTx = v2Endpoint({
  name: 'tryLocateResultTx',
  tags: ['transactions'],
  summary: 'Find the transaction that a message triggered.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateResult(node, route)),
  recover: recoverLocating,
})

/** Alias for older clients. */
export const tryLocateTx = {
  ...tryLocateResultTx,
  name: 'tryLocateTx',
  summary: 'Alias of tryLocateResultTx.',
} as const

export const tryLocateSourceTx = v2Endpoint({
  name: 'tryLocateSourceTx',
  tags: ['transactions'],
  summary: 'Find the transaction that sent a message.',
  params: routeParams,
  result: ExtTransactionView,
  errors: ['transaction_not_found'],
  lifetime: () => 'forever',
  handle: async ({ node }, route) => toExtTransactionView(await locateSource(node, route)),
  recover: recoverLocating,
})

import type { Cell } from '../../codec/cell/Cell.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import type { LiteServerListBlockTransactions } from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import type { AccountBlock, AccountBlocks } from '../../codec/tlb/Transaction.ts'

export type ListedTransaction = { readonly account: Uint8Array; readonly lt: bigint; readonly transaction: Cell }

export type TransactionPage = {
  readonly transactions: readonly ListedTransaction[]
  /** The end was met. A page that is full has not looked for it. */
  readonly isComplete: boolean
  /** Root of the incoming messages of the block. */
  readonly inMsgDescr: Cell
}

export type PageQuestion = Pick<LiteServerListBlockTransactions, 'mode' | 'count' | 'after'>

export const WITH_PROOF = 32
const REVERSE_ORDER = 64
export const WITH_METADATA = 256

const MAX_TRANSACTIONS = 256

/** The transactions of a block by account, then by time; nothing is entered behind the last one of the page. */
export const readTransactionPage = (root: Cell, question: PageQuestion): TransactionPage => {
  const extra = openBlockExtra(openBlock(root).extra)
  return { ...readPage(openAccountBlocks(extra), question), inMsgDescr: extra.inMsgDescr }
}

const readPage = (
  accounts: AccountBlocks,
  { mode, count, after }: PageQuestion,
): Omit<TransactionPage, 'inMsgDescr'> => {
  // The count is a signed number to the node.
  const limit = Math.min(count | 0, MAX_TRANSACTIONS)
  const reverse = (mode & REVERSE_ORDER) !== 0
  const transactions: ListedTransaction[] = []
  if (limit <= 0) return { transactions, isComplete: false }
  const add = (account: Uint8Array, lt: bigint, transaction: Cell): boolean =>
    transactions.push({ account, lt, transaction }) < limit
  const addAll = (account: Uint8Array, block: AccountBlock): boolean =>
    visitEntries(block.transactions, { reverse }, (lt, transaction) => add(account, lt, transaction))
  if (after === undefined) return { transactions, isComplete: visitEntries(accounts, { reverse }, addAll) }
  // The account that the last page ended with may have more.
  const last = { reverse, after: BigInt.asUintN(64, after.lt) }
  const own = accounts.find(after.account)
  const isComplete =
    (own === undefined ||
      visitEntries(own.transactions, last, (lt, transaction) => add(after.account, lt, transaction))) &&
    visitEntries(accounts, { reverse, after: after.account }, addAll)
  return { transactions, isComplete }
}

import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import type { LiteServerListBlockTransactions } from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { AccountBlock, AccountBlocks } from '../../codec/tlb/Transaction.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { findInMsgMetadata, type MessageMetadata } from './messageMetadata.ts'
import { proving } from './proving.ts'

/** One transaction of a page; `cell` may be pruned. */
export type ListedTransaction = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly cell: Cell
  readonly metadata: MessageMetadata | undefined
}

export type TransactionPage = {
  readonly transactions: readonly ListedTransaction[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

export type PageQuestion = Pick<LiteServerListBlockTransactions, 'mode' | 'count' | 'after'>

const MAX_TRANSACTIONS = 256
const REVERSE_ORDER = 64
const AFTER = 128
const WITH_METADATA = 256

/** Goes through a block, or a proof of it, as the server did for this question: by account, then by time. */
export const listTransactions = (root: Cell, question: PageQuestion): TransactionPage =>
  proving('the transactions of a block', () => {
    const extra = openBlockExtra(openBlock(root).extra)
    const page = readPage(openAccountBlocks(extra), question)
    // A server that lists nothing has not looked at the messages, and does not prove them.
    if ((question.mode & WITH_METADATA) === 0 || page.transactions.length === 0) return page
    const inMsgs = openInMsgDescr(extra.inMsgDescr)
    const transactions = page.transactions.map((listed) => ({
      ...listed,
      metadata: findInMsgMetadata(inMsgs, listed.cell),
    }))
    return { ...page, transactions }
  })

const readPage = (accounts: AccountBlocks, { mode, count, after }: PageQuestion): TransactionPage => {
  const limit = Math.min(count, MAX_TRANSACTIONS)
  const reverse = (mode & REVERSE_ORDER) !== 0
  const transactions: ListedTransaction[] = []
  const add = (account: Uint8Array, lt: bigint, cell: Cell): boolean =>
    transactions.push({ account, lt, cell, metadata: undefined }) < limit
  const addAll = (account: Uint8Array, { accountAddr, transactions: own }: AccountBlock): boolean => {
    expectAccount(accountAddr, account)
    return visitEntries(own, { reverse }, (lt, cell) => add(account, lt, cell))
  }
  const addRest = (account: Uint8Array, lastLt: bigint): boolean => {
    const block = accounts.find(account)
    if (block === undefined) return true
    expectAccount(block.accountAddr, account)
    return visitEntries(block.transactions, { reverse, after: lastLt }, (lt, cell) => add(account, lt, cell))
  }
  if (limit === 0) return { transactions, isComplete: false }
  if ((mode & AFTER) === 0 || after === undefined) {
    return { transactions, isComplete: visitEntries(accounts, { reverse }, addAll) }
  }
  // The account that the last page ended with may have more.
  const isComplete =
    addRest(after.account, BigInt.asUintN(64, after.lt)) &&
    visitEntries(accounts, { reverse, after: after.account }, addAll)
  return { transactions, isComplete }
}

const expectAccount = (stated: Uint8Array, key: Uint8Array): void => {
  if (!bytesEqual(stated, key))
    throw new ProofFailedError('The transactions of an account stand under another account.')
}

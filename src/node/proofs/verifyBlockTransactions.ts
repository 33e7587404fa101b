import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type {
  LiteServerBlockTransactions,
  LiteServerBlockTransactionsExt,
  LiteServerTransactionId,
} from '../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { expectBlock } from './blockIds.ts'
import {
  type ListedTransaction,
  listTransactions,
  type PageQuestion,
  type TransactionPage,
} from './listTransactions.ts'
import { type MessageMetadata, statesMetadata } from './messageMetadata.ts'
import { decodeList, unwrapProof } from './unwrapProof.ts'

export type TransactionEntry = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  /** Absent where the question did not ask for it, or where the message has none. */
  readonly metadata: MessageMetadata | undefined
}

export type WholeTransactionEntry = TransactionEntry & { readonly transaction: Cell }

export type ProvenBlockTransactions<T extends TransactionEntry> = {
  readonly block: BlockIdExt
  readonly transactions: readonly T[]
  /** Nothing follows. A full page does not know: it takes one more question, which gives an empty one. */
  readonly isComplete: boolean
}

const HAS_ACCOUNT = 1
const HAS_LT = 2
const HAS_HASH = 4

/** The answer to listBlockTransactions in a trusted block, with the proof asked for (mode bit 5). */
export const verifyBlockTransactions = (
  trusted: BlockIdExt,
  question: PageQuestion,
  answer: LiteServerBlockTransactions,
  skipProofChecks = false,
): ProvenBlockTransactions<TransactionEntry> => {
  const page = provePage(trusted, question, answer, answer.ids.length, skipProofChecks)
  const transactions = page.transactions.map((listed, k) => {
    const entry = entryOf(listed)
    if (!states(answer.ids[k]!, entry, question.mode)) {
      throw new ProofFailedError(`Transaction ${k} of a page is not the one that the block has there.`)
    }
    return entry
  })
  return { block: trusted, transactions, isComplete: page.isComplete }
}

/** The answer to listBlockTransactionsExt in a trusted block, with the proof asked for (mode bit 5 or 8). */
export const verifyBlockTransactionsExt = (
  trusted: BlockIdExt,
  question: PageQuestion,
  answer: LiteServerBlockTransactionsExt,
  skipProofChecks = false,
): ProvenBlockTransactions<WholeTransactionEntry> => {
  const cells = decodeList('the transactions of a block', answer.transactions)
  const page = provePage(trusted, question, answer, cells.length, skipProofChecks)
  const transactions = page.transactions.map((listed, k) => {
    const transaction = cells[k]!
    const entry = entryOf(listed)
    if (!transaction.hasHash(entry.hash)) {
      throw new ProofFailedError(`Transaction ${k} of a page is not the one that the block has there.`)
    }
    return { ...entry, transaction }
  })
  return { block: trusted, transactions, isComplete: page.isComplete }
}

const provePage = (
  trusted: BlockIdExt,
  question: PageQuestion,
  answer: { readonly id: BlockIdExt; readonly incomplete: boolean; readonly proof: Uint8Array },
  count: number,
  skipProofChecks: boolean,
): TransactionPage => {
  expectBlock('The block of the transactions', trusted, answer.id)
  const root = unwrapProof('the transactions of a block', answer.proof, trusted.rootHash, skipProofChecks)
  const page = listTransactions(root, question)
  if (page.transactions.length !== count) {
    throw new ProofFailedError(`The block has ${page.transactions.length} transactions for a page, ${count} came.`)
  }
  if (page.isComplete === answer.incomplete) {
    throw new ProofFailedError('The answer is wrong about whether more transactions follow.')
  }
  return page
}

const entryOf = ({ account, lt, cell, metadata }: ListedTransaction): TransactionEntry => ({
  account,
  lt,
  hash: cell.hash(0),
  metadata,
})

/** Whether an entry of the answer says, of what was asked for, what is proven. */
const states = (stated: LiteServerTransactionId, proven: TransactionEntry, mode: number): boolean => {
  const { account, lt, hash, metadata } = stated
  return (
    ((mode & HAS_ACCOUNT) === 0 || (account !== undefined && bytesEqual(account, proven.account))) &&
    ((mode & HAS_LT) === 0 || (lt !== undefined && BigInt.asUintN(64, lt) === proven.lt)) &&
    ((mode & HAS_HASH) === 0 || (hash !== undefined && bytesEqual(hash, proven.hash))) &&
    (proven.metadata === undefined || metadata === undefined
      ? proven.metadata === metadata
      : statesMetadata(metadata, proven.metadata))
  )
}

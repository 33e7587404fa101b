import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { visitEntries } from '../../codec/cell/Dict.ts'
import type {
  LiteServerBlockTransactions,
  LiteServerBlockTransactionsExt,
  LiteServerListBlockTransactions,
  LiteServerTransactionId,
  LiteServerTransactionMetadata,
} from '../../codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type InMsgDescr, openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { type MsgMetadata, openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { AccountBlock, AccountBlocks } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, replaceLeadingBits } from '../../primitives/bytes.ts'
import { decodeList, expectBlock, proving, unwrapProof } from './unwrapProof.ts'

/** The metadata of an envelope, its address as answers spell it. */
export const messageMetadata = ({ depth, initiatorAddr, initiatorLt }: MsgMetadata) => ({
  depth,
  initiator: standardAddress(initiatorAddr),
  initiatorLt,
})

/** Which transaction set off the messages that led here, and how many of them stand between. */
export type MessageMetadata = Readonly<ReturnType<typeof messageMetadata>>

const standardAddress = (address: MsgAddressInt): Address => {
  const hash = address.kind === 'std' ? address.hash : address.value
  if (address.kind === 'var' && address.bits !== 256) {
    throw new ProofFailedError(`The account that set off a message has an address of ${address.bits} bits, not 256.`)
  }
  const { workchain, anycast } = address
  return {
    workchain,
    hash: anycast === undefined ? hash.slice() : replaceLeadingBits(hash, anycast.prefix, anycast.depth),
  }
}

/** The metadata of the message that a transaction received: only envelopes carry any, so not those from outside. */
const findInMsgMetadata = (inMsgs: InMsgDescr, transaction: Cell): MessageMetadata | undefined => {
  const message = openCell(transaction).readRef().readMaybeRefCell()
  if (message === undefined) return undefined
  const inMsg = inMsgs.find(message.hash(0))
  if (inMsg === undefined) throw new ProofFailedError('The message of a transaction is not among those of its block.')
  if (inMsg.kind !== 'immediate' && inMsg.kind !== 'final' && inMsg.kind !== 'deferredFinal') return undefined
  const { metadata } = openMsgEnvelope(inMsg.inMsg)
  return metadata === undefined ? undefined : messageMetadata(metadata)
}

/** Whether a server states the proven metadata. */
export const statesMetadata = (stated: LiteServerTransactionMetadata, proven: MessageMetadata): boolean =>
  stated.depth >>> 0 === proven.depth &&
  stated.initiator.workchain === proven.initiator.workchain &&
  bytesEqual(stated.initiator.id, proven.initiator.hash) &&
  BigInt.asUintN(64, stated.initiatorLt) === proven.initiatorLt

/** One transaction of a page; `cell` may be pruned. */
type ListedTransaction = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly cell: Cell
  readonly metadata: MessageMetadata | undefined
}

type TransactionPage = {
  readonly transactions: readonly ListedTransaction[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

export type PageRequest = Pick<LiteServerListBlockTransactions, 'mode' | 'count' | 'after'>

const MAX_TRANSACTIONS = 256
const REVERSE_ORDER = 64
const AFTER = 128
const WITH_METADATA = 256

/** Goes through a block, or a proof of it, as the server did for this request: by account, then by time. */
export const listTransactions = (root: Cell, request: PageRequest): TransactionPage =>
  proving('the transactions of a block', () => {
    const extra = openBlockExtra(openBlock(root).extra)
    const page = readPage(openAccountBlocks(extra), request)
    // A server that lists nothing has not looked at the messages, and does not prove them.
    if ((request.mode & WITH_METADATA) === 0 || page.transactions.length === 0) return page
    const inMsgs = openInMsgDescr(extra.inMsgDescr)
    const transactions = page.transactions.map((listed) => ({
      ...listed,
      metadata: findInMsgMetadata(inMsgs, listed.cell),
    }))
    return { ...page, transactions }
  })

const readPage = (accounts: AccountBlocks, { mode, count, after }: PageRequest): TransactionPage => {
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

export type WholeTransactionEntry = TransactionEntry & { readonly transaction: Cell }

export type ProvenBlockTransactions<T extends TransactionEntry> = {
  readonly block: BlockIdExt
  readonly transactions: readonly T[]
  /** Nothing follows. A full page does not know: it takes one more request, which gives an empty one. */
  readonly isComplete: boolean
}

const HAS_ACCOUNT = 1
const HAS_LT = 2
const HAS_HASH = 4

/** The answer to listBlockTransactions in a trusted block, with the proof asked for (mode bit 5). */
export const verifyBlockTransactions = (
  trusted: BlockIdExt,
  request: PageRequest,
  answer: LiteServerBlockTransactions,
  skipProofChecks = false,
): ProvenBlockTransactions<TransactionEntry> => {
  const page = provePage(trusted, request, answer, answer.ids.length, skipProofChecks)
  const transactions = page.transactions.map((listed, k) => {
    const entry = entryOf(listed)
    if (!states(answer.ids[k]!, entry, request.mode)) {
      throw new ProofFailedError(`Transaction ${k} of a page is not the one that the block has there.`)
    }
    return entry
  })
  return { block: trusted, transactions, isComplete: page.isComplete }
}

/** The answer to listBlockTransactionsExt in a trusted block, with the proof asked for (mode bit 5 or 8). */
export const verifyBlockTransactionsExt = (
  trusted: BlockIdExt,
  request: PageRequest,
  answer: LiteServerBlockTransactionsExt,
  skipProofChecks = false,
): ProvenBlockTransactions<WholeTransactionEntry> => {
  const cells = decodeList('the transactions of a block', answer.transactions)
  const page = provePage(trusted, request, answer, cells.length, skipProofChecks)
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
  request: PageRequest,
  answer: { readonly id: BlockIdExt; readonly incomplete: boolean; readonly proof: Uint8Array },
  count: number,
  skipProofChecks: boolean,
): TransactionPage => {
  expectBlock('The block of the transactions', trusted, answer.id)
  const root = unwrapProof('the transactions of a block', answer.proof, trusted.rootHash, skipProofChecks)
  const page = listTransactions(root, request)
  if (page.transactions.length !== count) {
    throw new ProofFailedError(`Expected a page of ${page.transactions.length} transactions, but got ${count}.`)
  }
  if (page.isComplete === answer.incomplete) {
    throw new ProofFailedError('The answer is wrong about whether more transactions follow.')
  }
  return page
}

const entryOf = ({ account, lt, cell, metadata }: ListedTransaction) => ({
  account,
  lt,
  hash: cell.hash(0),
  /** Absent where the request did not ask for it, or where the message has none. */
  metadata,
})

export type TransactionEntry = Readonly<ReturnType<typeof entryOf>>

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

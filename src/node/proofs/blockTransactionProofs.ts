import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { DictWalk, lookupDict } from '../../codec/cell/dictNodes.ts'
import type {
  LiteServerBlockTransactions,
  LiteServerBlockTransactionsExt,
  LiteServerListBlockTransactions,
  LiteServerTransactionId,
  LiteServerTransactionMetadata,
} from '../../codec/tl/liteServerTypes.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type InMsgDescr, openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { type MsgMetadata, openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, getU64BE, putU64BE, replaceLeadingBits } from '../../primitives/bytes.ts'
import { decodeList, expectBlock, hashRoots, proving, unwrapProof } from './unwrapProof.ts'

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

/** One transaction of a page. */
export type TransactionEntry = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  /** Absent where the request did not ask for it, or where the message has none. */
  readonly metadata: MessageMetadata | undefined
}

type TransactionPage = {
  readonly transactions: readonly TransactionEntry[]
  /** The end was seen: never so on a full page. */
  readonly isComplete: boolean
}

export type PageRequest = Pick<LiteServerListBlockTransactions, 'mode' | 'count' | 'after'>

const MAX_TRANSACTIONS = 256
const REVERSE_ORDER = 64
const AFTER = 128
const WITH_METADATA = 256

/** acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection) … = AccountBlock; */
const ACCOUNT_BLOCK = 0x5
const ACCOUNT_BITS = 256
const LT_BITS = 64
const NO_ACCOUNT = new Uint8Array(0)

/** Goes through a block, or a proof of it, as the server did for this request: by account, then by time. */
export const listTransactions = (root: Cell, request: PageRequest): TransactionPage =>
  proving('the transactions of a block', () => {
    const { accountBlocks, inMsgDescr } = openBlockExtra(openBlock(root).extra)
    return new PageReader(request, inMsgDescr).read(openCell(accountBlocks).readMaybeRefCell())
  })

/**
 * Of accounts and transactions it reads the keys and references alone: the root hash has proven all that stands beside them. Nearly all
 * accounts have one transaction in a block, so all of them share the walk over their transactions.
 */
class PageReader {
  private readonly transactions: TransactionEntry[] = []
  private readonly limit: number
  private readonly after: PageRequest['after']
  private readonly accounts: DictWalk
  private readonly times: DictWalk
  private readonly inMsgDescr: Cell | undefined
  /** Opened for the first transaction: a server that lists nothing has not looked at the messages, and does not prove them. */
  private inMsgs: InMsgDescr | undefined = undefined
  private account: Uint8Array = NO_ACCOUNT

  constructor({ mode, count, after }: PageRequest, inMsgDescr: Cell) {
    this.limit = Math.min(count, MAX_TRANSACTIONS)
    this.after = (mode & AFTER) === 0 ? undefined : after
    this.inMsgDescr = (mode & WITH_METADATA) === 0 ? undefined : inMsgDescr
    const order = { reverse: (mode & REVERSE_ORDER) !== 0 }
    this.accounts = new DictWalk(ACCOUNT_BITS, (key, leaf) => this.addAccount(key, leaf), order)
    this.times = new DictWalk(LT_BITS, (lt, leaf) => this.addTransaction(lt, leaf), order)
  }

  read(accounts: Cell | undefined): TransactionPage {
    const { transactions, limit } = this
    if (limit === 0) return { transactions, isComplete: false }
    return { transactions, isComplete: accounts === undefined || this.readAccounts(accounts) }
  }

  private readAccounts(accounts: Cell): boolean {
    const { after } = this
    if (after === undefined) return this.accounts.run(openCell(accounts))
    // The account that the last page ended with may have more.
    const last = lookupDict(accounts, ACCOUNT_BITS, after.account)
    if (last !== undefined) {
      const lt = new Uint8Array(8)
      putU64BE(lt, 0, BigInt.asUintN(64, after.lt))
      if (!this.addAccount(after.account, last, lt)) return false
    }
    return this.accounts.run(openCell(accounts), after.account)
  }

  /** Says whether the page has room for more. */
  private addAccount(key: Uint8Array, leaf: CellReader, afterLt?: Uint8Array): boolean {
    skipCurrencies(leaf)
    leaf.expectTag(ACCOUNT_BLOCK, 4)
    this.account = leaf.readBits(ACCOUNT_BITS)
    if (!bytesEqual(this.account, key)) {
      throw new ProofFailedError('The transactions of an account stand under another account.')
    }
    return this.times.run(leaf, afterLt)
  }

  private addTransaction(lt: Uint8Array, leaf: CellReader): boolean {
    skipCurrencies(leaf)
    const cell = leaf.readRefCell()
    const metadata = this.inMsgDescr === undefined ? undefined : this.findMetadata(this.inMsgDescr, cell)
    const entry = { account: this.account, lt: getU64BE(lt, 0), hash: cell.hash(0), metadata }
    return this.transactions.push(entry) < this.limit
  }

  private findMetadata(inMsgDescr: Cell, transaction: Cell): MessageMetadata | undefined {
    this.inMsgs ??= openInMsgDescr(inMsgDescr)
    return findInMsgMetadata(this.inMsgs, transaction)
  }
}

/** Grams, and a dictionary of other currencies. */
const skipCurrencies = (r: CellReader): void => {
  r.skipBits(8 * r.readUint(4))
  if (r.readBit()) r.skipRef()
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
  const { transactions, isComplete } = provePage(trusted, request, answer, answer.ids.length, skipProofChecks)
  transactions.forEach((entry, k) => {
    if (states(answer.ids[k]!, entry, request.mode)) return
    throw new ProofFailedError(`Transaction ${k} of a page is not the one that the block has there.`)
  })
  return { block: trusted, transactions, isComplete }
}

/** The answer to listBlockTransactionsExt in a trusted block, with the proof asked for (mode bit 5 or 8). */
export const verifyBlockTransactionsExt = (
  trusted: BlockIdExt,
  request: PageRequest,
  answer: LiteServerBlockTransactionsExt,
  skipProofChecks = false,
): ProvenBlockTransactions<WholeTransactionEntry> => {
  const cells = decodeList('the transactions of a block', answer.transactions)
  hashRoots('the transactions of a block', cells)
  const page = provePage(trusted, request, answer, cells.length, skipProofChecks)
  const transactions = page.transactions.map((entry, k) => {
    const transaction = cells[k]!
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
  const root = unwrapProof('the transactions of a block', answer.proof, trusted.rootHash, skipProofChecks, false)
  const page = listTransactions(root, request)
  if (page.transactions.length !== count) {
    throw new ProofFailedError(`Expected a page of ${page.transactions.length} transactions, but got ${count}.`)
  }
  if (page.isComplete === answer.incomplete) {
    throw new ProofFailedError('The answer is wrong about whether more transactions follow.')
  }
  return page
}

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

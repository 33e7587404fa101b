import { CellError } from '../../codec/cell/errors.ts'
import { addressKeyOfMsgAddress, packDescriptionView } from '../../codec/stored/packDescription.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { normalizedExternalHash } from '../../codec/tlb/Message.ts'
import { listOutMsgs } from '../../codec/tlb/Transaction.ts'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { type DecodedBlockSet, MESSAGE_KIND, type TokenRequest } from '../blockSets.ts'
import { type FoundTransaction, toTexts, type WatchedAccounts } from './findTransactions.ts'
import { MessageReader, type SentMessage, type StoredMessage } from './MessageReader.ts'
import { type ByteArena, ContentBuilder, HashList, RowBuilder } from './RowBuilder.ts'
import { findTokenRequest } from './tokenRequest.ts'

/** Facts shared by all rows of a block set. */
type BlockSetFacts = {
  readonly seqno: number
  readonly hasExtraFlags: boolean
  /** Computes every transaction hash instead of taking it from the block. */
  readonly hashesAnew: boolean
  /** `undefined` if all accounts are watched. */
  readonly watched: WatchedAccounts | undefined
}

/** Amounts too large for their columns, as text by column name. */
type LargeAmounts = Record<string, string>

const MESSAGE_COLUMNS = 17
/** Filled in by linking. */
const NO_TRACE_ID: Uint8Array = new Uint8Array(32)

/** Writes a row of unreceived_messages, field by field in the order of chainTables.ts. */
const putMessageRow = (
  rows: RowBuilder,
  blockSet: BlockSetFacts,
  sender: FoundTransaction,
  message: SentMessage,
  hash: Uint8Array,
): void => {
  const { info } = message
  const internal = info.kind === 'internal' ? info : undefined
  let large: LargeAmounts | undefined
  rows.startRow(MESSAGE_COLUMNS)
  rows.int8(info.createdLt)
  if (internal === undefined) {
    rows.absent()
    rows.absent()
    rows.absent()
  } else {
    const { value, fwdFee, extraFlags } = internal
    if (!rows.amount(value.grams)) large = { value: value.grams.toString() }
    if (!rows.amount(fwdFee)) large = { ...large, fwd_fee: fwdFee.toString() }
    if (!putIhrFee(rows, extraFlags, blockSet)) large = { ...large, ihr_fee: extraFlags.toString() }
  }
  rows.int4(info.createdAt)
  rows.int4(blockSet.seqno)
  if (message.opcode === undefined) rows.absent()
  else rows.int4(message.opcode)
  rows.int2(message.bits)
  rows.bytes(sender.account)
  if (internal === undefined) rows.absent()
  else rows.address(internal.destination)
  rows.bytes(hash)
  rows.bytesOrAbsent(message.bodyHash)
  rows.bytesOrAbsent(message.initHash)
  rows.json(internal && toTexts(internal.value.extra))
  putExtraFlags(rows, internal?.extraFlags ?? 0n, blockSet)
  rows.json(large)
  rows.bytes(NO_TRACE_ID)
  rows.endRow()
}

/** The IHR fee, if messages have it instead of extra flags; zero is left out. */
const putIhrFee = (rows: RowBuilder, slot: bigint, { hasExtraFlags }: BlockSetFacts): boolean => {
  if (!hasExtraFlags && slot !== 0n) return rows.amount(slot)
  rows.absent()
  return true
}

const putExtraFlags = (rows: RowBuilder, slot: bigint, { hasExtraFlags }: BlockSetFacts): void => {
  if (hasExtraFlags && slot !== 0n) rows.numeric(slot)
  else rows.absent()
}

const TRANSACTION_COLUMNS = 39

/** The received message of a transaction, and its hashes. */
type ReceivedMessage = {
  readonly message: StoredMessage
  readonly hash: Uint8Array
  /** Only if it differs. */
  readonly normalHash: Uint8Array | undefined
}

/** Writes a row of transactions, field by field in the order of chainTables.ts. */
const putTransactionRow = (
  rows: RowBuilder,
  blockSet: BlockSetFacts,
  tx: FoundTransaction,
  hash: Uint8Array,
  received: ReceivedMessage | undefined,
): void => {
  const { after, block, totalFees } = tx
  const message = received?.message
  const info = message?.info
  const internal = info?.kind === 'internal' ? info : undefined
  let large: LargeAmounts | undefined
  rows.startRow(TRANSACTION_COLUMNS)
  rows.int8(tx.lt)
  rows.int8(tx.prevLt)
  rows.int8(block.id.shard)
  if (!rows.amount(totalFees.grams)) large = { total_fees: totalFees.grams.toString() }
  if (after === undefined) rows.absent()
  else if (!rows.amount(after.balance)) large = { ...large, balance: after.balance.toString() }
  if (internal === undefined) {
    rows.absent()
    rows.absent()
    rows.absent()
  } else {
    const { value, fwdFee, extraFlags } = internal
    if (!rows.amount(value.grams)) large = { ...large, in_value: value.grams.toString() }
    if (!rows.amount(fwdFee)) large = { ...large, in_fwd_fee: fwdFee.toString() }
    if (!putIhrFee(rows, extraFlags, blockSet)) large = { ...large, in_ihr_fee: extraFlags.toString() }
  }
  // A fee that does not fit is not stored at all: the API returns null.
  if (info?.kind === 'externalIn') rows.amount(info.importFee)
  else rows.absent()
  if (internal === undefined) rows.absent()
  else rows.int8(internal.createdLt)
  rows.int4(tx.now)
  rows.int4(blockSet.seqno)
  rows.int4(block.id.seqno)
  if (internal === undefined) rows.absent()
  else rows.int4(internal.createdAt)
  if (message?.opcode === undefined) rows.absent()
  else rows.int4(message.opcode)
  rows.int2(tx.origStatus)
  rows.int2(tx.endStatus)
  rows.int2(message?.bits ?? 0)
  rows.int2(tx.outMsgCount)
  putHashes(rows, tx, hash, received)
  rows.longBytes(packDescriptionView(tx.description))
  rows.json(toTexts(totalFees.extra))
  rows.json(after?.extraCurrencies)
  rows.json(internal && toTexts(internal.value.extra))
  putExtraFlags(rows, internal?.extraFlags ?? 0n, blockSet)
  rows.json(large)
  rows.bytes(NO_TRACE_ID)
  rows.endRow()
}

const NO_ACCOUNT = accountNoneCell.hash()

const putHashes = (
  rows: RowBuilder,
  tx: FoundTransaction,
  hash: Uint8Array,
  received: ReceivedMessage | undefined,
): void => {
  const { after } = tx
  const message = received?.message
  rows.bytes(tx.account)
  rows.bytes(hash)
  rows.bytesOrAbsent(tx.prevLt === 0n ? undefined : tx.prevHash)
  rows.bytesOrAbsent(bytesEqual(tx.stateBefore, NO_ACCOUNT) ? undefined : tx.stateBefore)
  rows.bytes(tx.stateAfter)
  rows.bytesOrAbsent(after?.frozenHash)
  rows.bytesOrAbsent(after?.dataHash)
  rows.bytesOrAbsent(after?.codeHash)
  rows.bytesOrAbsent(received?.hash)
  rows.bytesOrAbsent(received?.normalHash)
  if (message?.info.kind === 'internal') rows.address(message.info.source)
  else rows.absent()
  rows.bytesOrAbsent(message?.bodyHash)
  rows.bytesOrAbsent(message?.initHash)
}

// Buffers reused for all block sets.
const transactionRows = new RowBuilder()
const messageRows = new RowBuilder()
const contents = new ContentBuilder()
const messageHashes = new HashList()

/** Builds rows and columns of a block set's transactions, added one by one. Only one builder can be active at a time. */
export class BlockSetBuilder {
  private readonly blockSet: BlockSetFacts
  private readonly arena: ByteArena
  private readonly reader: MessageReader
  private at = 0
  private readonly lts: BigInt64Array<ArrayBuffer>
  private readonly nows: Int32Array<ArrayBuffer>
  private readonly hashes: Uint8Array<ArrayBuffer>
  private readonly accounts: Uint8Array<ArrayBuffer>
  private readonly inKinds: Uint8Array<ArrayBuffer>
  private readonly inHashes: Uint8Array<ArrayBuffer>
  private readonly inNormalHashes: Uint8Array<ArrayBuffer>
  private readonly outStarts: Uint32Array<ArrayBuffer>
  private readonly messageKinds: number[] = []
  private readonly messageLts: bigint[] = []
  private readonly tokenRequests: TokenRequest[] = []

  constructor(blockSet: BlockSetFacts, count: number, arena: ByteArena) {
    for (const part of [transactionRows, messageRows, contents, messageHashes]) part.clear()
    this.blockSet = blockSet
    this.arena = arena
    this.reader = new MessageReader(contents, blockSet.hasExtraFlags)
    this.lts = new BigInt64Array(count)
    this.nows = new Int32Array(count)
    this.hashes = new Uint8Array(32 * count)
    this.accounts = new Uint8Array(ADDRESS_KEY_BYTES * count)
    this.inKinds = new Uint8Array(count)
    this.inHashes = new Uint8Array(32 * count)
    this.inNormalHashes = new Uint8Array(32 * count)
    this.outStarts = new Uint32Array(count + 1)
  }

  add(tx: FoundTransaction): void {
    const k = this.at++
    const hash = this.hashes.subarray(32 * k, 32 * k + 32)
    this.putHash(tx, hash)
    this.lts[k] = tx.lt
    this.nows[k] = tx.now
    this.accounts.set(tx.account, ADDRESS_KEY_BYTES * k)
    const received = this.receive(tx, k)
    putTransactionRow(transactionRows, this.blockSet, tx, hash, received)
    if (tx.outMsgCount > 0 || !tx.outMsgs.isEmpty) this.send(tx)
    this.outStarts[k + 1] = this.messageKinds.length
  }

  /** Hashing a transaction with all its cells takes longer than reading it. */
  private putHash({ cell, statedHash }: FoundTransaction, hash: Uint8Array): void {
    if (statedHash === undefined || this.blockSet.hashesAnew) cell.arena.copyHash(cell.index, 3, hash, 0)
    else hash.set(statedHash)
  }

  private receive(tx: FoundTransaction, k: number): ReceivedMessage | undefined {
    if (tx.inMsg === undefined) return undefined
    const message = this.reader.readReceived(tx.inMsg, tx.block.info.startLt)
    const { info, cell } = message
    const hash = this.inHashes.subarray(32 * k, 32 * k + 32)
    cell.arena.copyHash(cell.index, 3, hash, 0)
    this.inKinds[k] = this.kindOf(message, 'source')
    if (info.kind === 'externalIn') {
      const normalHash = normalizedExternalHash({ info, init: undefined, body: message.body })
      if (bytesEqual(normalHash, hash)) return { message, hash, normalHash: undefined }
      this.inNormalHashes.set(normalHash, 32 * k)
      return { message, hash, normalHash }
    }
    const request = findTokenRequest(tx, message, k, this.arena)
    if (request !== undefined) this.tokenRequests.push(request)
    return { message, hash, normalHash: undefined }
  }

  private send(tx: FoundTransaction): void {
    let { lt } = tx
    for (const cell of listOutMsgs(tx)) {
      const message = this.reader.readSent(cell)
      // Readers find the messages of a transaction by consecutive lts.
      if (message.info.createdLt !== ++lt) {
        throw new CellError(`Expected a message with lt ${lt}, got ${message.info.createdLt}.`)
      }
      const hash = cell.hash()
      putMessageRow(messageRows, this.blockSet, tx, message, hash)
      this.messageKinds.push(this.kindOf(message, 'destination'))
      this.messageLts.push(message.info.createdLt)
      messageHashes.push(hash)
    }
  }

  /** The kind for linking: by the other end of a message. The row stores the message kind regardless of watched accounts. */
  private kindOf({ kind, info }: StoredMessage, end: 'source' | 'destination'): number {
    const { watched } = this.blockSet
    if (watched === undefined || kind !== MESSAGE_KIND.internal || info.kind !== 'internal') return kind
    return watched.has(addressKeyOfMsgAddress(info[end])) ? kind : MESSAGE_KIND.elsewhere
  }

  take(): Pick<DecodedBlockSet, 'transactions' | 'messages' | 'contents' | 'tokenRequests'> {
    return {
      transactions: {
        count: this.at,
        lts: this.lts,
        nows: this.nows,
        hashes: this.hashes,
        accounts: this.accounts,
        inKinds: this.inKinds,
        inHashes: this.inHashes,
        inNormalHashes: this.inNormalHashes,
        outStarts: this.outStarts,
        rows: transactionRows.take(),
      },
      messages: {
        count: this.messageKinds.length,
        kinds: new Uint8Array(this.messageKinds),
        hashes: messageHashes.take(),
        lts: new BigInt64Array(this.messageLts),
        rows: messageRows.take(),
      },
      contents: contents.take(),
      tokenRequests: this.tokenRequests,
    }
  }
}

import { CellError } from '../../codec/cell/errors.ts'
import { addressKeyOfMsgAddress } from '../../codec/stored/packDescription.ts'
import { normalizedExternalHash } from '../../codec/tlb/Message.ts'
import { listOutMsgs } from '../../codec/tlb/Transaction.ts'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { type DecodedUnit, MESSAGE_KIND, type TokenRequest } from '../DecodedUnit.ts'
import type { ByteShelf } from './ByteShelf.ts'
import { ContentBuilder } from './ContentBuilder.ts'
import type { FoundTransaction } from './FoundTransaction.ts'
import { HashList } from './HashList.ts'
import { MessageReader, type StoredMessage } from './MessageReader.ts'
import { putMessageRow, type UnitFacts } from './messageRow.ts'
import { RowBuilder } from './RowBuilder.ts'
import { findTokenRequest } from './tokenRequest.ts'
import { putTransactionRow, type ReceivedMessage } from './transactionRow.ts'

// Their buffers are used for one unit after another.
const transactionRows = new RowBuilder()
const messageRows = new RowBuilder()
const contents = new ContentBuilder()
const messageHashes = new HashList()

/** Makes rows and columns of the transactions of a unit, which are given one after another. Only one can be at work at a time. */
export class UnitBuilder {
  private readonly unit: UnitFacts
  private readonly shelf: ByteShelf
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

  constructor(unit: UnitFacts, count: number, shelf: ByteShelf) {
    for (const part of [transactionRows, messageRows, contents, messageHashes]) part.clear()
    this.unit = unit
    this.shelf = shelf
    this.reader = new MessageReader(contents, unit.hasExtraFlags)
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
    putTransactionRow(transactionRows, this.unit, tx, hash, received)
    if (tx.outMsgCount > 0 || !tx.outMsgs.isEmpty) this.send(tx)
    this.outStarts[k + 1] = this.messageKinds.length
  }

  /** To hash a transaction with all that it holds takes longer than to read it. */
  private putHash({ cell, statedHash }: FoundTransaction, hash: Uint8Array): void {
    if (statedHash === undefined || this.unit.hashesAnew) cell.arena.copyHash(cell.index, 3, hash, 0)
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
    const request = findTokenRequest(tx, message, k, this.shelf)
    if (request !== undefined) this.tokenRequests.push(request)
    return { message, hash, normalHash: undefined }
  }

  private send(tx: FoundTransaction): void {
    let { lt } = tx
    for (const cell of listOutMsgs(tx)) {
      const message = this.reader.readSent(cell)
      // Readers of the index find the messages of a transaction by this.
      if (message.info.createdLt !== ++lt) {
        throw new CellError(`A message with lt ${lt} was expected, ${message.info.createdLt} came.`)
      }
      const hash = cell.hash()
      putMessageRow(messageRows, this.unit, tx, message, hash)
      this.messageKinds.push(this.kindOf(message, 'destination'))
      this.messageLts.push(message.info.createdLt)
      messageHashes.push(hash)
    }
  }

  /** As link takes it: by the other end of a message. The row says what the message is, and not who is watched. */
  private kindOf({ kind, info }: StoredMessage, end: 'source' | 'destination'): number {
    const { watched } = this.unit
    if (watched === undefined || kind !== MESSAGE_KIND.internal || info.kind !== 'internal') return kind
    return watched.has(addressKeyOfMsgAddress(info[end])) ? kind : MESSAGE_KIND.elsewhere
  }

  take(): Pick<DecodedUnit, 'transactions' | 'messages' | 'contents' | 'tokenRequests'> {
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

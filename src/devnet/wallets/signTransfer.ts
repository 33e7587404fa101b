import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeOutList } from '../../codec/tlb/OutList.ts'
import {
  externalMessage,
  modeOf,
  type OutgoingMessage,
  outgoingMessageCell,
  type Signer,
  signedBody,
  toSendAction,
} from '../contracts/messages.ts'
import { HIGHLOAD_TIMEOUT, type Wallet, type WalletKind, WalletOrderError } from './wallets.ts'

/** What a wallet is asked to send. */
export type TransferOrder = {
  /** The number that the wallet expects next; for highload wallets any number that was not used in the last day. */
  readonly seqno: number
  /** Second until which the order may be carried out; for highload wallets not more than a day ahead. */
  readonly validUntil: number
  readonly messages: readonly OutgoingMessage[]
}

const V5_SIGNED_EXTERNAL = 0x7369676e
const HIGHLOAD_BATCH = 0xae42e5a4
/** Numbers of orders that share a row of the bitmap in which a highload wallet remembers them; the last one is not used. */
const HIGHLOAD_ROW = 1023
const HIGHLOAD_ROWS = 8191

const maxMessages: Record<WalletKind, number> = { v3r2: 4, v4r2: 4, v5r1: 255, 'highload-v3': 254 }

/** The external message by which a wallet sends; with `deploy` it brings the wallet's code and data along. */
export const signTransfer = (
  wallet: Wallet,
  key: Signer,
  order: TransferOrder,
  { deploy = false }: { readonly deploy?: boolean } = {},
): Cell => {
  const limit = maxMessages[wallet.kind]
  if (order.messages.length > limit) {
    throw new WalletOrderError(
      `A wallet of kind ${wallet.kind} sends at most ${limit} messages at once, ${order.messages.length} were given.`,
    )
  }
  return externalMessage(wallet.address, writeBody[wallet.kind](wallet, key, order), deploy ? wallet.init : undefined)
}

type WriteBody = (wallet: Wallet, key: Signer, order: TransferOrder) => Cell

/** wallet_id:int32 valid_until:uint32 seqno:uint32 */
const startOrder = (w: CellWriter, { walletId }: Wallet, { validUntil, seqno }: TransferOrder): CellWriter =>
  w.writeInt(walletId, 32).writeUint(validUntil, 32).writeUint(seqno, 32)

const writeMessages = (w: CellWriter, messages: readonly OutgoingMessage[]): CellWriter => {
  for (const message of messages) w.writeUint(modeOf(message), 8).writeRef(outgoingMessageCell(message))
  return w
}

const outList = (messages: readonly OutgoingMessage[]): Cell => writeWhole(writeOutList, messages.map(toSendAction))

const v3Body: WriteBody = (wallet, key, order) =>
  signedBody(key, writeMessages(startOrder(new CellWriter(), wallet, order), order.messages).toCell())

const v4Body: WriteBody = (wallet, key, order) =>
  signedBody(key, writeMessages(startOrder(new CellWriter(), wallet, order).writeUint(0, 8), order.messages).toCell())

/** The only one whose signature stands behind what it signs. */
const v5Body: WriteBody = (wallet, key, order) => {
  const body = startOrder(new CellWriter().writeUint(V5_SIGNED_EXTERNAL, 32), wallet, order)
    .writeMaybeRef(outList(order.messages))
    .writeBit(false)
    .toCell()
  return new CellWriter().writeSlice(wholeSlice(body)).writeBytes(key.sign(body.hash())).toCell()
}

/** Sends one message that it signs, or one to itself with a list of those that are meant. */
const highloadBody: WriteBody = (wallet, key, { seqno, validUntil, messages }) => {
  const row = Math.floor(seqno / HIGHLOAD_ROW)
  if (row >= HIGHLOAD_ROWS) throw new WalletOrderError(`A highload wallet has no order with the number ${seqno}.`)
  const queryId = row * 1024 + (seqno % HIGHLOAD_ROW)
  const message = highloadMessage(wallet, queryId, messages)
  const body = new CellWriter()
    .writeInt(wallet.walletId, 32)
    .writeRef(outgoingMessageCell(message))
    .writeUint(modeOf(message), 8)
    .writeUint(queryId, 23)
    .writeUint64(BigInt(validUntil - HIGHLOAD_TIMEOUT))
    .writeUint(HIGHLOAD_TIMEOUT, 22)
    .toCell()
  return new CellWriter().writeBytes(key.sign(body.hash())).writeRef(body).toCell()
}

const highloadMessage = (
  { address }: Wallet,
  queryId: number,
  messages: readonly OutgoingMessage[],
): OutgoingMessage => {
  const [only, ...more] = messages
  if (only !== undefined && more.length === 0 && only.init === undefined) return only
  const body = new CellWriter()
    .writeUint(HIGHLOAD_BATCH, 32)
    .writeUint64(BigInt(queryId))
    .writeRef(outList(messages))
    .toCell()
  return { destination: address, value: 100_000_000n, bounce: true, body }
}

const writeBody: Record<WalletKind, WriteBody> = {
  v3r2: v3Body,
  v4r2: v4Body,
  v5r1: v5Body,
  'highload-v3': highloadBody,
}

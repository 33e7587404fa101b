import type { Cell } from '../../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { toHex } from '../../../primitives/hex.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of the bridge's contracts, as far as they are told of. */
export const layerzeroOps = {
  endpointSend: 0xdd4ea3b4,
  channelSend: 0x536feb09,
  msglibSend: 0x4002b790,
  ulnSend: 0x5de68393,
  msglibSent: 0x421c1a25,
  channelSent: 0xa2b5fbae,
  event: 0xe33b9873,
  channelPrepare: 0x22f3ac09,
  oappPrepare: 0x97df404c,
  receiveLock: 0xb7680bc6,
  receiveExecute: 0x0c7b8418,
  receiveExecuted: 0xcaae25a1,
  ulnCommit: 0x28b97077,
  connectionCommit: 0xf9d37b80,
  endpointCommit: 0x5dab749a,
  channelCommit: 0x5388cd88,
  msglibCommitted: 0x5e178f33,
  dvnVerify: 0xa0d51a8d,
  proxyCall: 0x09f047d9,
  ulnVerify: 0x994aaf4e,
  connectionVerify: 0x4ec8f80a,
  verified: 0x3cb38090,
} as const

const NAME_BYTES = 10
const HEADER_BITS = 350

/** The object that every message of the bridge carries. */
const openMessageObject = (block: Block): CellReader => {
  const r = openBody(block)
  r.skipBits(64)
  r.readCoins()
  readAddress(r)
  return r.readRef()
}

/** Objects begin with a header that names them and says where their fields are; all of one kind have the same. */
const openObject = (cell: Cell, name: string): CellReader => {
  const r = openCell(cell)
  const found = new TextDecoder().decode(r.readBytes(NAME_BYTES)).replaceAll('\0', '')
  if (found !== name) throw new MatchRefusedError(`An object ${name} was expected, ${found} came.`)
  r.skipBits(HEADER_BITS - 8 * NAME_BYTES)
  return r
}

export type Packet = {
  readonly srcEid: number
  readonly srcOapp: bigint
  readonly dstEid: number
  readonly dstOapp: bigint
  readonly nonce: bigint
  readonly guid: bigint
  /** Hex. */
  readonly message: string
}

const readPacket = (cell: Cell): Packet => {
  const r = openObject(cell, 'Packet')
  const path = openObject(r.readRefCell(), 'path')
  const message = r.readRef()
  return {
    srcEid: path.readUint(32),
    srcOapp: path.readUintWide(256),
    dstEid: path.readUint(32),
    dstOapp: path.readUintWide(256),
    nonce: r.readUint64(),
    guid: r.readUintWide(256),
    message: toHex(message.readBits(message.remainingBits)),
  }
}

/** The packet of a message that is about one. */
export const readCarriedPacket = (block: Block): Packet => readPacket(openMessageObject(block).readRefCell())

export type LzSend = {
  readonly requestId: bigint
  readonly manager: bigint
  readonly msglib: bigint
  readonly nativeFee: bigint
  readonly zroFee: bigint
  readonly packet: Packet
}

/** What was sent, out of the receipt for it. */
export const readChannelSent = (block: Block): LzSend => {
  const receipt = openMessageObject(block).readRef()
  const r = openObject(receipt.readRefCell(), 'lzSend')
  const packet = readPacket(r.readRefCell())
  r.skipRef()
  const quote = r.readRef()
  quote.skipBits(256)
  return {
    requestId: r.readUint64(),
    manager: r.readUintWide(256),
    msglib: r.readUintWide(256),
    nativeFee: quote.readUintWide(128),
    zroFee: quote.readUintWide(128),
    packet,
  }
}

export type VerifiedBody = { readonly nonce: bigint; readonly status: number }

export const readVerified = (block: Block): VerifiedBody => {
  const r = openObject(openMessageObject(block).readRefCell(), 'veristatus')
  return { nonce: r.readUint64(), status: r.readUint(32) }
}

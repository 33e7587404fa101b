import type { Cell, CellSlice } from '../cell/Cell.ts'
import { type CellReader, openCell, openSlice } from '../cell/CellReader.ts'
import { CellWriter, sliceToCell } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import {
  type MsgAddress,
  type MsgAddressExt,
  type MsgAddressInt,
  readMsgAddress,
  readMsgAddressExt,
  readMsgAddressInt,
  writeMsgAddress,
} from './MsgAddress.ts'
import { readStateInit, type StateInit, writeStateInit } from './StateInit.ts'

export type IntMsgInfo<Source extends MsgAddress = MsgAddressInt> = {
  readonly kind: 'internal'
  readonly ihrDisabled: boolean
  readonly bounce: boolean
  readonly bounced: boolean
  readonly source: Source
  readonly destination: MsgAddressInt
  readonly value: CurrencyCollection
  /** The same bits were ihr_fee before global version 12: which of the two they are is not in the message. */
  readonly extraFlags: bigint
  readonly fwdFee: bigint
  readonly createdLt: bigint
  readonly createdAt: number
}

export type ExtInMsgInfo = {
  readonly kind: 'externalIn'
  readonly source: MsgAddressExt
  readonly destination: MsgAddressInt
  readonly importFee: bigint
}

export type ExtOutMsgInfo<Source extends MsgAddress = MsgAddressInt> = {
  readonly kind: 'externalOut'
  readonly source: Source
  readonly destination: MsgAddressExt
  readonly createdLt: bigint
  readonly createdAt: number
}

export type CommonMsgInfo = IntMsgInfo | ExtInMsgInfo | ExtOutMsgInfo
/** In a list of actions: the source may still be missing. */
export type CommonMsgInfoRelaxed = IntMsgInfo<MsgAddress> | ExtOutMsgInfo<MsgAddress>

const readIntMsgInfo = <Source extends MsgAddress>(
  r: CellReader,
  readSource: (r: CellReader) => Source,
): IntMsgInfo<Source> => ({
  kind: 'internal',
  ihrDisabled: r.readBit(),
  bounce: r.readBit(),
  bounced: r.readBit(),
  source: readSource(r),
  destination: readMsgAddressInt(r),
  value: readCurrencyCollection(r),
  extraFlags: r.readVarUint(4),
  fwdFee: r.readCoins(),
  createdLt: r.readUint64(),
  createdAt: r.readUint(32),
})

const readExtOutMsgInfo = <Source extends MsgAddress>(
  r: CellReader,
  readSource: (r: CellReader) => Source,
): ExtOutMsgInfo<Source> => ({
  kind: 'externalOut',
  source: readSource(r),
  destination: readMsgAddressExt(r),
  createdLt: r.readUint64(),
  createdAt: r.readUint(32),
})

/**
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
 *   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32
 * ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams
 * ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 */
export const readCommonMsgInfo = (r: CellReader): CommonMsgInfo => {
  if (!r.readBit()) return readIntMsgInfo(r, readMsgAddressInt)
  if (r.readBit()) return readExtOutMsgInfo(r, readMsgAddressInt)
  return {
    kind: 'externalIn',
    source: readMsgAddressExt(r),
    destination: readMsgAddressInt(r),
    importFee: r.readCoins(),
  }
}

/** int_msg_info$0 … src:MsgAddress …, ext_out_msg_info$11 src:MsgAddress … = CommonMsgInfoRelaxed; */
export const readCommonMsgInfoRelaxed = (r: CellReader): CommonMsgInfoRelaxed => {
  if (!r.readBit()) return readIntMsgInfo(r, readMsgAddress)
  r.expectTag(1, 1)
  return readExtOutMsgInfo(r, readMsgAddress)
}

const writeCommonMsgInfo = (w: CellWriter, info: CommonMsgInfo | CommonMsgInfoRelaxed): void => {
  switch (info.kind) {
    case 'internal':
      w.writeBit(false).writeBit(info.ihrDisabled).writeBit(info.bounce).writeBit(info.bounced)
      writeMsgAddress(w, info.source)
      writeMsgAddress(w, info.destination)
      writeCurrencyCollection(w, info.value)
      w.writeVarUint(info.extraFlags, 4)
        .writeCoins(info.fwdFee)
        .writeUint64(info.createdLt)
        .writeUint(info.createdAt, 32)
      return
    case 'externalIn':
      w.writeUint(0b10, 2)
      writeMsgAddress(w, info.source)
      writeMsgAddress(w, info.destination)
      w.writeCoins(info.importFee)
      return
    case 'externalOut':
      w.writeUint(0b11, 2)
      writeMsgAddress(w, info.source)
      writeMsgAddress(w, info.destination)
      w.writeUint64(info.createdLt).writeUint(info.createdAt, 32)
  }
}

/** A StateInit and whether it stands in a cell of its own: the choice changes the hash of the message. */
export type MessageInit = { readonly inRef: boolean; readonly value: StateInit }

/** The body: a cell of its own, or the rest of the message's cell. */
export type MessageBody = Cell | CellSlice

export type MessageOf<Info> = {
  readonly info: Info
  readonly init: MessageInit | undefined
  readonly body: MessageBody
}

export type Message = MessageOf<CommonMsgInfo>
/** A message as a contract makes it, before the network fills in its source and times. */
export type MessageRelaxed = MessageOf<CommonMsgInfoRelaxed>

/**
 * message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 */
export const readMessage = (r: CellReader): Message => {
  const info = readCommonMsgInfo(r)
  const init = readMessageInit(r)
  return { info, init, body: readMessageBody(r) }
}

export const readMessageRelaxed = (r: CellReader): MessageRelaxed => {
  const info = readCommonMsgInfoRelaxed(r)
  const init = readMessageInit(r)
  return { info, init, body: readMessageBody(r) }
}

export const writeMessage = (w: CellWriter, { info, init, body }: Message | MessageRelaxed): void => {
  writeCommonMsgInfo(w, info)
  w.writeBit(init !== undefined)
  if (init !== undefined) {
    w.writeBit(init.inRef)
    if (init.inRef) w.writeRef(writeWhole(writeStateInit, init.value))
    else writeStateInit(w, init.value)
  }
  if (isBodyInRef(body)) w.writeBit(true).writeRef(body)
  else w.writeBit(false).writeSlice(body)
}

const readMessageInit = (r: CellReader): MessageInit | undefined => {
  if (!r.readBit()) return undefined
  if (r.readBit()) return { inRef: true, value: readWholeRef(r, readStateInit, 'A StateInit') }
  return { inRef: false, value: readStateInit(r) }
}

const readMessageBody = (r: CellReader): MessageBody => (r.readBit() ? r.readRefCell() : r.readRest())

const isBodyInRef = (body: MessageBody): body is Cell => !('bitStart' in body)

/** The body as a cell of its own: what its hash is taken of. */
export const bodyCell = (body: MessageBody): Cell => (isBodyInRef(body) ? body : sliceToCell(body))

/** Starts reading the body. */
export const openBody = (body: MessageBody): CellReader => (isBodyInRef(body) ? openCell(body) : openSlice(body))

/**
 * The cell whose hash identifies an external-in message regardless of its sender's encoding (TEP-467): no source, no import fee, no init, and
 * the body in a reference. Only the destination and the body are left.
 */
const normalizedExternalCell = ({ info, body }: Message): Cell => {
  if (info.kind !== 'externalIn') {
    throw new CellError(`Only an external-in message has a normalized hash, but got one of kind ${info.kind}.`)
  }
  const w = new CellWriter().writeUint(0b1000, 4)
  writeMsgAddress(w, info.destination)
  return w.writeCoins(0n).writeUint(0b01, 2).writeRef(bodyCell(body)).toCell()
}

/** A key to search by, not an identity: several messages, and several transactions, may share it. */
export const normalizedExternalHash = (message: Message): Uint8Array => normalizedExternalCell(message).hash()

/** The hash of a message that was made here. One that was received has the hash of its cell. */
export const messageHash = (message: Message): Uint8Array => writeWhole(writeMessage, message).hash()

/** The hash of the body as a cell of its own, wherever it stands in the message. */
export const bodyHash = (body: MessageBody): Uint8Array => bodyCell(body).hash()

/** The hash of a StateInit as a cell of its own: the account id of the contract that it starts. */
export const stateInitHash = (init: StateInit): Uint8Array => writeWhole(writeStateInit, init).hash()

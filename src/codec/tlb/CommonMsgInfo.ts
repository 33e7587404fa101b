import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
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

export const writeCommonMsgInfo = (w: CellWriter, info: CommonMsgInfo | CommonMsgInfoRelaxed): void => {
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

import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import type { CurrencyCollection } from './CurrencyCollection.ts'
import { type IntMsgInfo, readCommonMsgInfo } from './Message.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from './MsgAddress.ts'
import { readMaybe, unknownTag, writeMaybe } from './scalars.ts'

/** Where a message stands on its way. Nodes write the regular form only. */
export type IntermediateAddress =
  /** The first bits (of 32 of the workchain and 64 of the address) are the destination's, the rest are the source's. */
  | { readonly kind: 'regular'; readonly useDestBits: number }
  | { readonly kind: 'simple' | 'extended'; readonly workchain: number; readonly prefix: bigint }

const MAX_DEST_BITS = 96

/**
 * interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
 * interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
 * interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
 */
const readIntermediateAddress = (r: CellReader): IntermediateAddress => {
  if (!r.readBit()) return { kind: 'regular', useDestBits: checkBits(r.readUint(7)) }
  if (r.readBit()) return { kind: 'extended', workchain: r.readInt(32), prefix: r.readUint64() }
  return { kind: 'simple', workchain: r.readInt(8), prefix: r.readUint64() }
}

const writeIntermediateAddress = (w: CellWriter, address: IntermediateAddress): void => {
  switch (address.kind) {
    case 'regular':
      w.writeBit(false).writeUint(checkBits(address.useDestBits), 7)
      return
    case 'simple':
      w.writeUint(0b10, 2).writeInt(address.workchain, 8).writeUint64(address.prefix)
      return
    case 'extended':
      w.writeUint(0b11, 2).writeInt(address.workchain, 32).writeUint64(address.prefix)
  }
}

const checkBits = (bits: number): number => {
  if (bits > MAX_DEST_BITS)
    throw new CellError(`An address on the way has at most 96 bits of its destination, not ${bits}.`)
  return bits
}

/** Which transaction set off the chain of messages this one belongs to, and how many messages stand between. */
export type MsgMetadata = {
  readonly depth: number
  readonly initiatorAddr: MsgAddressInt
  readonly initiatorLt: bigint
}

/** msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata; */
const readMsgMetadata = (r: CellReader): MsgMetadata => {
  r.expectTag(0x0, 4)
  return { depth: r.readUint(32), initiatorAddr: readMsgAddressInt(r), initiatorLt: r.readUint64() }
}

const writeMsgMetadata = (w: CellWriter, { depth, initiatorAddr, initiatorLt }: MsgMetadata): void => {
  w.writeUint(0x0, 4).writeUint(depth, 32)
  writeMsgAddress(w, initiatorAddr)
  w.writeUint64(initiatorLt)
}

const TAG_V1 = 0x4
const TAG_V2 = 0x5

/** An internal message on its way. */
export type MsgEnvelope = {
  /** Only the second version has the last two fields, and nodes write it only where one of them is there. */
  readonly version: 1 | 2
  readonly curAddr: IntermediateAddress
  readonly nextAddr: IntermediateAddress
  readonly fwdFeeRemaining: bigint
  readonly msg: Cell
  /** When a deferred message left the dispatch queue: it is ordered by that, not by when it was created. */
  readonly emittedLt: bigint | undefined
  readonly metadata: MsgMetadata | undefined
}

/**
 * msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams msg:^(Message Any)
 *   = MsgEnvelope;
 * msg_envelope_v2#5 … msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
 */
export const readMsgEnvelope = (r: CellReader): MsgEnvelope => {
  const tag = r.readUint(4)
  if (tag !== TAG_V1 && tag !== TAG_V2) throw unknownTag('A MsgEnvelope', '#4 or #5', tag, 4)
  return {
    version: tag === TAG_V2 ? 2 : 1,
    curAddr: readIntermediateAddress(r),
    nextAddr: readIntermediateAddress(r),
    fwdFeeRemaining: r.readCoins(),
    msg: r.readRefCell(),
    emittedLt: tag === TAG_V2 && r.readBit() ? r.readUint64() : undefined,
    metadata: tag === TAG_V2 ? readMaybe(r, readMsgMetadata) : undefined,
  }
}

export const writeMsgEnvelope = (w: CellWriter, envelope: MsgEnvelope): void => {
  const { version, emittedLt, metadata } = envelope
  if (version === 1 && (emittedLt !== undefined || metadata !== undefined)) {
    throw new CellError('An envelope with an emission time or metadata is of version 2, but got version 1.')
  }
  w.writeUint(version === 2 ? TAG_V2 : TAG_V1, 4)
  writeIntermediateAddress(w, envelope.curAddr)
  writeIntermediateAddress(w, envelope.nextAddr)
  w.writeCoins(envelope.fwdFeeRemaining).writeRef(envelope.msg)
  if (version === 1) return
  w.writeBit(emittedLt !== undefined)
  if (emittedLt !== undefined) w.writeUint64(emittedLt)
  writeMaybe(w, writeMsgMetadata, metadata)
}

export const openMsgEnvelope = (cell: Cell): MsgEnvelope => readWhole(cell, readMsgEnvelope, 'A MsgEnvelope')

/** The header of the message in an envelope. Envelopes hold internal messages only. */
export const readEnvelopedInfo = ({ msg }: MsgEnvelope): IntMsgInfo => {
  const info = readCommonMsgInfo(openCell(msg))
  if (info.kind === 'internal') return info
  throw new CellError(`Expected an internal message in an envelope, but got one of kind ${info.kind}.`)
}

/**
 * Up to global version 11 a message carried an IHR fee on top of its value; since then the same bits are its extra flags and
 * count for nothing. A block does not say under which version it was made: parameter 8 of the configuration did.
 */
export type IhrFeeRule = { readonly ihrFeeCounts: boolean }

/** The amount that moves between shards with a message: its value and the fees still due on the way. */
export const envelopeValue = (envelope: MsgEnvelope, { ihrFeeCounts }: IhrFeeRule): CurrencyCollection => {
  const { value, extraFlags } = readEnvelopedInfo(envelope)
  const ihrFee = ihrFeeCounts ? extraFlags : 0n
  return { grams: value.grams + ihrFee + envelope.fwdFeeRemaining, extra: value.extra }
}

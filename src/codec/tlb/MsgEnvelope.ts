import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type IntMsgInfo, readCommonMsgInfo } from './CommonMsgInfo.ts'
import { type IntermediateAddress, readIntermediateAddress, writeIntermediateAddress } from './IntermediateAddress.ts'
import { type MsgMetadata, readMsgMetadata, writeMsgMetadata } from './MsgMetadata.ts'
import { readMaybe, writeMaybe } from './maybe.ts'
import { unknownTag } from './unknownTag.ts'

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
    throw new CellError('An envelope with an emission time or metadata is of version 2, version 1 came.')
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

/** What the message in an envelope says of itself; only internal messages are put into envelopes. */
export const readEnvelopedInfo = ({ msg }: MsgEnvelope): IntMsgInfo => {
  const info = readCommonMsgInfo(openCell(msg))
  if (info.kind === 'internal') return info
  throw new CellError(`An internal message was expected in an envelope, one of kind ${info.kind} came.`)
}

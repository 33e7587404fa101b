import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from './MsgAddress.ts'

/** Which transaction set off the chain of messages this one belongs to, and how many messages stand between. */
export type MsgMetadata = {
  readonly depth: number
  readonly initiatorAddr: MsgAddressInt
  readonly initiatorLt: bigint
}

/** msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata; */
export const readMsgMetadata = (r: CellReader): MsgMetadata => {
  r.expectTag(0x0, 4)
  return { depth: r.readUint(32), initiatorAddr: readMsgAddressInt(r), initiatorLt: r.readUint64() }
}

export const writeMsgMetadata = (w: CellWriter, { depth, initiatorAddr, initiatorLt }: MsgMetadata): void => {
  w.writeUint(0x0, 4).writeUint(depth, 32)
  writeMsgAddress(w, initiatorAddr)
  w.writeUint64(initiatorLt)
}

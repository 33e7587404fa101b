import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import type { LiteServerTransactionMetadata } from '../../codec/tl/liteServerTypes.ts'
import { openInMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { type MsgEnvelope, openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import { replaceLeadingBits } from '../../primitives/bytes.ts'
import { toUpperHex } from '../../primitives/hex.ts'
import { LiteRefusal } from './LiteRefusal.ts'

/** The envelope of the message that a transaction received: those from outside have none, and some have no message at all. */
export const findInMsgEnvelope = (inMsgDescr: Cell, transaction: Cell): Cell | undefined => {
  const inMsgs = openInMsgDescr(inMsgDescr)
  const message = openCell(transaction).readRef().readMaybeRefCell()
  if (message === undefined) return undefined
  const inMsg = inMsgs.find(message.hash())
  if (inMsg === undefined) {
    throw new LiteRefusal(0, `no InMsg in InMsgDescr for message with hash ${toUpperHex(message.hash())}`)
  }
  switch (inMsg.kind) {
    case 'immediate':
    case 'final':
    case 'deferredFinal':
      return inMsg.inMsg
    default:
      return undefined
  }
}

/** What an envelope says of the transaction that set all off, in the form of answers. */
export const toMetadata = ({ metadata }: MsgEnvelope): LiteServerTransactionMetadata | undefined =>
  metadata === undefined
    ? undefined
    : {
        mode: 0,
        depth: metadata.depth | 0,
        initiator: { workchain: metadata.initiatorAddr.workchain, id: accountOf(metadata.initiatorAddr) },
        initiatorLt: BigInt.asIntN(64, metadata.initiatorLt),
      }

export const findInMsgMetadata = (inMsgDescr: Cell, transaction: Cell): LiteServerTransactionMetadata | undefined => {
  const envelope = findInMsgEnvelope(inMsgDescr, transaction)
  return envelope === undefined ? undefined : toMetadata(openMsgEnvelope(envelope))
}

const accountOf = (address: MsgAddressInt): Uint8Array => {
  const hash = address.kind === 'std' ? address.hash : address.value
  if (address.kind === 'var' && address.bits !== 256) throw new LiteRefusal(0, 'failed to unpack MsgEnvelope')
  const { anycast } = address
  return anycast === undefined ? hash : replaceLeadingBits(hash, anycast.prefix, anycast.depth)
}

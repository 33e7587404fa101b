import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import type { LiteServerTransactionMetadata } from '../../codec/tl/liteServerTypes.ts'
import type { InMsgDescr } from '../../codec/tlb/InMsgDescr.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import { type MsgMetadata, openMsgEnvelope } from '../../codec/tlb/MsgEnvelope.ts'
import type { Address } from '../../primitives/Address.ts'
import { bytesEqual, replaceLeadingBits } from '../../primitives/bytes.ts'

/** Which transaction set off the messages that led here, and how many of them stand between. */
export type MessageMetadata = {
  readonly depth: number
  readonly initiator: Address
  readonly initiatorLt: bigint
}

/** The metadata of an envelope, its address as answers spell it. */
export const messageMetadata = ({ depth, initiatorAddr, initiatorLt }: MsgMetadata): MessageMetadata => ({
  depth,
  initiator: standardAddress(initiatorAddr),
  initiatorLt,
})

const standardAddress = (address: MsgAddressInt): Address => {
  const hash = address.kind === 'std' ? address.hash : address.value
  if (address.kind === 'var' && address.bits !== 256) {
    throw new ProofFailedError(`The account that set off a message has an address of ${address.bits} bits, not 256.`)
  }
  const { workchain, anycast } = address
  return {
    workchain,
    hash: anycast === undefined ? hash.slice() : replaceLeadingBits(hash, anycast.prefix, anycast.depth),
  }
}

/** The metadata of the message that a transaction received: only envelopes carry any, so not those from outside. */
export const findInMsgMetadata = (inMsgs: InMsgDescr, transaction: Cell): MessageMetadata | undefined => {
  const message = openCell(transaction).readRef().readMaybeRefCell()
  if (message === undefined) return undefined
  const inMsg = inMsgs.find(message.hash(0))
  if (inMsg === undefined) throw new ProofFailedError('The message of a transaction is not among those of its block.')
  if (inMsg.kind !== 'immediate' && inMsg.kind !== 'final' && inMsg.kind !== 'deferredFinal') return undefined
  const { metadata } = openMsgEnvelope(inMsg.inMsg)
  return metadata === undefined ? undefined : messageMetadata(metadata)
}

/** Whether a server states the proven metadata. */
export const statesMetadata = (stated: LiteServerTransactionMetadata, proven: MessageMetadata): boolean =>
  stated.depth >>> 0 === proven.depth &&
  stated.initiator.workchain === proven.initiator.workchain &&
  bytesEqual(stated.initiator.id, proven.initiator.hash) &&
  BigInt.asUintN(64, stated.initiatorLt) === proven.initiatorLt

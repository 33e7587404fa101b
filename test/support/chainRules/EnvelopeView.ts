import type { Cell } from '../../../src/codec/cell/Cell.ts'
import type { IntMsgInfo } from '../../../src/codec/tlb/Message.ts'
import { type MsgEnvelope, openMsgEnvelope, readEnvelopedInfo } from '../../../src/codec/tlb/MsgEnvelope.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type Amount, amountOf, gramsAmount, sumAmounts } from './amounts.ts'
import { type Place, placeOf, placeOnWay } from './routes.ts'

/** An envelope read in full. */
export type EnvelopeView = {
  readonly hash: string
  readonly envelope: MsgEnvelope
  readonly info: IntMsgInfo
  /** The hash of the message in it. */
  readonly message: string
  /** By which messages are taken in: when it left the dispatch queue, or else when it was created. */
  readonly lt: bigint
  readonly source: Place
  readonly destination: Place
  readonly current: Place
  readonly next: Place
}

export const openEnvelope = (cell: Cell): EnvelopeView => {
  const envelope = openMsgEnvelope(cell)
  const info = readEnvelopedInfo(envelope)
  const source = placeOf(info.source)
  const destination = placeOf(info.destination)
  return {
    hash: toHex(cell.hash()),
    envelope,
    info,
    message: toHex(envelope.msg.hash()),
    lt: envelope.emittedLt ?? info.createdLt,
    source,
    destination,
    current: placeOnWay(envelope.curAddr, source, destination),
    next: placeOnWay(envelope.nextAddr, source, destination),
  }
}

/** What is moved with a message: its value, the fee that its way still costs, and the IHR fee where there was one. */
export const carriedBy = ({ envelope, info }: EnvelopeView, ihrFeeCounts: boolean): Amount =>
  sumAmounts([
    amountOf(info.value),
    gramsAmount(envelope.fwdFeeRemaining),
    gramsAmount(ihrFeeCounts ? info.extraFlags : 0n),
  ])

/** Messages are taken in by their time and then their hash: -1, 0 or 1 as the first comes before, with or after. */
export const compareOrder = (
  a: { readonly lt: bigint; readonly message: string },
  b: { readonly lt: bigint; readonly message: string },
): number => {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  return a.message < b.message ? -1 : a.message > b.message ? 1 : 0
}

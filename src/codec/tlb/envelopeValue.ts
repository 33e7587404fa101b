import type { CurrencyCollection } from './CurrencyCollection.ts'
import { type MsgEnvelope, readEnvelopedInfo } from './MsgEnvelope.ts'

/**
 * Up to global version 11 a message carried an IHR fee on top of its value; since then the same bits are its extra flags and
 * count for nothing. A block does not say under which version it was made: parameter 8 of the configuration did.
 */
export type IhrFeeRule = { readonly ihrFeeCounts: boolean }

/** What is moved from shard to shard with a message: its value and the fees that are still to be earned on the way. */
export const envelopeValue = (envelope: MsgEnvelope, { ihrFeeCounts }: IhrFeeRule): CurrencyCollection => {
  const { value, extraFlags } = readEnvelopedInfo(envelope)
  const ihrFee = ihrFeeCounts ? extraFlags : 0n
  return { grams: value.grams + ihrFee + envelope.fwdFeeRemaining, extra: value.extra }
}

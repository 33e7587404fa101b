import { Type } from 'typebox'
import type { CommonMsgInfo } from '../../../codec/tlb/Message.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageReading } from '../TransactionReading.ts'
import { ExtraCurrencyView, toExtraCurrencyViews } from './ExtraCurrencyView.ts'
import { MessageDataView, toMessageDataView } from './MessageDataView.ts'
import { AmountView, HashView, LtView } from './scalars.ts'

/** What messages of both kinds have in common. */
export const messageMembers = {
  hash: HashView,
  value: AmountView,
  extra_currencies: Type.Array(ExtraCurrencyView),
  fwd_fee: AmountView,
  ihr_fee: AmountView,
  created_lt: LtView,
  body_hash: HashView,
  msg_data: MessageDataView,
}

export const toMessageMembers = (reading: MessageReading) => ({
  hash: toBase64(reading.hash),
  ...toInfoMembers(reading.message.info),
  // Instant routing is no longer there to be paid for.
  ihr_fee: '0',
  body_hash: toBase64(reading.body.hash()),
  msg_data: toMessageDataView(reading),
})

const toInfoMembers = (info: CommonMsgInfo) => ({
  value: (info.kind === 'internal' ? info.value.grams : 0n).toString(),
  extra_currencies: info.kind === 'internal' ? toExtraCurrencyViews(info.value.extra) : [],
  fwd_fee: (info.kind === 'internal' ? info.fwdFee : 0n).toString(),
  created_lt: (info.kind === 'externalIn' ? 0n : info.createdLt).toString(),
})

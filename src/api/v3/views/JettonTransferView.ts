import { type Static, Type } from 'typebox'
import type { JettonTransfer } from '../../../store/reader/jettonEvents.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { DecodedOrNull } from './DecodedView.ts'
import { PayloadText, toPayload } from './PayloadView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

export const JettonTransferView = Type.Object(
  {
    query_id: DecimalText,
    source: AddressText,
    destination: AddressText,
    amount: DecimalText,
    source_wallet: AddressText,
    jetton_master: AddressText,
    transaction_hash: HashText,
    transaction_lt: DecimalText,
    transaction_now: Type.Integer(),
    transaction_aborted: Type.Boolean(),
    response_destination: AddressText,
    custom_payload: PayloadText,
    decoded_custom_payload: DecodedOrNull,
    forward_ton_amount: DecimalText,
    forward_payload: PayloadText,
    decoded_forward_payload: DecodedOrNull,
    trace_id: HashText,
  },
  { $id: 'JettonTransfer' },
)

export const toJettonTransferView = (
  budget: AnswerBudget,
  transfer: JettonTransfer,
): Static<typeof JettonTransferView> => {
  const custom = toPayload(budget, transfer.customPayload)
  const forward = toPayload(budget, transfer.forwardPayload)
  return {
    query_id: String(transfer.queryId),
    source: addressText(transfer.source),
    destination: addressText(transfer.destination),
    amount: String(transfer.amount),
    source_wallet: addressText(transfer.sourceWallet),
    jetton_master: addressText(transfer.jettonMaster),
    transaction_hash: hashText(transfer.transactionHash),
    transaction_lt: String(transfer.lt),
    transaction_now: transfer.now,
    transaction_aborted: transfer.aborted,
    response_destination: addressText(transfer.responseDestination),
    custom_payload: custom.boc,
    decoded_custom_payload: custom.decoded,
    forward_ton_amount: String(transfer.forwardAmount),
    forward_payload: forward.boc,
    decoded_forward_payload: forward.decoded,
    trace_id: hashText(transfer.traceId),
  }
}

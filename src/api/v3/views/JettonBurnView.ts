import { type Static, Type } from 'typebox'
import type { JettonBurn } from '../../../store/reader/jettonEvents.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { DecodedOrNull } from './DecodedView.ts'
import { PayloadText, toPayload } from './PayloadView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

export const JettonBurnView = Type.Object(
  {
    query_id: DecimalText,
    owner: AddressText,
    jetton_wallet: AddressText,
    jetton_master: AddressText,
    transaction_hash: HashText,
    transaction_lt: DecimalText,
    transaction_now: Type.Integer(),
    transaction_aborted: Type.Boolean(),
    amount: DecimalText,
    response_destination: AddressText,
    custom_payload: PayloadText,
    decoded_custom_payload: DecodedOrNull,
    trace_id: HashText,
  },
  { $id: 'JettonBurn' },
)

export const toJettonBurnView = (budget: AnswerBudget, burn: JettonBurn): Static<typeof JettonBurnView> => {
  const custom = toPayload(budget, burn.customPayload)
  return {
    query_id: String(burn.queryId),
    owner: addressText(burn.owner),
    jetton_wallet: addressText(burn.jettonWallet),
    jetton_master: addressText(burn.jettonMaster),
    transaction_hash: hashText(burn.transactionHash),
    transaction_lt: String(burn.lt),
    transaction_now: burn.now,
    transaction_aborted: burn.aborted,
    amount: String(burn.amount),
    response_destination: addressText(burn.responseDestination),
    custom_payload: custom.boc,
    decoded_custom_payload: custom.decoded,
    trace_id: hashText(burn.traceId),
  }
}

import { type Static, Type } from 'typebox'
import type { NftTransfer } from '../../../store/reader/nfts.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { DecodedOrNull } from './DecodedView.ts'
import { PayloadText, toPayload } from './PayloadView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

export const NftTransferView = Type.Object(
  {
    query_id: DecimalText,
    nft_address: AddressText,
    nft_collection: Type.Union([AddressText, Type.Null()]),
    transaction_hash: HashText,
    transaction_lt: DecimalText,
    transaction_now: Type.Integer(),
    transaction_aborted: Type.Boolean(),
    old_owner: AddressText,
    new_owner: AddressText,
    response_destination: AddressText,
    custom_payload: PayloadText,
    decoded_custom_payload: DecodedOrNull,
    forward_amount: DecimalText,
    forward_payload: PayloadText,
    decoded_forward_payload: DecodedOrNull,
    trace_id: HashText,
  },
  { $id: 'NFTTransfer' },
)

export const toNftTransferView = (budget: AnswerBudget, transfer: NftTransfer): Static<typeof NftTransferView> => {
  const custom = toPayload(budget, transfer.customPayload)
  const forward = toPayload(budget, transfer.forwardPayload)
  return {
    query_id: String(transfer.queryId),
    nft_address: addressText(transfer.item),
    nft_collection: transfer.collection === undefined ? null : addressText(transfer.collection),
    transaction_hash: hashText(transfer.transactionHash),
    transaction_lt: String(transfer.lt),
    transaction_now: transfer.now,
    transaction_aborted: transfer.aborted,
    old_owner: addressText(transfer.oldOwner),
    new_owner: addressText(transfer.newOwner),
    response_destination: addressText(transfer.responseDestination),
    custom_payload: custom.boc,
    decoded_custom_payload: custom.decoded,
    forward_amount: String(transfer.forwardAmount),
    forward_payload: forward.boc,
    decoded_forward_payload: forward.decoded,
    trace_id: hashText(transfer.traceId),
  }
}

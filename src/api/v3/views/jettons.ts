import { type Static, Type } from 'typebox'
import type { JettonBurn, JettonTransfer } from '../../../store/reader/jettonEvents.ts'
import type { JettonMaster, JettonWallet } from '../../../store/reader/jettons.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { DecodedOrNull, PayloadText, toPayload } from './messages.ts'
import {
  AddressText,
  addressText,
  DecimalText,
  HashText,
  hashText,
  TokenContentView,
  toTokenContentView,
} from './scalars.ts'

export const JettonMasterView = Type.Object(
  {
    address: AddressText,
    total_supply: DecimalText,
    mintable: Type.Boolean(),
    admin_address: Type.Union([AddressText, Type.Null()]),
    jetton_content: TokenContentView,
    jetton_wallet_code_hash: HashText,
    code_hash: HashText,
    data_hash: HashText,
    last_transaction_lt: DecimalText,
  },
  { $id: 'JettonMaster' },
)

export const toJettonMasterView = (master: JettonMaster): Static<typeof JettonMasterView> => ({
  address: addressText(master.address),
  total_supply: String(master.totalSupply),
  mintable: master.mintable,
  admin_address: master.admin === undefined ? null : addressText(master.admin),
  jetton_content: toTokenContentView(master.content),
  jetton_wallet_code_hash: hashText(master.walletCodeHash),
  code_hash: hashText(master.codeHash),
  data_hash: hashText(master.dataHash),
  last_transaction_lt: String(master.lastLt),
})

/** Without mintless claims, which are off-chain. */
export const JettonWalletView = Type.Object(
  {
    address: AddressText,
    balance: DecimalText,
    owner: AddressText,
    jetton: AddressText,
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
  },
  { $id: 'JettonWallet' },
)

export const toJettonWalletView = (wallet: JettonWallet): Static<typeof JettonWalletView> => ({
  address: addressText(wallet.address),
  balance: String(wallet.balance),
  owner: addressText(wallet.owner),
  jetton: addressText(wallet.jetton),
  last_transaction_lt: String(wallet.lastLt),
  code_hash: hashText(wallet.codeHash),
  data_hash: hashText(wallet.dataHash),
})

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

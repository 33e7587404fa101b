import type { AddressText, DecimalText, WithoutShape } from './texts.ts'

/** Amounts by currency id. */
type ExtraAmounts = { readonly [id: string]: DecimalText }

type Election = { readonly stake_holder: AddressText | null; readonly amount?: DecimalText | undefined }

/** Transfers, jettons, and what accounts of the network itself do. */
export type AccountDetails = {
  readonly call_contract: {
    readonly opcode?: string | undefined
    readonly source?: AddressText | undefined
    readonly destination?: AddressText | undefined
    readonly value?: DecimalText | undefined
    readonly extra_currencies: ExtraAmounts
  }
  readonly contract_deploy: {
    readonly opcode?: string | undefined
    readonly source?: AddressText | undefined
    readonly destination?: AddressText | undefined
    readonly value?: DecimalText | undefined
  }
  readonly tick_tock: Readonly<Record<string, never>>
  readonly ton_transfer: {
    readonly source: AddressText
    readonly destination: AddressText
    readonly value: DecimalText
    readonly value_extra_currencies: ExtraAmounts
    readonly comment: string | null
    readonly encrypted: boolean
  }
  readonly jetton_burn: {
    readonly owner: AddressText
    readonly owner_jetton_wallet: AddressText | null
    readonly asset: AddressText
    readonly amount: DecimalText
  }
  readonly jetton_mint: {
    readonly asset: AddressText | null
    readonly receiver: AddressText | null
    readonly receiver_jetton_wallet: AddressText | null
    readonly amount: DecimalText | null
    readonly ton_amount: DecimalText
  }
  readonly jetton_transfer: {
    readonly asset: AddressText | null
    readonly sender: AddressText | null
    readonly receiver: AddressText | null
    readonly sender_jetton_wallet: AddressText | null
    readonly receiver_jetton_wallet: AddressText | null
    readonly amount: DecimalText
    readonly comment: string | null
    readonly is_encrypted_comment: boolean
    readonly query_id: DecimalText
    readonly response_destination: AddressText | null
    readonly custom_payload: string | null
    readonly forward_payload: string | null
    readonly forward_amount: DecimalText
  }
  readonly subscribe: {
    readonly subscriber: AddressText | null
    readonly beneficiary?: AddressText | undefined
    readonly subscription: AddressText | null
    readonly amount?: DecimalText | undefined
  }
  readonly unsubscribe: {
    readonly subscriber: AddressText | null
    readonly beneficiary?: AddressText | undefined
    readonly subscription: AddressText | null
    readonly amount?: DecimalText | undefined
  }
  readonly vesting_add_whitelist: {
    readonly query_id: DecimalText
    readonly accounts_added: readonly (AddressText | null)[]
    readonly source: AddressText | null
    readonly vesting: AddressText | null
  }
  readonly vesting_send_message: {
    readonly query_id: DecimalText
    readonly message_boc: string
    readonly source: AddressText | null
    readonly vesting: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
  readonly multisig_approve: {
    readonly signer_index: number
    readonly exit_code: number
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly multisig_create_order: {
    readonly query_id: DecimalText
    readonly order_seqno: DecimalText
    readonly is_created_by_signer: boolean
    readonly is_signed_by_creator: boolean
    readonly creator_index: number
    readonly expiration_date: number
    readonly order_boc: string
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly destination_order: AddressText | null
  }
  readonly multisig_execute: {
    readonly query_id: DecimalText
    readonly order_seqno: DecimalText
    readonly expiration_date: number
    readonly approvals_num: number
    readonly signers_hash: string
    readonly order_boc: string
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly election_deposit: Election
  readonly election_recover: Election
  readonly unknown: WithoutShape
}

import type { AddressText, DecimalText } from './texts.ts'

/** A packet of the bridge. Long numbers are hexadecimal, with 0x. */
type Packet = {
  readonly src_oapp: string
  readonly dst_oapp: string
  readonly src_eid: number
  readonly dst_eid: number
  readonly nonce: number
  readonly guid: string
  readonly message: string
}

type SentPacket = {
  readonly layerzero_send_data: {
    readonly send_request_id: number
    readonly msglib_manager: string
    readonly msglib: string
    readonly uln: AddressText | null
    readonly native_fee: number
    readonly zro_fee: number
    readonly endpoint: AddressText | null
    readonly channel: AddressText | null
  }
  readonly layerzero_packet_data: Packet
}

/** Bridges to other chains, and Cocoon. */
export type BridgeDetails = {
  readonly layerzero_commit_packet: {
    readonly sender: AddressText | null
    readonly endpoint: AddressText | null
    readonly uln: AddressText | null
    readonly uln_connection: AddressText | null
    readonly channel: AddressText | null
    readonly msglib_connection: AddressText | null
    readonly layerzero_packet_data: Packet
  }
  readonly layerzero_dvn_verify: {
    readonly initiator: AddressText | null
    readonly nonce: number
    readonly status: string
    readonly dvn: AddressText | null
    readonly proxy: AddressText | null
    readonly uln: AddressText | null
    readonly uln_connection: AddressText | null
  }
  readonly layerzero_send: SentPacket & {
    readonly initiator: AddressText | null
  }
  readonly layerzero_receive: {
    readonly sender: AddressText | null
    readonly oapp: AddressText | null
    readonly channel: AddressText | null
    readonly layerzero_packet_data: Packet
  }
  readonly layerzero_send_tokens: SentPacket & {
    readonly sender: AddressText | null
    readonly sender_wallet: AddressText | null
    readonly oapp: AddressText | null
    readonly oapp_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
  }
  readonly tgbtc_burn: {
    readonly source: AddressText | null
    readonly source_wallet: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
  }
  readonly tgbtc_burn_fallback: {
    readonly source: AddressText | null
    readonly source_wallet: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
  }
  readonly tgbtc_dkg_log_fallback: {
    readonly coordinator: AddressText | null
    readonly pubkey: string
    readonly timestamp: DecimalText
  }
  readonly tgbtc_mint: {
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
    readonly bitcoin_tx_id: string
    readonly destination_wallet: AddressText | null
  }
  readonly tgbtc_mint_fallback: {
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
    readonly bitcoin_tx_id: string
    readonly destination_wallet: AddressText | null
  }
  readonly tgbtc_new_key: {
    readonly source: AddressText | null
    readonly pubkey: string
    readonly coordinator: AddressText | null
    readonly pegout: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
  }
  readonly tgbtc_new_key_fallback: {
    readonly source: AddressText | null
    readonly pubkey: string
    readonly coordinator: AddressText | null
    readonly pegout: AddressText | null
    readonly amount: DecimalText
    readonly asset: AddressText | null
  }
  readonly cocoon_client_change_secret_hash: {
    readonly query_id: DecimalText
    readonly new_secret_hash: string
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly cocoon_client_register: {
    readonly query_id: DecimalText
    readonly nonce: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly cocoon_client_top_up: {
    readonly query_id: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
  readonly cocoon_client_withdraw: {
    readonly query_id: DecimalText
    readonly withdraw_amount: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
  readonly cocoon_grant_refund: {
    readonly query_id: DecimalText
    readonly new_tokens_used: DecimalText
    readonly expected_address: AddressText | null
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
  readonly cocoon_client_request_refund: {
    readonly query_id: DecimalText
    readonly via_wallet: boolean
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly cocoon_client_increase_stake: {
    readonly query_id: DecimalText
    readonly new_stake: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
  readonly cocoon_proxy_charge: {
    readonly query_id: DecimalText
    readonly new_tokens_used: DecimalText
    readonly expected_address: AddressText | null
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly cocoon_proxy_payout: {
    readonly query_id: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
  }
  readonly cocoon_register_proxy: {
    readonly query_id: DecimalText
    readonly destination: AddressText | null
  }
  readonly cocoon_unregister_proxy: {
    readonly query_id: DecimalText
    readonly seqno: number
    readonly destination: AddressText | null
  }
  readonly cocoon_worker_payout: {
    readonly payout_type: 'last' | 'regular'
    readonly query_id: DecimalText
    readonly new_tokens: DecimalText
    readonly worker_state: number
    readonly worker_tokens: DecimalText
    readonly source: AddressText | null
    readonly destination: AddressText | null
    readonly amount: DecimalText
  }
}

import type { AddressText, DecimalText, WithoutShape } from './texts.ts'

type AssetAmount = { readonly asset: AddressText | null; readonly amount: DecimalText }

type DexTransfer = {
  readonly asset: AddressText | null
  readonly source: AddressText | null
  readonly destination: AddressText | null
  readonly source_jetton_wallet: AddressText | null
  readonly destination_jetton_wallet: AddressText | null
  readonly amount: DecimalText
}

/** One swap of a route. */
type PeerSwap = {
  readonly asset_in: AddressText | null
  readonly amount_in: DecimalText
  readonly asset_out: AddressText | null
  readonly amount_out: DecimalText
}

/** Exchanges, staking and lending. */
export type MarketDetails = {
  readonly dex_deposit_liquidity: {
    readonly dex: 'coffee' | 'dedust' | 'stonfi_v2' | 'tonco'
    readonly amount_1: DecimalText | null
    readonly amount_2: DecimalText | null
    readonly asset_1: AddressText | null
    readonly asset_2: AddressText | null
    readonly user_jetton_wallet_1: AddressText | null
    readonly user_jetton_wallet_2: AddressText | null
    readonly source: AddressText | null
    readonly pool: AddressText | null
    readonly destination_liquidity: AddressText | null
    readonly lp_tokens_minted: DecimalText | null
    readonly target_asset_1: AddressText | null
    readonly target_asset_2: AddressText | null
    readonly target_amount_1: DecimalText | null
    readonly target_amount_2: DecimalText | null
    readonly vault_excesses: readonly AssetAmount[]
    readonly tick_lower: DecimalText | null
    readonly tick_upper: DecimalText | null
    readonly nft_index: DecimalText | null
    readonly nft_address: AddressText | null
  }
  readonly jetton_swap: {
    readonly dex: 'coffee' | 'dedust' | 'stonfi' | 'stonfi_v2' | 'tonco'
    readonly sender: AddressText | null
    readonly asset_in: AddressText | null
    readonly asset_out: AddressText | null
    readonly dex_incoming_transfer: DexTransfer
    readonly dex_outgoing_transfer: DexTransfer
    readonly peer_swaps: readonly PeerSwap[]
    readonly min_out_amount?: DecimalText | undefined
  }
  readonly dex_withdraw_liquidity: {
    readonly dex: 'coffee' | 'dedust' | 'stonfi_v2' | 'tonco'
    readonly amount_1: DecimalText | null
    readonly amount_2: DecimalText | null
    readonly asset_1: AddressText | null
    readonly asset_2: AddressText | null
    readonly user_jetton_wallet_1: AddressText | null
    readonly user_jetton_wallet_2: AddressText | null
    readonly lp_tokens_burnt: DecimalText | null
    readonly is_refund: null
    readonly source: AddressText | null
    readonly pool: AddressText | null
    readonly destination_liquidity: AddressText | null
    readonly burnt_nft_index: DecimalText | null
    readonly burnt_nft_address: AddressText | null
    readonly tick_lower: DecimalText | null
    readonly tick_upper: DecimalText | null
  }
  readonly tonco_deploy_pool: {
    readonly source: AddressText | null
    readonly pool: AddressText | null
    readonly router: AddressText | null
    readonly router_jetton_wallet_1: AddressText
    readonly router_jetton_wallet_2: AddressText
    readonly jetton_minter_1: AddressText
    readonly jetton_minter_2: AddressText
    readonly tick_spacing: DecimalText
    readonly initial_price_x96: DecimalText
    readonly protocol_fee: DecimalText
    readonly lp_fee_base: DecimalText
    readonly lp_fee_current: DecimalText
    readonly pool_active: boolean
  }
  readonly coffee_mev_protect_hold_funds: {
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly mev_contract: AddressText | null
    readonly mev_contract_jetton_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
  }
  /** The details are in `raw_action`. */
  readonly coffee_mev_protect_failed_swap: WithoutShape
  readonly coffee_create_pool_creator: {
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly deposit_recipient: AddressText | null
    readonly pool_creator_contract: AddressText | null
    readonly provided_asset: AddressText | null
    readonly asset_1: AddressText | null
    readonly asset_2: AddressText | null
    readonly amount: DecimalText
  }
  readonly coffee_create_pool: {
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly initiator_1: AddressText | null
    readonly initiator_2: AddressText | null
    readonly pool: AddressText | null
    readonly pool_creator_contract: AddressText | null
    readonly provided_asset: AddressText | null
    readonly amount: DecimalText
    readonly asset_1: AddressText | null
    readonly asset_2: AddressText | null
    readonly amount_1: DecimalText
    readonly amount_2: DecimalText
    readonly lp_tokens_minted: DecimalText
  }
  readonly coffee_create_vault: {
    readonly source: AddressText | null
    readonly vault: AddressText | null
    readonly asset: AddressText | null
    readonly value: DecimalText
  }
  readonly coffee_staking_claim_rewards: {
    readonly pool: AddressText | null
    readonly pool_jetton_wallet: AddressText | null
    readonly recipient: AddressText | null
    readonly recipient_jetton_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
  }
  readonly coffee_staking_deposit: {
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly pool: AddressText | null
    readonly pool_jetton_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
    readonly minted_item_address: AddressText
    readonly minted_item_index: DecimalText
  }
  readonly coffee_staking_withdraw: {
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly pool: AddressText | null
    readonly pool_jetton_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
    readonly nft_address: AddressText | null
    readonly nft_index: DecimalText
    readonly points: DecimalText
  }
  readonly stake_withdrawal: {
    readonly provider: 'liquid_staking' | 'nominator' | 'ethena'
    readonly stake_holder: AddressText | null
    readonly pool: AddressText | null
    readonly amount: DecimalText
    readonly payout_nft: AddressText | null
    readonly tokens_burnt: DecimalText | null
    readonly asset: AddressText | null
  }
  readonly stake_withdrawal_request: {
    readonly provider: 'liquid_staking' | 'nominator' | 'ethena'
    readonly stake_holder: AddressText | null
    readonly pool: AddressText | null
    readonly payout_nft: AddressText | null
    readonly asset: AddressText | null
    readonly tokens_burnt: DecimalText | null
    readonly tokens_minted?: DecimalText | undefined
  }
  readonly stake_deposit: {
    readonly provider: 'liquid_staking' | 'nominator' | 'ethena'
    readonly stake_holder: AddressText | null
    readonly pool: AddressText | null
    readonly amount: DecimalText
    readonly tokens_minted: DecimalText | null
    readonly asset: AddressText | null
    readonly source_asset?: AddressText | undefined
  }
  readonly evaa_supply: {
    readonly sender_jetton_wallet: AddressText | null
    readonly recipient_jetton_wallet: AddressText | null
    readonly master_jetton_wallet: AddressText | null
    readonly master: AddressText | null
    readonly asset_id: DecimalText
    readonly is_ton: boolean
    readonly source: AddressText | null
    readonly source_wallet: AddressText | null
    readonly recipient: AddressText | null
    readonly recipient_contract: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
  }
  readonly evaa_withdraw: {
    readonly recipient_jetton_wallet: AddressText | null
    readonly master_jetton_wallet: AddressText | null
    readonly master: AddressText | null
    readonly fail_reason: string | null
    readonly asset_id: DecimalText
    readonly source: AddressText | null
    readonly recipient: AddressText | null
    readonly owner_contract: AddressText | null
    readonly asset: AddressText | null
    readonly amount: DecimalText
  }
  readonly evaa_liquidate: {
    readonly fail_reason: string | null
    readonly debt_amount: DecimalText
    readonly source: AddressText | null
    readonly borrower: AddressText | null
    readonly borrower_contract: AddressText | null
    readonly collateral: DecimalText
    readonly asset_id: DecimalText
    readonly asset: AddressText | null
    readonly is_known_asset: boolean
    readonly amount: DecimalText
  }
  readonly jvault_claim: {
    readonly claimed_rewards: readonly { readonly jetton: AddressText; readonly amount: DecimalText }[]
    readonly source: AddressText | null
    readonly stake_wallet: AddressText | null
    readonly pool: AddressText | null
  }
  readonly jvault_stake: {
    readonly period: number
    readonly minted_stake_jettons: null
    readonly stake_wallet: AddressText | null
    readonly source: AddressText | null
    readonly source_jetton_wallet: AddressText | null
    readonly asset: AddressText | null
    readonly pool: AddressText | null
    readonly amount: DecimalText
  }
  readonly jvault_unstake: {
    readonly source: AddressText | null
    readonly stake_wallet: AddressText | null
    readonly pool: AddressText | null
    readonly amount: DecimalText
    readonly exit_code: number | null
    readonly asset: AddressText | null
    readonly staking_asset: AddressText | null
  }
  readonly jvault_unstake_request: {
    readonly source: AddressText | null
    readonly stake_wallet: AddressText | null
    readonly pool: AddressText | null
    readonly amount: DecimalText
    readonly exit_code: number | null
    readonly asset: AddressText | null
    readonly staking_asset: AddressText | null
  }
}

// Table of action types and the shortcuts of clients.

const v1 = [
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'jetton_transfer',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'nft_transfer',
  'nft_mint',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'auction_bid',
  'tick_tock',
]

const multisig = ['multisig_create_order', 'multisig_approve', 'multisig_execute']
const vesting = ['vesting_send_message', 'vesting_add_whitelist']
const evaa = ['evaa_supply', 'evaa_withdraw', 'evaa_liquidate']
const jvault = ['jvault_stake', 'jvault_unstake', 'jvault_claim', 'jvault_unstake_request']
const coffee = [
  'coffee_create_vault',
  'coffee_create_pool_creator',
  'coffee_create_pool',
  'coffee_mev_protect_hold_funds',
  'coffee_mev_protect_failed_swap',
  'coffee_staking_claim_rewards',
  'coffee_staking_deposit',
  'coffee_staking_withdraw',
]

const nftTrade = [
  'nft_put_on_sale',
  'nft_put_on_auction',
  'nft_cancel_sale',
  'nft_update_sale',
  'nft_purchase',
  'nft_cancel_auction',
  'nft_finish_auction',
  'auction_outbid',
  'teleitem_start_auction',
  'teleitem_cancel_auction',
]
const dnsTrade = ['dns_purchase', 'dns_release']
const layerzero = [
  'layerzero_send',
  'layerzero_send_tokens',
  'layerzero_receive',
  'layerzero_commit_packet',
  'layerzero_dvn_verify',
]

const cocoon = [
  'cocoon_worker_payout',
  'cocoon_proxy_payout',
  'cocoon_proxy_charge',
  'cocoon_client_top_up',
  'cocoon_register_proxy',
  'cocoon_unregister_proxy',
  'cocoon_client_register',
  'cocoon_client_change_secret_hash',
  'cocoon_client_request_refund',
  'cocoon_grant_refund',
  'cocoon_client_increase_stake',
  'cocoon_client_withdraw',
]

const v2 = [
  ...v1,
  ...multisig,
  ...vesting,
  ...evaa,
  ...jvault,
  'nft_discovery',
  'tonco_deploy_pool',
  ...coffee,
  'unknown',
]
const v3 = [...v2, ...nftTrade, ...dnsTrade, ...layerzero]
const v4 = [...v3, ...cocoon]
const nft = ['nft_transfer', 'nft_mint', 'auction_bid']
const dns = ['change_dns', 'delete_dns', 'renew_dns']

const shortcuts: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    v1,
    v2,
    v3,
    v4,
    latest: v4,
    staking: ['stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request'],
    jettons: ['jetton_transfer', 'jetton_burn', 'jetton_mint'],
    nft,
    'nft.v3': [...nft, 'nft_discovery', ...nftTrade],
    dns,
    'dns.v2': [...dns, ...dnsTrade],
    multisig,
    vesting,
    evaa,
    jvault,
    coffee,
    // Not part of any version: must be requested by name.
    tgbtc: [
      'tgbtc_mint',
      'tgbtc_burn',
      'tgbtc_new_key',
      'tgbtc_mint_fallback',
      'tgbtc_burn_fallback',
      'tgbtc_new_key_fallback',
      'tgbtc_dkg_log_fallback',
    ],
    layerzero,
    cocoon,
  }),
)

/** Expands types and shortcuts. The types of the first version are always included; without any name, all types are. */
export const expandActionTypes = (words: readonly string[]): readonly string[] => {
  const named = words.length === 0 ? ['latest'] : words
  return [...new Set([...v1, ...named.flatMap((word) => shortcuts.get(word) ?? [word])])]
}

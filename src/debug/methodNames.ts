import { getMethodId } from '../codec/tlb/VmValue.ts'
import { contractInterfaces } from '../contracts/interfaces/contractInterfaces.ts'

/** Get-methods of standards and of common contracts that no interface is told by. */
const MORE = [
  ...['seqno', 'get_public_key', 'get_subwallet_id', 'get_wallet_id', 'is_signature_allowed', 'get_extensions'],
  ...['get_plugin_list', 'is_plugin_installed', 'get_last_clean_time', 'processed?', 'get_timeout'],
  ...['get_jetton_data', 'get_wallet_address', 'get_wallet_data', 'get_next_admin_address', 'get_status'],
  ...['get_nft_data', 'get_collection_data', 'get_nft_address_by_index', 'get_nft_content', 'royalty_params'],
  ...['get_editor', 'get_authority_address', 'get_revoked_time', 'dnsresolve', 'get_domain', 'get_auction_info'],
  ...['get_multisig_data', 'get_order_data', 'get_order_address', 'get_order_estimate', 'get_vesting_data'],
  ...['get_locked_amount', 'get_whitelist', 'is_whitelisted', 'get_sale_data', 'get_pool_data', 'get_router_data'],
  ...[
    'get_expected_outputs',
    'get_reserves',
    'get_assets',
    'get_channel_data',
    'list_nominators',
    'get_nominator_data',
  ],
  ...['active_election_id', 'participates_in', 'participant_list', 'participant_list_extended', 'past_elections'],
  ...['compute_returned_stake', 'get_counter', 'counter', 'get_owner', 'owner', 'balance', 'get_balance', 'version'],
  ...['supported_interfaces', 'lazy_deployment_completed', 'get_static_data', 'list_proposals', 'get_proposal'],
]

const names = new Map<number, string>([
  [0, 'recv_internal'],
  [-1, 'recv_external'],
  [-2, 'run_ticktock'],
  [-3, 'split_prepare'],
  [-4, 'split_install'],
])
for (const name of [...MORE, ...contractInterfaces.flatMap(({ methods = [] }) => methods)]) {
  names.set(getMethodId(name), name)
}

/** `undefined` for a method of no known name. */
export const findMethodName = (id: number): string | undefined => names.get(id)

/** Names that come with the source of a contract go before known ones; any other method is named by its number. */
export const methodName = (id: number, own: Readonly<Record<string, string>> = {}): string =>
  own[String(id)] ?? findMethodName(id) ?? `method_${id}`

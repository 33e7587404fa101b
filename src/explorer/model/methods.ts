import { crc16 } from './addresses.ts'

// A table of names: contracts carry the numbers of their methods only.
const names = [
  'seqno',
  'get_public_key',
  'get_subwallet_id',
  'get_wallet_id',
  'get_plugin_list',
  'is_plugin_installed',
  'is_signature_allowed',
  'get_extensions',
  'is_signature_auth_allowed',
  'get_jetton_data',
  'get_wallet_address',
  'get_wallet_data',
  'get_status',
  'get_next_admin_address',
  'get_nft_data',
  'get_collection_data',
  'get_nft_address_by_index',
  'get_nft_content',
  'royalty_params',
  'get_editor',
  'get_revoked_time',
  'get_authority_address',
  'dnsresolve',
  'get_domain',
  'get_auction_info',
  'get_last_fill_up_time',
  'get_full_domain',
  'get_sale_data',
  'get_fix_price_data_v4',
  'get_auction_data',
  'get_auction_data_v4',
  'get_multisig_data',
  'get_order_address',
  'get_order_data',
  'get_vesting_data',
  'get_whitelist',
  'is_whitelisted',
  'get_locked_amount',
  'processed?',
  'get_last_clean_time',
  'get_timeout',
  'get_pool_data',
  'get_pool_full_data',
  'get_participant_list',
  'participates_in',
  'participant_list',
  'past_elections',
  'active_election_id',
  'compute_returned_stake',
  'get_past_complaints',
  'get_nominators_data',
  'get_members_raw',
  'get_pool_status',
  'get_channel_data',
  'get_static_data',
  'get_id',
  'get_owner',
  'version',
  'get_version',
  'get_counter',
  'counter',
  'list_proposals',
  'get_proposal',
  'unpack_config',
  'check_validator_signed',
  'get_price',
  'get_data',
  'balance',
] as const

const byId = new Map(names.map((name) => [(crc16(new TextEncoder().encode(name)) & 0xffff) | 0x10000, name as string]))

// Not methods: what messages, and the clock, set off.
const entries: { readonly [id: number]: string } = {
  0: 'recv_internal',
  [-1]: 'recv_external',
  [-2]: 'run_ticktock',
  524287: 'recv_external',
  524286: 'run_ticktock',
}

/** The name of a get-method; `undefined` where it is not in the table. */
export const findMethodName = (id: number): string | undefined => byId.get(id)

/** Whether it is an entry that messages or the clock call, and no get-method. */
export const isEntry = (id: number): boolean => entries[id] !== undefined

/** A name for any method. */
export const nameMethod = (id: number): string => entries[id] ?? byId.get(id) ?? `method_${id}`

import type { tables } from '../tables.ts'

/**
 * Where the rows of a table are on a cluster: spread by a column, on every server, or on the one that is asked. Every unique key
 * holds the column, and what belongs to an account is on the same server.
 */
type Placement = { readonly by: string } | 'everywhere' | 'here'

export const distribution: Readonly<Record<keyof typeof tables, Placement>> = {
  schema_migrations: 'here',
  leases: 'here',
  api_keys: 'here',
  api_key_usage: 'here',
  api_key_secret: 'here',
  self_made_keys: 'here',
  index_state: 'everywhere',
  covered_ranges: 'everywhere',
  open_traces: 'everywhere',
  unclassified_blocks: 'everywhere',
  indexed_blocks: { by: 'mc_seqno' },
  blocks: { by: 'mc_seqno' },
  shard_tops: { by: 'mc_seqno' },
  transactions: { by: 'account' },
  unreceived_messages: { by: 'account' },
  jetton_transfers: { by: 'account' },
  jetton_burns: { by: 'account' },
  nft_transfers: { by: 'account' },
  latest_account_states: { by: 'account' },
  transaction_lookup: { by: 'hash_key' },
  message_contents: { by: 'hash' },
  traces: { by: 'trace_id' },
  actions: { by: 'trace_id' },
  long_traces: { by: 'account' },
  action_accounts: { by: 'account' },
  codes: { by: 'code_hash' },
  jetton_masters: { by: 'address' },
  jetton_wallets: { by: 'address' },
  nft_collections: { by: 'address' },
  nft_items: { by: 'address' },
  nft_sales: { by: 'address' },
  dns_entries: { by: 'nft_item_address' },
  multisigs: { by: 'address' },
  multisig_orders: { by: 'address' },
  vesting_contracts: { by: 'address' },
  dex_pools: { by: 'address' },
  address_metadata: { by: 'address' },
}

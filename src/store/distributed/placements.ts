import type { tables } from '../schema/tables.ts'

/**
 * Where the rows of a table are on a Citus cluster: on the worker that a column decides, on every node, or on the coordinator. Every
 * unique key contains the column, and rows of one account share a worker. docs/decisions/0029 has the reasons.
 */
export type Placement = { readonly by: string } | 'everywhere' | 'here'

export const placements: Readonly<Record<keyof typeof tables, Placement>> = {
  schema_migrations: 'here',
  leases: 'here',
  api_keys: 'here',
  api_key_usage: 'here',
  api_key_secret: 'here',
  self_made_keys: 'here',
  webhook_endpoints: 'here',
  webhook_progress: 'here',
  webhook_senders: 'here',
  webhook_lanes: 'here',
  webhook_replays: 'here',
  webhook_deliveries: 'here',
  webhook_requests: 'here',
  index_state: 'here',
  covered_ranges: 'here',
  open_traces: 'here',
  indexed_blocks: 'here',
  blocks: 'here',
  shard_tops: 'here',
  unclassified_blocks: 'here',
  // Readers follow the cluster's rules once transactions are distributed, so these are there before.
  owned_wallets: { by: 'owner' },
  owned_items: { by: 'owner_address' },
  transactions: { by: 'account' },
  unreceived_messages: { by: 'account' },
  jetton_transfers: { by: 'account' },
  jetton_burns: { by: 'account' },
  nft_transfers: { by: 'account' },
  jetton_balances: { by: 'address' },
  latest_account_states: { by: 'account' },
  long_traces: { by: 'account' },
  action_accounts: { by: 'account' },
  jetton_wallets: { by: 'address' },
  nft_items: { by: 'address' },
  transaction_lookup: { by: 'hash_key' },
  message_contents: { by: 'hash' },
  traces: { by: 'trace_id' },
  actions: { by: 'trace_id' },
  codes: 'everywhere',
  jetton_masters: 'everywhere',
  nft_collections: 'everywhere',
  nft_sales: 'everywhere',
  dns_entries: 'everywhere',
  multisigs: 'everywhere',
  multisig_orders: 'everywhere',
  vesting_contracts: 'everywhere',
  dex_pools: 'everywhere',
  address_metadata: 'everywhere',
}

/** The tables whose rows are on the workers. */
export const workerTables: readonly string[] = Object.entries(placements)
  .filter(([, placement]) => typeof placement === 'object')
  .map(([table]) => table)

/** The tables that every node has. */
export const copiedTables: readonly string[] = Object.entries(placements)
  .filter(([, placement]) => placement === 'everywhere')
  .map(([table]) => table)

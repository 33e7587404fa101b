import type pg from 'pg'
import { DatabaseExtensionError, toDatabaseError } from '../errors.ts'
import type { tables } from '../schema/tables.ts'

/**
 * Where the rows of a table are on a Citus cluster: distributed by a column, replicated on every server, or local. Every unique
 * key contains the column, and rows of one account share a server.
 */
type Placement = { readonly by: string } | 'everywhere' | 'here'

export const distribution: Readonly<Record<keyof typeof tables, Placement>> = {
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
  jetton_balances: { by: 'address' },
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

/**
 * Distributes the tables over a Citus cluster, with their rows. Tables that are distributed already are skipped. Returns the
 * names of the others.
 */
export const distributeTables = async (client: pg.ClientBase): Promise<readonly string[]> => {
  try {
    await checkExtension(client)
    const { rows } = await client.query<{ name: string }>('SELECT logicalrelid::text AS name FROM pg_dist_partition')
    const present = new Set(rows.map(({ name }) => name))
    const distributed: string[] = []
    await client.query('SET statement_timeout = 0')
    for (const [table, placement] of Object.entries(distribution)) {
      if (placement === 'here' || present.has(table)) continue
      if (placement === 'everywhere') await client.query('SELECT create_reference_table($1)', [table])
      else await client.query('SELECT create_distributed_table($1, $2)', [table, placement.by])
      distributed.push(table)
    }
    return distributed
  } catch (error) {
    throw toDatabaseError(error)
  }
}

const checkExtension = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ there: boolean; available: boolean }>(
    `SELECT to_regproc('create_distributed_table') IS NOT NULL AS there,
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS available`,
  )
  const { there, available } = rows[0]!
  if (there) return
  throw new DatabaseExtensionError(
    available
      ? 'The server has the extension citus, but this database does not use it. Run CREATE EXTENSION citus in it as its administrator, add the worker nodes, and try again.'
      : 'Tables can be distributed only by a server with the extension citus, and this one does not have it. Name such a server with --database-url, or leave out --distribute.',
  )
}

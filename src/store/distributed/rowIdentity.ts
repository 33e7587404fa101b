import type pg from 'pg'

/**
 * Tables of workers whose rows no key tells apart. A worker that joins gets shards by logical replication while they are written to,
 * which needs the identity of every changed row: here it is the whole row. Rows of these tables are rarely changed.
 */
export const keylessTables: readonly string[] = [
  'jetton_balances',
  'action_accounts',
  'transaction_lookup',
  'message_contents',
  'actions',
]

export const identifyStatement = (table: string): string => `ALTER TABLE ${table} REPLICA IDENTITY FULL`

/** Lets the shards of all tables move while they are written to. */
export const identifyRows = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relreplident = 'd' AND c.relnamespace = current_schema()::regnamespace
       AND coalesce(i.inhparent, c.oid) = ANY ($1::text[]::regclass[])`,
    [keylessTables],
  )
  for (const { name } of rows) await client.query(identifyStatement(name))
}

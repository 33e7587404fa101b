import type pg from 'pg'
import { isDistributed } from '../distributed/engine.ts'
import type { CopyRow } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'
import { copyRows } from './copyRows.ts'
import { replaceNewest } from './replaceNewest.ts'

type TableName = keyof typeof tables
type Rows<Name extends TableName> = readonly CopyRow<(typeof tables)[Name]>[]

/** Tables with a one-column key in which the row with the newest `last_lt` wins. */
export const newestWins = {
  latest_account_states: 'account',
  jetton_masters: 'address',
  jetton_wallets: 'address',
  nft_collections: 'address',
  nft_items: 'address',
  nft_sales: 'address',
  dns_entries: 'nft_item_address',
  multisigs: 'address',
  multisig_orders: 'address',
  vesting_contracts: 'address',
  dex_pools: 'address',
} as const satisfies Partial<Record<TableName, string>>

export type NewestWinsTable = keyof typeof newestWins

/**
 * Inserts rows with distinct keys, or replaces older ones; `since_lt` becomes the least ever given. There must be no concurrent
 * inserts. Rows are copied, many times faster than as parameters: new ones directly, the others through a temporary table.
 */
export const upsertNewest = async <Name extends NewestWinsTable>(
  client: pg.ClientBase,
  table: Name,
  rows: Rows<Name>,
): Promise<void> => {
  if (isDistributed(client)) return replaceNewest(client, table, newestWins[table], rows)
  const present = await findPresent(client, table, rows)
  const isPresent = (row: Rows<Name>[number]): boolean => present.has(keyOf(table, row))
  const added = present.size === 0 ? rows : rows.filter((row) => !isPresent(row))
  if (added.length > 0) await copyRows(client, table, added)
  if (present.size === 0) return
  await stageRows(client, table, rows.filter(isPresent))
  await client.query(upsertStatement(table))
}

const keyBytes = <Name extends NewestWinsTable>(table: Name, row: Rows<Name>[number]): Uint8Array =>
  (row as unknown as Record<string, Uint8Array>)[newestWins[table]]!

const keyOf = <Name extends NewestWinsTable>(table: Name, row: Rows<Name>[number]): string =>
  textOf(keyBytes(table, row))

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** The keys of the rows that exist. */
const findPresent = async <Name extends NewestWinsTable>(
  client: pg.ClientBase,
  table: Name,
  rows: Rows<Name>,
): Promise<ReadonlySet<string>> => {
  const key = newestWins[table]
  const { rows: found } = await client.query<{ key: Uint8Array }>(
    `SELECT ${key} AS key FROM ${table} WHERE ${key} = ANY ($1::bytea[])`,
    [rows.map((row) => keyBytes(table, row))],
  )
  return new Set(found.map(({ key: bytes }) => textOf(bytes)))
}

// Newer existing rows are filtered out before the INSERT: a conflict would lock them, which is a write.
const upsertStatement = (table: NewestWinsTable): string => {
  const key = newestWins[table]
  const columns = Object.keys(tables[table])
  const hasSince = columns.includes('since_lt')
  const newer = (column: string): string =>
    `${column} = CASE WHEN excluded.last_lt > t.last_lt THEN excluded.${column} ELSE t.${column} END`
  const assignments = columns
    .filter((column) => column !== key)
    .map((column) =>
      column === 'since_lt'
        ? 'since_lt = least(t.since_lt, excluded.since_lt)'
        : hasSince
          ? newer(column)
          : `${column} = excluded.${column}`,
    )
  const matters = hasSince ? '(p.last_lt < s.last_lt OR p.since_lt > s.since_lt)' : 'p.last_lt < s.last_lt'
  return `INSERT INTO ${table} AS t (${columns.join(', ')})
    SELECT ${columns.map((column) => `s.${column}`).join(', ')}
    FROM ${stageName(table)} s LEFT JOIN ${table} p ON p.${key} = s.${key}
    WHERE p.${key} IS NULL OR ${matters}
    ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(', ')}`
}

/** Inserts rows whose key does not exist yet. */
export const insertMissing = async <Name extends TableName>(
  client: pg.ClientBase,
  table: Name,
  rows: Rows<Name>,
): Promise<void> => {
  await stageRows(client, table, rows)
  const columns = Object.keys(tables[table]).join(', ')
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${stageName(table)} ON CONFLICT DO NOTHING`,
  )
}

const stageName = (table: string): string => `stage_${table}`

const stageRows = async <Name extends TableName>(
  client: pg.ClientBase,
  table: Name,
  rows: Rows<Name>,
): Promise<void> => {
  const stage = stageName(table)
  await client.query(`CREATE TEMPORARY TABLE IF NOT EXISTS ${stage} (LIKE ${table}) ON COMMIT DELETE ROWS`)
  await copyRows(client, table, rows, undefined, stage)
}

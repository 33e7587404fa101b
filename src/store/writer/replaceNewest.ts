import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { findShards } from '../distributed/engine.ts'
import { findCopy, type OwnedCopy } from '../distributed/ownedTables.ts'
import type { CopyRow } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'
import { copyRows } from './copyRows.ts'

type TableName = keyof typeof tables
type Stored = {
  readonly key: Uint8Array
  readonly last_lt: bigint
  readonly since_lt: bigint | null
  /** Where the table has a copy by owner. */
  readonly owner: Uint8Array | null
}
type NewestRow = { readonly last_lt: bigint; readonly since_lt?: bigint } & Readonly<Record<string, unknown>>

/**
 * Inserts rows with distinct keys, or replaces older ones; `since_lt` becomes the least ever given. A join of a temporary table with
 * the stored rows takes many times as long on a cluster: rows are compared here instead, and those that lose are deleted by key.
 */
export const replaceNewest = async <Name extends TableName>(
  client: pg.ClientBase,
  table: Name,
  key: string,
  rows: readonly CopyRow<(typeof tables)[Name]>[],
): Promise<void> => {
  const given = rows as unknown as readonly NewestRow[]
  const hasSince = 'since_lt' in tables[table]
  const keyOf = (row: NewestRow): Uint8Array => row[key] as Uint8Array
  const copy = findCopy(table)
  const storedBy = new Map<string, Stored>()
  for (const keys of groupKeys(client, table, given.map(keyOf))) {
    const { rows: stored } = await client.query<Stored>(
      `SELECT ${key} AS key, last_lt, ${hasSince ? 'since_lt' : 'NULL::bigint AS since_lt'}, ${copy?.owner ?? 'NULL::bytea'} AS owner
       FROM ${table} WHERE ${key} = ANY ($1::bytea[])`,
      [keys],
    )
    for (const row of stored) storedBy.set(toHex(row.key), row)
  }
  const written: NewestRow[] = []
  const replaced: Stored[] = []
  const earlier: NewestRow[] = []
  for (const row of given) {
    const old = storedBy.get(toHex(keyOf(row)))
    const isEarlier = old !== undefined && row.since_lt !== undefined && row.since_lt < old.since_lt!
    if (old === undefined) written.push(row)
    else if (row.last_lt > old.last_lt) {
      written.push(hasSince && !isEarlier ? { ...row, since_lt: old.since_lt! } : row)
      replaced.push(old)
    } else if (isEarlier) earlier.push(row)
  }
  for (const keys of groupKeys(
    client,
    table,
    replaced.map((row) => row.key),
  )) {
    if (keys.length > 0) await client.query(`DELETE FROM ${table} WHERE ${key} = ANY ($1::bytea[])`, [keys])
  }
  if (copy !== undefined) await deleteOwned(client, copy, replaced)
  for (const [name, by] of [[table, key] as const, ...(copy === undefined ? [] : [[copy.copy, 'address'] as const])]) {
    if (earlier.length > 0) {
      await client.query(
        `UPDATE ${name} c SET since_lt = e.since_lt FROM unnest($1::bytea[], $2::bigint[]) AS e (key, since_lt) WHERE c.${by} = e.key`,
        [earlier.map(keyOf), earlier.map(({ since_lt }) => since_lt)],
      )
    }
    const copied = name === table ? written : written.filter((row) => (row[copy!.owner] ?? null) !== null)
    if (copied.length > 0) await copyRows(client, name, copied as never)
  }
}

const groupKeys = (client: pg.ClientBase, table: string, keys: readonly Uint8Array[]) =>
  findShards(client)?.group(table, keys) ?? [keys]

/** Deletes rows of a copy, on the shards of their owners. */
const deleteOwned = async (
  client: pg.ClientBase,
  { copy, owner }: OwnedCopy,
  rows: readonly Stored[],
): Promise<void> => {
  const byOwner = new Map<string, { readonly owner: Uint8Array; readonly keys: Uint8Array[] }>()
  for (const row of rows) {
    if (row.owner === null) continue
    const text = toHex(row.owner)
    const known = byOwner.get(text)
    if (known === undefined) byOwner.set(text, { owner: row.owner, keys: [row.key] })
    else known.keys.push(row.key)
  }
  const owners = [...byOwner.values()].map((each) => each.owner)
  for (const some of groupKeys(client, copy, owners)) {
    if (some.length === 0) continue
    const keys = some.flatMap((each) => byOwner.get(toHex(each))!.keys)
    await client.query(`DELETE FROM ${copy} WHERE ${owner} = ANY ($1::bytea[]) AND address = ANY ($2::bytea[])`, [
      some,
      keys,
    ])
  }
}

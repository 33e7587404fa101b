import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { findCopy } from '../distributed/ownedTables.ts'
import type { CopyRow } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'
import { copyRows } from './copyRows.ts'

type TableName = keyof typeof tables
type Stored = { readonly key: Uint8Array; readonly last_lt: bigint; readonly since_lt: bigint | null }
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
  const { rows: stored } = await client.query<Stored>(
    `SELECT ${key} AS key, last_lt, ${hasSince ? 'since_lt' : 'NULL::bigint AS since_lt'} FROM ${table} WHERE ${key} = ANY ($1::bytea[])`,
    [given.map(keyOf)],
  )
  const storedBy = new Map(stored.map((row) => [toHex(row.key), row]))
  const written: NewestRow[] = []
  const replaced: Uint8Array[] = []
  const earlier: NewestRow[] = []
  for (const row of given) {
    const old = storedBy.get(toHex(keyOf(row)))
    const isEarlier = old !== undefined && row.since_lt !== undefined && row.since_lt < old.since_lt!
    if (old === undefined) written.push(row)
    else if (row.last_lt > old.last_lt) {
      written.push(hasSince && !isEarlier ? { ...row, since_lt: old.since_lt! } : row)
      replaced.push(keyOf(row))
    } else if (isEarlier) earlier.push(row)
  }
  const copy = findCopy(table)
  for (const [name, by] of [[table, key] as const, ...(copy === undefined ? [] : [[copy.copy, 'address'] as const])]) {
    if (replaced.length > 0) await client.query(`DELETE FROM ${name} WHERE ${by} = ANY ($1::bytea[])`, [replaced])
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

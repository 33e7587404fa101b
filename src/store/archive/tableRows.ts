import type pg from 'pg'
import { partitionedTables, partitionName } from '../schema/tables.ts'
import { type ArchivedTable, archivedColumns } from './columns.ts'
import type { ArchivedRow } from './parquet.ts'

export type Span = { readonly start: number; readonly end: number }

/** What belongs to a partition: the rows of partitioned tables, and the lookups of its transactions. */
export const archivedTables: readonly ArchivedTable[] = [...partitionedTables, 'transaction_lookup']

/** The rows of a table that belong to a partition, to select from. */
export const rowsOf = (table: ArchivedTable, { start, end }: Span): string => {
  if (table === 'transaction_lookup') {
    return `(SELECT * FROM transaction_lookup WHERE mc_seqno >= ${start} AND mc_seqno < ${end})`
  }
  return table === 'open_traces' ? table : partitionName(table, start)
}

/** Values are written in the same way whatever the server's settings. */
export const fixOutput = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `SET bytea_output TO hex; SET TimeZone TO 'UTC'; SET statement_timeout TO 0; SET idle_in_transaction_session_timeout TO 0`,
  )
}

export type Fingerprint = { readonly rows: number; readonly fingerprint: string }

/** Number of the rows and the sum of their hashes. */
export const readFingerprint = async (client: pg.ClientBase, from: string): Promise<Fingerprint> => {
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint::numeric), 0)::text AS sum
     FROM ${from} t`,
  )
  return { rows: Number(rows[0]!.rows), fingerprint: rows[0]!.sum }
}

/** Rows in memory at a time, and in a group of a Parquet file. */
const GROUP_ROWS = 10_000

/** The rows of a table in groups, as they are archived. Needs a transaction. */
export const readGroups = async function* (
  client: pg.ClientBase,
  table: ArchivedTable,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<readonly ArchivedRow[]> {
  const columns = archivedColumns(table).map(({ sql }) => sql)
  await client.query(`DECLARE archived NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${from} t`)
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await client.query<ArchivedRow & pg.QueryResultRow>(`FETCH ${GROUP_ROWS} FROM archived`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('CLOSE archived')
}

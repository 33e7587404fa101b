import type pg from 'pg'
import { toDatabaseError } from '../connect/toDatabaseError.ts'
import { readApplied } from '../migrate/appliedMigrations.ts'
import { listMigrations } from '../migrate/Migration.ts'
import { type IndexStatus, readIndexStatus } from './readIndexStatus.ts'
import type { TableStatus } from './TableStatus.ts'

export type DatabaseStatus = {
  readonly serverVersion: string
  readonly database: string
  readonly bytes: number
  readonly connections: number
  readonly tables: readonly TableStatus[]
  /** `undefined` where nothing was ever indexed. */
  readonly index: IndexStatus | undefined
  readonly migrations: { readonly applied: number; readonly known: number; readonly last: string | undefined }
}

/** What can be told of a database in a moment. It may be empty. */
export const readStatus = async (client: pg.ClientBase): Promise<DatabaseStatus> => {
  try {
    const { rows: servers } = await client.query<{ version: string; name: string; bytes: bigint; connections: number }>(
      `SELECT current_setting('server_version') AS version, current_database() AS name,
        pg_database_size(current_database()) AS bytes,
        (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend')
          AS connections`,
    )
    const { version, name, bytes, connections } = servers[0]!
    const applied = await readApplied(client)
    const last = applied.at(-1)
    const tables = await listTables(client)
    return {
      serverVersion: version,
      database: name,
      bytes: Number(bytes),
      connections,
      tables,
      index: await readIndexStatus(client, tables),
      migrations: { applied: applied.length, known: listMigrations().length, last: last?.name },
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** Tables with all that belongs to them, the largest first. A partitioned one is the sum of its partitions. */
const listTables = async (client: pg.ClientBase): Promise<TableStatus[]> => {
  const { rows } = await client.query<{
    name: string
    rows: number
    bytes: bigint
    index_bytes: bigint
    partitions: number
  }>(
    `SELECT r.relname AS name, sum(greatest(c.reltuples, s.n_live_tup, 0))::float8 AS rows,
       sum(pg_total_relation_size(c.oid))::int8 AS bytes, sum(pg_indexes_size(c.oid))::int8 AS index_bytes,
       count(*) FILTER (WHERE c.relispartition)::int AS partitions
     FROM pg_class c
       JOIN pg_class r ON r.oid = CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid ELSE c.oid END
       LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
     GROUP BY r.relname ORDER BY sum(pg_total_relation_size(c.oid)) DESC, r.relname`,
  )
  return rows.map(({ name, rows: count, bytes, index_bytes, partitions }) => ({
    name,
    rows: count,
    bytes: Number(bytes),
    indexBytes: Number(index_bytes),
    partitions,
  }))
}

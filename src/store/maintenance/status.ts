import type pg from 'pg'
import { isDistributed } from '../distributed/engine.ts'
import { type ClusterSizes, readClusterSizes } from '../distributed/nodeSizes.ts'
import { toDatabaseError } from '../errors.ts'
import { listMigrations, readApplied } from '../migrate/migrateDatabase.ts'
import { readRanges } from '../writer/indexState.ts'

/** Size of a table, including its partitions. */
export type TableStatus = {
  readonly name: string
  /** The server's estimate; exact right after ANALYZE. */
  readonly rows: number
  readonly bytes: number
  readonly indexBytes: number
  readonly partitions: number
}

export type IndexStatus = {
  readonly ranges: readonly { readonly firstSeqno: number; readonly lastSeqno: number }[]
  /** Blocks below were dropped by retention. */
  readonly retainedFrom: number
  /** Masterchain blocks of a partition at most. */
  readonly partitionWidth: number
  /** `undefined` if all accounts are indexed. */
  readonly watchedAccounts: number | undefined
  readonly blocks: number
  readonly transactions: number
  readonly bytesPerTransaction: number | undefined
  /** The newest block and its age. */
  readonly newest: { readonly seqno: number; readonly utime: number; readonly lagSeconds: number } | undefined
  /** Growth, from the newest blocks. */
  readonly rate: { readonly transactionsPerDay: number; readonly bytesPerDay: number | undefined } | undefined
}

const RATE_BLOCKS = 10_000
// Above this, use the server's estimate: counting takes too long for an interactive command.
const MAX_COUNTED = 2_000_000
const DAY_SECONDS = 86_400

/** State and size of the index; `undefined` if the database is not an index yet. */
export const readIndexStatus = async (
  client: pg.ClientBase,
  tables: readonly TableStatus[],
  now: Date = new Date(),
): Promise<IndexStatus | undefined> => {
  if (!tables.some(({ name }) => name === 'index_state')) return undefined
  const { rows: states } = await client.query<{
    retained_from: number
    partition_width: number
    watched: number | null
  }>('SELECT retained_from, partition_width, cardinality(watched_accounts) AS watched FROM index_state')
  const state = states[0]
  if (state === undefined) return undefined
  const ranges = (await readRanges(client)).map(({ firstSeqno, lastSeqno }) => ({ firstSeqno, lastSeqno }))
  const { blocks, transactions } = await countRows(client, tables)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const bytesPerTransaction = transactions === 0 ? undefined : bytes / transactions
  const lastSeqno = ranges.at(-1)?.lastSeqno
  return {
    ranges,
    retainedFrom: state.retained_from,
    partitionWidth: state.partition_width,
    watchedAccounts: state.watched ?? undefined,
    blocks,
    transactions,
    bytesPerTransaction,
    ...(lastSeqno === undefined
      ? { newest: undefined, rate: undefined }
      : await readNewest(client, lastSeqno, bytesPerTransaction, now)),
  }
}

const countRows = async (
  client: pg.ClientBase,
  tables: readonly TableStatus[],
): Promise<Pick<IndexStatus, 'blocks' | 'transactions'>> => {
  const estimate = (name: string): number => Math.round(tables.find((table) => table.name === name)?.rows ?? 0)
  if (estimate('indexed_blocks') > MAX_COUNTED) {
    return { blocks: estimate('indexed_blocks'), transactions: estimate('transactions') }
  }
  const { rows } = await client.query<{ blocks: number; transactions: number }>(
    'SELECT count(*)::int AS blocks, coalesce(sum(tx_count), 0)::float8 AS transactions FROM indexed_blocks',
  )
  return rows[0]!
}

const readNewest = async (
  client: pg.ClientBase,
  lastSeqno: number,
  bytesPerTransaction: number | undefined,
  now: Date,
): Promise<Pick<IndexStatus, 'newest' | 'rate'>> => {
  const { rows } = await client.query<{ first: number | null; last: number | null; transactions: number }>(
    `SELECT min(gen_utime) AS first, max(gen_utime) AS last, coalesce(sum(tx_count), 0)::float8 AS transactions
     FROM indexed_blocks WHERE mc_seqno > $1`,
    [lastSeqno - RATE_BLOCKS],
  )
  const { first, last, transactions } = rows[0]!
  if (first === null || last === null) return { newest: undefined, rate: undefined }
  const perDay = last > first ? (transactions / (last - first)) * DAY_SECONDS : undefined
  return {
    newest: { seqno: lastSeqno, utime: last, lagSeconds: Math.max(0, now.getTime() / 1000 - last) },
    rate:
      perDay === undefined
        ? undefined
        : {
            transactionsPerDay: perDay,
            bytesPerDay: bytesPerTransaction === undefined ? undefined : perDay * bytesPerTransaction,
          },
  }
}

export type DatabaseStatus = {
  readonly serverVersion: string
  readonly database: string
  /** On all nodes of a cluster. */
  readonly bytes: number
  /** `undefined` if the tables are not distributed. */
  readonly cluster: { readonly nodes: number; readonly unreachable: number } | undefined
  readonly connections: number
  readonly tables: readonly TableStatus[]
  /** `undefined` if nothing was ever indexed. */
  readonly index: IndexStatus | undefined
  readonly migrations: { readonly applied: number; readonly known: number; readonly last: string | undefined }
}

/** Status of a database, from fast queries. It may be empty. */
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
    const cluster = isDistributed(client) ? await readClusterSizes(client) : undefined
    const tables = addShards(await listTables(client), cluster)
    return {
      serverVersion: version,
      database: name,
      bytes: cluster?.bytes ?? Number(bytes),
      cluster: cluster && { nodes: cluster.nodes, unreachable: cluster.unreachable },
      connections,
      tables,
      index: await readIndexStatus(client, tables),
      migrations: { applied: applied.length, known: listMigrations().length, last: last?.name },
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

const addShards = (tables: readonly TableStatus[], cluster: ClusterSizes | undefined): readonly TableStatus[] => {
  if (cluster === undefined) return tables
  const added = tables.map((table) => {
    const shards = cluster.tables.get(table.name)
    if (shards === undefined) return table
    const { rows, bytes, indexBytes } = shards
    return { ...table, rows, bytes: table.bytes + bytes, indexBytes: table.indexBytes + indexBytes }
  })
  return added.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
}

/** Tables with their indexes, largest first. A partitioned one is the sum of its partitions. */
const listTables = async (client: pg.ClientBase): Promise<TableStatus[]> => {
  const { rows } = await client.query<{
    name: string
    rows: number
    bytes: bigint
    index_bytes: bigint
    partitions: number
  }>(
    `SELECT r.relname AS name,
       -- ANALYZE of a partitioned table notes the rows of all partitions there, too.
       coalesce(sum(greatest(c.reltuples, s.n_live_tup, 0)) FILTER (WHERE c.relkind = 'r'), 0)::float8 AS rows,
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

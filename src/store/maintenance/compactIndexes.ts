import pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { isDistributed } from '../distributed/engine.ts'
import { CompactionRunningError, DatabaseTimeoutError, toDatabaseError } from '../errors.ts'
import { partitionsText } from '../schema/tables.ts'

type Connections = Pick<Database, 'openConnection'>

/** An index that was rebuilt, with its size before and after. */
export type CompactedIndex = {
  readonly index: string
  readonly table: string
  readonly bytesBefore: number
  readonly bytes: number
}

export type CompactOptions = {
  /** Cancels the rebuild that is running. The old index stays. */
  readonly signal: AbortSignal
  /** How long a rebuild waits for transactions that began before it. */
  readonly waitMs?: number
  /** Smaller indexes are left alone. */
  readonly minBytes?: number
  readonly onStart?: (start: IndexStart) => void
  readonly onIndex?: (compacted: CompactedIndex) => void
}

/** A rebuild that begins: the first of three has the position 1. */
export type IndexStart = {
  readonly index: string
  readonly bytes: number
  readonly position: number
  readonly count: number
}

const MIN_BYTES = 4 << 20
/** A rebuild must make the index smaller by this share. */
const MIN_GAIN = 0.15
/** Keys that arrive in order fill page after page: a rebuild gains nothing. */
const IN_ORDER = 0.99
const WAIT_MS = 30_000
// A command that was told to stop has ten seconds.
const CLEANUP_WAIT_MS = 5000
// A large index takes hours. The driver takes 0 for its default.
const NO_TIMEOUT_MS = 0x7fff_ffff
// An arbitrary unique lock number: "compacti" as bytes.
const LOCK_KEY = 0x636f_6d70_6163_7469n

/**
 * Rebuilds large B-tree indexes that are loosely filled, one after the other: keys that arrive in random order leave pages half
 * empty. Reads and writes go on meanwhile. Hash indexes gain nothing. Indexes on the workers of a cluster are not seen. An index that fails, or is interrupted, stays as it was.
 */
export const compactIndexes = (
  database: Connections,
  { signal, waitMs = WAIT_MS, minBytes = MIN_BYTES, onStart, onIndex }: CompactOptions,
): Promise<readonly CompactedIndex[]> =>
  rebuild(database, { signal, waitMs }, async (client) => {
    // Each leaves room on the disk for the next.
    const loose = (await listIndexes(client, minBytes)).filter(isLoose).sort((a, b) => a.bytes - b.bytes)
    const compacted: CompactedIndex[] = []
    for (const [k, { index, table, bytes: bytesBefore }] of loose.entries()) {
      onStart?.({ index, bytes: bytesBefore, position: k + 1, count: loose.length })
      const bytes = await rebuildIndex(database, client, index, { signal, waitMs })
      const done = { index, table, bytesBefore, bytes }
      compacted.push(done)
      onIndex?.(done)
    }
    return compacted
  })

const PACKED = 'packed'
const PACK_MIN_BYTES = 1 << 16
/** Of the pages of B-tree indexes, in percent. PostgreSQL leaves a tenth free for later rows, which a complete partition does not get. */
const FILL_FACTORS = { complete: 100, present: 90 } as const

export type PackOptions = { readonly waitMs?: number; readonly fillFactor?: number }

/**
 * Rebuilds the indexes of partitions, however they are filled. `complete` are completely covered partitions, each of them once;
 * `present` are all others, too. Returns the number of tables. Reads and writes go on meanwhile.
 */
export const packPartitions = (
  database: Connections,
  which: keyof typeof FILL_FACTORS,
  signal: AbortSignal,
  { waitMs = WAIT_MS, fillFactor = FILL_FACTORS[which] }: PackOptions = {},
): Promise<number> =>
  rebuild(database, { signal, waitMs }, async (client) => {
    // Indexes of one table that are rebuilt at the same time would take the same name.
    if (isDistributed(client)) await client.query(`SET citus.multi_shard_modify_mode TO 'sequential'`)
    const { rows: tables } = await client.query<{ name: string }>(which === 'present' ? ALL : COMPLETE, [PACKED])
    for (const { name } of tables) {
      if (isDistributed(client)) {
        await runRebuild(database, client, `TABLE CONCURRENTLY ${pg.escapeIdentifier(name)}`, { signal, waitMs })
      } else {
        const indexes = (await listIndexes(client, PACK_MIN_BYTES)).filter(({ table }) => table === name)
        for (const { index } of indexes) {
          await client.query(`ALTER INDEX ${pg.escapeIdentifier(index)} SET (fillfactor = ${fillFactor})`)
          await rebuildIndex(database, client, index, { signal, waitMs })
        }
      }
      // A partition that may still grow is packed again when it is complete.
      if (which === 'complete') await client.query(`COMMENT ON TABLE ${pg.escapeIdentifier(name)} IS '${PACKED}'`)
    }
    return tables.length
  })

const ALL = `
  SELECT * FROM (${partitionsText}) AS p WHERE coalesce(obj_description(p.name::regclass, 'pg_class'), '') <> $1 ORDER BY name`

const COMPLETE = `
  SELECT a.name FROM (${ALL}) AS a, covered_ranges AS r WHERE a.first >= r.first_seqno AND a.last <= r.last_seqno`

type RebuildLimits = { readonly signal: AbortSignal; readonly waitMs: number }

/** Runs rebuilds on a connection of their own, in one process at a time, and drops what interrupted ones have left. */
const rebuild = async <T>(
  database: Connections,
  { signal, waitMs }: RebuildLimits,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  const client = await database.openConnection('compact')
  try {
    await client.query(`SET statement_timeout TO 0; SET lock_timeout TO ${waitMs}`)
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY])
    if (!rows[0]!.taken) {
      throw new CompactionRunningError('Another process is compacting indexes of this database. Try again later.')
    }
    await dropHalfBuilt(client)
    try {
      return await work(client)
    } catch (error) {
      await client.query(`SET lock_timeout TO ${Math.min(waitMs, CLEANUP_WAIT_MS)}`).catch(() => undefined)
      // What stays is dropped by the next run.
      await dropHalfBuilt(client).catch(() => undefined)
      throw error
    }
  } catch (error) {
    signal.throwIfAborted()
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

/** Drops copies of indexes that an interrupted rebuild has left. */
const dropHalfBuilt = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relname ~ '_cc(new|old)[0-9]*$'
       AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`)
}

type FoundIndex = {
  readonly index: string
  readonly table: string
  readonly bytes: number
  /** An estimate; negative if unknown. */
  readonly rows: number
  /** Of the order of the first column with the order of rows in the table, from -1 to 1. */
  readonly correlation: number | null
  /** Of the last rebuild. */
  readonly bytesPerRow: number | null
}

/**
 * Valid B-tree indexes of at least a size. Rows are counted as the planner does: the last known number, scaled by the growth of the
 * table since.
 */
const listIndexes = async (client: pg.Client, minBytes: number): Promise<readonly FoundIndex[]> => {
  const { rows } = await client.query<FoundIndex>(
    `SELECT c.relname AS index, t.relname AS "table", pg_relation_size(c.oid)::float8 AS bytes,
       c.reltuples::float8 * CASE WHEN t.relpages > 0
         THEN pg_relation_size(t.oid)::float8 / t.relpages / current_setting('block_size')::int ELSE 1 END AS rows,
       s.correlation::float8 AS correlation,
       substring(obj_description(c.oid, 'pg_class') FROM '^compacted to ([0-9.]+) bytes per row$')::float8 AS "bytesPerRow"
     FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_class t ON t.oid = i.indrelid
       JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
       LEFT JOIN pg_attribute k ON k.attrelid = t.oid AND k.attnum = i.indkey[0]
       LEFT JOIN pg_stats s ON s.schemaname = current_schema() AND s.tablename = t.relname AND s.attname = k.attname
     WHERE i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
       AND pg_relation_size(c.oid) >= $1
     ORDER BY 1`,
    [minBytes],
  )
  return rows
}

/**
 * Equal keys share an entry, so the size of a full index cannot be told from its columns. It is known after the first rebuild, and is
 * noted as a comment of the index: from then on, only an index that has become looser is rebuilt.
 */
const isLoose = ({ bytes, rows, correlation, bytesPerRow }: FoundIndex): boolean =>
  bytesPerRow === null
    ? correlation === null || correlation < IN_ORDER
    : rows >= 0 && bytesPerRow * rows < (1 - MIN_GAIN) * bytes

/** Rebuilds an index and returns its size. */
const rebuildIndex = async (
  database: Connections,
  client: pg.Client,
  index: string,
  limits: RebuildLimits,
): Promise<number> => {
  const name = pg.escapeIdentifier(index)
  await runRebuild(database, client, `INDEX CONCURRENTLY ${name}`, limits)
  // The rebuild has counted the rows.
  const { rows } = await client.query<{ bytes: number; rows: number }>(
    'SELECT pg_relation_size(oid)::float8 AS bytes, reltuples::float8 AS rows FROM pg_class WHERE oid = $1::regclass',
    [name],
  )
  const { bytes, rows: count } = rows[0]!
  if (count > 0) {
    await client.query(`COMMENT ON INDEX ${name} IS 'compacted to ${(bytes / count).toFixed(3)} bytes per row'`)
  }
  return bytes
}

const LOCK_TIMEOUT = '55P03'

/** The driver's types leave out the timeout of one query. */
type LongQuery = pg.QueryConfig & { readonly query_timeout: number }

/** Runs a REINDEX; the server cancels it at the signal. */
const runRebuild = async (
  database: Connections,
  client: pg.Client,
  what: string,
  { signal, waitMs }: RebuildLimits,
): Promise<void> => {
  signal.throwIfAborted()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  let cancelling: Promise<void> | undefined
  const cancel = (): void => {
    cancelling = cancelBackend(database, rows[0]!.pid)
  }
  signal.addEventListener('abort', cancel)
  try {
    const query: LongQuery = { text: `REINDEX ${what}`, query_timeout: NO_TIMEOUT_MS }
    await client.query(query)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== LOCK_TIMEOUT) throw error
    throw new DatabaseTimeoutError(
      `Compaction gave up: a transaction that began before the rebuild was still open after ${waitMs / 1000} s (REINDEX ${what}). The old index is in use as before. Run it again later.`,
      { cause: error },
    )
  } finally {
    signal.removeEventListener('abort', cancel)
    // Else it could cancel the cleanup.
    await cancelling
  }
}

const cancelBackend = async (database: Connections, pid: number): Promise<void> => {
  try {
    const client = await database.openConnection('cancel')
    await client.query('SELECT pg_cancel_backend($1)', [pid]).finally(() => endClient(client))
  } catch {
    // The database is away or closed, and the rebuild ends with its connection.
  }
}

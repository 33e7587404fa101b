import pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { toDatabaseError } from '../connect/toDatabaseError.ts'

type Place = Pick<Database, 'openConnection'>

const PACKED = 'packed'
const LOCK_MS = 5000

/**
 * Packs the indexes of partitions to which nothing will be added: keys that come in no order leave pages half empty. `complete` are
 * those that are covered whole, and were not packed before; `present` are all there are. Returns how many tables it were.
 * Others read and write meanwhile.
 */
export const packPartitions = async (
  database: Place,
  which: 'complete' | 'present',
  signal: AbortSignal,
): Promise<number> => {
  const client = await database.openConnection('pack')
  try {
    // It waits for everybody who has read a table before it: not for long, since it can be done another time.
    await client.query(`SET statement_timeout TO 0; SET lock_timeout TO ${LOCK_MS}`)
    await dropHalfBuilt(client)
    const { rows } = await client.query<{ name: string }>(which === 'present' ? ALL : COMPLETE, [PACKED])
    for (const { name } of rows) {
      signal.throwIfAborted()
      await client.query(`REINDEX TABLE CONCURRENTLY ${pg.escapeIdentifier(name)}`)
      // Where more may come, it is packed again when it is complete.
      if (which === 'complete') await client.query(`COMMENT ON TABLE ${pg.escapeIdentifier(name)} IS '${PACKED}'`)
    }
    return rows.length
  } catch (error) {
    await dropHalfBuilt(client).catch(() => undefined)
    throw toDatabaseError(error)
  } finally {
    await client.end()
  }
}

/** What a packing that was broken off has left behind. */
const dropHalfBuilt = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relname ~ '_cc(new|old)[0-9]*$'
       AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`)
}

const ALL = `
  SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relkind = 'p' AND c.relkind = 'r' AND p.relnamespace = current_schema()::regnamespace
    AND coalesce(obj_description(c.oid, 'pg_class'), '') <> $1 AND c.relname ~ '_p[0-9]+$'
  ORDER BY 1`

const COMPLETE = `
  SELECT a.name FROM (${ALL}) a, index_state s, covered_ranges r
  WHERE substring(a.name FROM '_p([0-9]+)$')::bigint BETWEEN r.first_seqno AND r.last_seqno
    AND substring(a.name FROM '_p([0-9]+)$')::bigint + s.partition_width - 1 <= r.last_seqno`

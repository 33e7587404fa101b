import type pg from 'pg'

/**
 * Has the planner of a server think that every table that has rows has so many times as many. What it then chooses is what it chooses at
 * that size: of a small table it may read all, whatever indexes there are.
 */
export const pretendLarge = async (client: pg.ClientBase, times: number): Promise<void> => {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT to_regproc('pg_restore_relation_stats') IS NOT NULL AS is`,
  )
  await client.query(rows[0]!.is ? byFunction : byCatalogue, [times])
}

const those = `relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND reltuples > 0`

const byFunction = `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'relpages', relpages,
  'reltuples', (reltuples * $1)::real) FROM pg_class WHERE ${those}`

/** Servers before 18 have no function for it; who may do everything may change the catalogue. */
const byCatalogue = `UPDATE pg_class SET reltuples = (reltuples * $1)::real WHERE ${those}`

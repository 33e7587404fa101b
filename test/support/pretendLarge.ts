import type pg from 'pg'

/**
 * Has the planner of a server think that every table that has rows has so many times as many. What it then chooses is what it chooses at
 * that size: of a small table it may read all, whatever indexes there are.
 */
export const pretendLarge = async (client: pg.ClientBase, times: number): Promise<void> => {
  await client.query(
    `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'relpages', relpages, 'reltuples', (reltuples * $1)::real)
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND reltuples > 0`,
    [times],
  )
}

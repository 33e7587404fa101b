import type pg from 'pg'

export type Partition = { readonly table: string; readonly name: string; readonly start: number }

/** The partitions that there are, by table and beginning. */
export const listPartitions = async (client: pg.ClientBase): Promise<readonly Partition[]> => {
  const { rows } = await client.query<Partition>(
    `SELECT p.relname AS "table", c.relname AS name, substring(c.relname FROM '_p([0-9]+)$')::int AS start
     FROM pg_inherits i
       JOIN pg_class c ON c.oid = i.inhrelid
       JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relkind = 'p' AND c.relkind = 'r' AND p.relnamespace = current_schema()::regnamespace
     ORDER BY 1, 3`,
  )
  return rows
}

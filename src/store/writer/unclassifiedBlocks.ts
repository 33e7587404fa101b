import type pg from 'pg'

/** Says that the traces which ended in these masterchain blocks are to be classified. */
export const addUnclassified = async (client: pg.ClientBase, seqnos: Iterable<number>): Promise<void> => {
  const distinct = [...new Set(seqnos)]
  if (distinct.length === 0) return
  await client.query('INSERT INTO unclassified_blocks SELECT unnest($1::int[])', [distinct])
}

/** Says so of all indexed blocks in a range that traces ended in, and returns how many these are. */
export const addUnclassifiedRange = async (client: pg.ClientBase, from: number, to: number): Promise<number> => {
  const { rowCount } = await client.query(
    'INSERT INTO unclassified_blocks SELECT DISTINCT mc_seqno FROM traces WHERE mc_seqno BETWEEN $1 AND $2',
    [from, to],
  )
  return rowCount ?? 0
}

/** Blocks that wait, and the rows that say so. */
export type Unclassified = { readonly seqnos: readonly number[]; readonly rows: readonly string[] }

/** The newest blocks that wait, `limit` of them at most. */
export const listUnclassified = async (client: pg.ClientBase, limit: number): Promise<Unclassified> => {
  const { rows } = await client.query<{ mc_seqno: number; row: string }>(
    `SELECT mc_seqno, ctid::text AS row FROM unclassified_blocks WHERE mc_seqno IN
       (SELECT DISTINCT mc_seqno FROM unclassified_blocks ORDER BY mc_seqno DESC LIMIT $1)`,
    [limit],
  )
  return { seqnos: [...new Set(rows.map(({ mc_seqno }) => mc_seqno))], rows: rows.map(({ row }) => row) }
}

/** Takes these rows off the list, and none that came since. */
export const removeUnclassified = async (client: pg.ClientBase, { rows }: Unclassified): Promise<void> => {
  await client.query('DELETE FROM unclassified_blocks WHERE ctid = ANY ($1::tid[])', [rows])
}

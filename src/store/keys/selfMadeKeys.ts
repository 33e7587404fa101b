import type pg from 'pg'

/** Counts a key that is made from an address on a day, and tells how many those are with it. */
export const countSelfMade = async (client: pg.ClientBase, addressHash: Uint8Array, day: number): Promise<number> => {
  await client.query('DELETE FROM self_made_keys WHERE day < $1', [day - KEPT_DAYS])
  const { rows } = await client.query<{ count: number }>(
    `INSERT INTO self_made_keys AS s (address_hash, day, count) VALUES ($1, $2, 1)
     ON CONFLICT (address_hash, day) DO UPDATE SET count = s.count + 1 RETURNING count`,
    [addressHash, day],
  )
  return rows[0]!.count
}

const KEPT_DAYS = 7

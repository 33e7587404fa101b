import type pg from 'pg'

/** A masterchain block, and the least logical time above it: rows that have one are found by it many times sooner. */
export type RewindPoint = { readonly seqno: number; readonly lt: bigint }

export const findRewindPoint = async (client: pg.ClientBase, seqno: number): Promise<RewindPoint> => {
  const { rows } = await client.query<{ lt: bigint | null }>(
    'SELECT min(start_lt) AS lt FROM blocks WHERE mc_seqno > $1',
    [seqno],
  )
  return { seqno, lt: rows[0]?.lt ?? 0n }
}

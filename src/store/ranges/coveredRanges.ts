import type pg from 'pg'
import { decodeEdgeBlock, type EdgeBlock, encodeEdgeBlock } from './lowerEdge.ts'

/** Consecutive masterchain blocks whose rows are all there. */
export type CoveredRange = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  readonly lowerEdge: readonly EdgeBlock[]
}

/** All of them, the lowest first. No two of them touch. */
export const readRanges = async (client: pg.ClientBase): Promise<readonly CoveredRange[]> => {
  const { rows } = await client.query<{ first_seqno: number; last_seqno: number; lower_edge: Uint8Array[] }>(
    'SELECT first_seqno, last_seqno, lower_edge FROM covered_ranges ORDER BY first_seqno',
  )
  return rows.map(({ first_seqno, last_seqno, lower_edge }) => ({
    firstSeqno: first_seqno,
    lastSeqno: last_seqno,
    lowerEdge: lower_edge.map(decodeEdgeBlock),
  }))
}

/** Puts a range in place of all those that lie in it. */
export const writeRange = async (
  client: pg.ClientBase,
  { firstSeqno, lastSeqno, lowerEdge }: CoveredRange,
): Promise<void> => {
  await client.query('DELETE FROM covered_ranges WHERE first_seqno BETWEEN $1 AND $2', [firstSeqno, lastSeqno])
  await client.query('INSERT INTO covered_ranges (first_seqno, last_seqno, lower_edge) VALUES ($1, $2, $3::bytea[])', [
    firstSeqno,
    lastSeqno,
    lowerEdge.map(encodeEdgeBlock),
  ])
}

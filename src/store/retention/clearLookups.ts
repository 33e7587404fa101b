import type { Database } from '../connect/Database.ts'

const PAGE_BYTES = 8192
// 128 MiB: a second or two.
const PIECE_PAGES = 16_384

/**
 * Takes out the way from hashes to transactions before a masterchain block, and returns how many it were. That table is not
 * divided, so it is gone through once from end to end, each piece a transaction that others do not wait for. Its index by block
 * would be no help: where new rows lie on the pages of old ones it finds every page.
 */
export const clearLookups = async (
  database: Pick<Database, 'transaction'>,
  before: number,
  signal: AbortSignal,
  piecePages = PIECE_PAGES,
): Promise<number> => {
  const pages = await database.transaction(async (client) => {
    const { rows } = await client.query<{ bytes: bigint }>(
      `SELECT pg_relation_size('transaction_lookup')::int8 AS bytes`,
    )
    return Number(rows[0]!.bytes) / PAGE_BYTES
  })
  const pieces = Math.max(1, Math.ceil(pages / piecePages))
  let gone = 0
  for (let k = 0; k < pieces; k++) {
    signal.throwIfAborted()
    const limits = [
      ...(k === 0 ? [] : [`ctid >= '(${k * piecePages},0)'::tid`]),
      ...(k === pieces - 1 ? [] : [`ctid < '(${(k + 1) * piecePages},0)'::tid`]),
      'mc_seqno < $1',
    ]
    const { rowCount } = await database.transaction((client) =>
      client.query(`DELETE FROM transaction_lookup WHERE ${limits.join(' AND ')}`, [before]),
    )
    gone += rowCount ?? 0
  }
  return gone
}

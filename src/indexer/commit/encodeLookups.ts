import type { DecodedUnit } from '../DecodedUnit.ts'

// The number of columns, then each with its length: two of eight bytes and one of four.
const ROW_BYTES = 2 + 12 + 12 + 8
const HASH_BYTES = 32

/** The rows of transaction_lookup for a unit, as COPY takes them. */
export const encodeLookups = ({ seqno, transactions }: Pick<DecodedUnit, 'seqno' | 'transactions'>): Uint8Array => {
  const { count, hashes, lts } = transactions
  const rows = new Uint8Array(count * ROW_BYTES)
  const view = new DataView(rows.buffer)
  for (let k = 0, at = 0; k < count; k++, at += ROW_BYTES) {
    view.setInt16(at, 3)
    view.setInt32(at + 2, 8)
    for (let byte = 0; byte < 8; byte++) rows[at + 6 + byte] = hashes[k * HASH_BYTES + byte]!
    view.setInt32(at + 14, 8)
    view.setBigInt64(at + 18, lts[k]!)
    view.setInt32(at + 26, 4)
    view.setInt32(at + 30, seqno)
  }
  return rows
}

import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export const receivedQuery = (hashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('transactions').select('in_hash').where(isAnyOf('in_hash', hashes))

/** Those of the messages that a transaction in the index has received. */
export const findReceived = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> => {
  if (hashes.length === 0) return []
  const rows = await reader.read(receivedQuery(hashes).compile())
  return rows.map(({ in_hash }) => in_hash).filter((hash) => hash !== null)
}

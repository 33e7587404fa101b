import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export type StoredCode = {
  readonly codeHash: Uint8Array
  /** Packed. */
  readonly code: Uint8Array
}

export const codesQuery = (codeHashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('codes').select(['code_hash', 'code']).where(isAnyOf('code_hash', codeHashes))

/** Codes by their hashes; those that are not known are left out. */
export const findCodes = async (reader: Reader, codeHashes: readonly Uint8Array[]): Promise<StoredCode[]> => {
  if (codeHashes.length === 0) return []
  const rows = await reader.read(codesQuery(codeHashes).compile())
  return rows.map(({ code_hash, code }) => ({ codeHash: code_hash, code }))
}

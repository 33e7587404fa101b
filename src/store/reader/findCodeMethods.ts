import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export type CodeMethods = {
  readonly codeHash: Uint8Array
  /** The numbers of its methods; absent where the code begins otherwise than contracts do. */
  readonly methods: readonly number[] | undefined
}

export const codeMethodsQuery = (codeHashes: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('codes').select(['code_hash', 'methods']).where(isAnyOf('code_hash', codeHashes))

/** The methods of codes. Codes that are not known are left out. */
export const findCodeMethods = async (reader: Reader, codeHashes: readonly Uint8Array[]): Promise<CodeMethods[]> => {
  if (codeHashes.length === 0) return []
  const rows = await reader.read(codeMethodsQuery(codeHashes).compile())
  return rows.map(({ code_hash, methods }) => ({ codeHash: code_hash, methods: methods?.map(Number) }))
}

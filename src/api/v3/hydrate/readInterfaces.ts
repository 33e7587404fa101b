import { listInterfaces } from '../../../contracts/interfaces/listInterfaces.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { Reader } from '../../../store/connect/Reader.ts'
import { findCodeMethods } from '../../../store/reader/findCodeMethods.ts'
import { distinctKeys } from './distinctKeys.ts'

/** What contracts with these codes are called, by the hash of the code. */
export const readInterfaces = async (
  reader: Reader,
  codeHashes: Iterable<Uint8Array>,
): Promise<(codeHash: Uint8Array) => string[]> => {
  const distinct = distinctKeys(codeHashes)
  // Code that is known by its hash needs no look at its methods.
  const others = distinct.filter((codeHash) => listInterfaces(codeHash, undefined).length === 0)
  const found = await findCodeMethods(reader, others)
  const methodsOf = new Map(found.map(({ codeHash, methods }) => [toBase64(codeHash), methods]))
  const names = new Map(
    distinct.map((codeHash) => {
      const key = toBase64(codeHash)
      return [key, listInterfaces(codeHash, methodsOf.get(key))]
    }),
  )
  return (codeHash) => [...(names.get(toBase64(codeHash)) ?? [])]
}

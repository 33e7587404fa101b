import { listInterfaces } from '../../../contracts/interfaces/listInterfaces.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { Reader } from '../../../store/connect/Reader.ts'
import { findCodeMethods } from '../../../store/reader/findCodeMethods.ts'

/** What is known of a code. */
export type CodeFacts = {
  /** The numbers of its methods; absent where it begins otherwise than contracts do, or is not known. */
  readonly methods: readonly number[] | undefined
  /** What contracts with it are called. */
  readonly interfaces: readonly string[]
}

/** Few codes are behind nearly all accounts, and what a hash stands for never changes: those that were seen are kept in mind. */
const MAX_KEPT = 10_000
const kept = new Map<string, CodeFacts>()

/** What is known of codes, by their hashes. */
export const readCodes = async (
  reader: Reader,
  codeHashes: Iterable<Uint8Array>,
): Promise<(codeHash: Uint8Array) => CodeFacts> => {
  const missing = new Map<string, Uint8Array>()
  for (const codeHash of codeHashes) {
    const text = toBase64(codeHash)
    if (!kept.has(text)) missing.set(text, codeHash)
  }
  if (missing.size > 0) {
    if (kept.size + missing.size > MAX_KEPT) kept.clear()
    // One that is not in the table yet may be there the next time.
    for (const { codeHash, methods } of await findCodeMethods(reader, [...missing.values()])) {
      kept.set(toBase64(codeHash), { methods, interfaces: listInterfaces(codeHash, methods) })
    }
  }
  return (codeHash) =>
    kept.get(toBase64(codeHash)) ?? { methods: undefined, interfaces: listInterfaces(codeHash, undefined) }
}

import { listInterfaces } from '../../../contracts/interfaces/listInterfaces.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { findCodeMethods } from '../../../store/reader/accounts.ts'

/** What is known of a code. */
export type CodeFacts = {
  /** The numbers of its methods; absent where it begins otherwise than contracts do, or is not known. */
  readonly methods: readonly number[] | undefined
  /** What contracts with it are called. */
  readonly interfaces: readonly string[]
}

/** Few codes are behind nearly all accounts, and what a hash stands for never changes: those that were seen are kept in mind. */
const cached = new LruCache<CodeFacts>(10_000)

/** What is known of codes, by their hashes. */
export const readCodes = async (
  reader: Reader,
  codeHashes: Iterable<Uint8Array>,
  cache = cached,
): Promise<(codeHash: Uint8Array) => CodeFacts> => {
  // What this answer needs is its own: the cache may drop any of it meanwhile.
  const found = new Map<string, CodeFacts>()
  const missing = new Map<string, Uint8Array>()
  for (const codeHash of codeHashes) {
    const text = toBase64(codeHash)
    const known = cache.find(text)
    if (known === undefined) missing.set(text, codeHash)
    else found.set(text, known)
  }
  // One that is not in the table yet may be there the next time.
  for (const { codeHash, methods } of await findCodeMethods(reader, [...missing.values()])) {
    const facts = { methods, interfaces: listInterfaces(codeHash, methods) }
    found.set(toBase64(codeHash), facts)
    cache.set(toBase64(codeHash), facts)
  }
  return (codeHash) =>
    found.get(toBase64(codeHash)) ?? { methods: undefined, interfaces: listInterfaces(codeHash, undefined) }
}

import { listInterfaces } from '../../../contracts/interfaces/listInterfaces.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { findCodeMethods, findCodes } from '../../../store/reader/accounts.ts'
import { stateBocText } from '../views/scalars.ts'

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

/** A few dozen codes are those of nearly all accounts, so each is written once. Known by their hashes they are never wrong. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** Codes as bags of cells, by the hashes of the codes. Those that are not known have none. */
export const readCodeBocs = async (
  reader: Reader,
  codeHashes: readonly Uint8Array[],
): Promise<(codeHash: Uint8Array) => string | undefined> => {
  const texts = new Map<string, string>()
  const missing: Uint8Array[] = []
  for (const codeHash of codeHashes) {
    const key = toBase64(codeHash)
    const known = written.find(key)
    if (known === undefined) missing.push(codeHash)
    else texts.set(key, known)
  }
  for (const { codeHash, code } of await findCodes(reader, missing)) {
    const key = toBase64(codeHash)
    const text = stateBocText(code)
    written.set(key, text, text.length + 200)
    texts.set(key, text)
  }
  return (codeHash) => texts.get(toBase64(codeHash))
}

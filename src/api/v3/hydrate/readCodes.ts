import { listInterfaces } from '../../../contracts/interfaces/listInterfaces.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { findCodeMethods, findCodes } from '../../../store/reader/accounts.ts'
import { stateBocText } from '../views/scalars.ts'

/** Facts about a code. */
export type CodeFacts = {
  /** Method ids; absent if the code has no standard method dictionary, or is unknown. */
  readonly methods: readonly number[] | undefined
  /** Interface names of contracts with this code. */
  readonly interfaces: readonly string[]
}

/** Cached by hash: few codes cover nearly all accounts, and the code of a hash never changes. */
const cached = new LruCache<CodeFacts>(10_000)

/** Facts about codes, by hash. */
export const readCodes = async (
  reader: Reader,
  codeHashes: Iterable<Uint8Array>,
  cache = cached,
): Promise<(codeHash: Uint8Array) => CodeFacts> => {
  // Hold the entries of this response: the cache may evict any of them meanwhile.
  const found = new Map<string, CodeFacts>()
  const missing = new Map<string, Uint8Array>()
  for (const codeHash of codeHashes) {
    const text = toBase64(codeHash)
    const known = cache.find(text)
    if (known === undefined) missing.set(text, codeHash)
    else found.set(text, known)
  }
  // Do not cache a missing code: it may be in the table next time.
  for (const { codeHash, methods } of await findCodeMethods(reader, [...missing.values()])) {
    const facts = { methods, interfaces: listInterfaces(codeHash, methods) }
    found.set(toBase64(codeHash), facts)
    cache.set(toBase64(codeHash), facts)
  }
  return (codeHash) =>
    found.get(toBase64(codeHash)) ?? { methods: undefined, interfaces: listInterfaces(codeHash, undefined) }
}

/** Serialized codes by hash: a few dozen codes cover nearly all accounts. */
const written = new LruCache<string>(8 * 1024 * 1024)

/** Codes as bags of cells, by hash; unknown codes are absent. */
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

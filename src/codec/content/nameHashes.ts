import { toHex } from '../../primitives/hex.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { encodeUtf8 } from './utf8.ts'

/** The key under which the attribute of this name is kept. */
export const hashName = (name: string): Uint8Array => sha256(encodeUtf8(name))

/** Finds the name behind a key, if it is one of these. */
export const createNameLookup = (names: readonly string[]): ((key: Uint8Array) => string | undefined) => {
  const byHash = new Map(names.map((name) => [toHex(hashName(name)), name]))
  return (key) => byHash.get(toHex(key))
}

import type { LibDescr, Libraries } from '../../codec/tlb/StateInit.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'

const MAX_LIBRARIES = 16

/** What is looked for: the first 16 of a list, in order and each once. */
export const listWanted = (hashes: readonly Uint8Array[]): readonly Uint8Array[] => {
  const sorted = hashes.slice(0, MAX_LIBRARIES).sort(compareBytes)
  return sorted.filter((hash, k) => k === 0 || !bytesEqual(hash, sorted[k - 1]!))
}

export type FoundLibrary = LibDescr & { readonly hash: Uint8Array }

/** Those of the libraries that are public. */
export const findLibraries = (libraries: Libraries, hashes: readonly Uint8Array[]): readonly FoundLibrary[] =>
  hashes.flatMap((hash) => {
    const descr = libraries.find(hash)
    return descr === undefined ? [] : [{ hash, ...descr }]
  })

import type { FindLibrary } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { LIBRARY_REFERENCE } from '../../codec/cell/exotic.ts'
import { simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { toHex } from '../../primitives/hex.ts'
import { VmInputError } from '../errors.ts'

/** More than any real contract comes near. */
const MAX_LIBRARIES = 256
const MAX_LIBRARY_BYTES = 8 * 1024 * 1024

/** Libraries by the hexadecimal form of their hash. */
export type LibraryMap = ReadonlyMap<string, Cell>

export const NO_LIBRARIES: LibraryMap = new Map()

/** Hashes of the libraries that the cells of a bag refer to, in no order and possibly repeated. */
export const listLibraryReferences = (bag: Uint8Array): Uint8Array[] => {
  const [{ arena }] = decodeBoc(bag, { trusted: true, allowPrunedRoots: true }) as [Cell]
  const hashes: Uint8Array[] = []
  for (let i = 0; i < arena.count; i++) {
    if (arena.exoticType(i) !== LIBRARY_REFERENCE) continue
    const start = arena.dataStart[i]! + 1
    hashes.push(arena.bytes.slice(start, start + 32))
  }
  return hashes
}

/**
 * Finds the libraries that cells refer to, and those that the libraries refer to in turn. Handing over the whole collection
 * of a large network would cost thirty times what a run costs, and hardly any contract uses more than one of it.
 * Those in `known` are taken as they are.
 */
export const collectLibraries = async (
  bags: readonly Uint8Array[],
  findLibrary: FindLibrary | undefined,
  known: LibraryMap = NO_LIBRARIES,
): Promise<LibraryMap> => {
  if (findLibrary === undefined) return known
  const found = new Map(known)
  const missing = new Set<string>()
  let bytes = 0
  const pending = [...bags]
  for (let bag = pending.pop(); bag !== undefined; bag = pending.pop()) {
    for (const hash of listLibraryReferences(bag)) {
      const key = toHex(hash)
      if (found.has(key) || missing.has(key)) continue
      const library = await findLibrary(hash)
      if (library === undefined) {
        missing.add(key)
        continue
      }
      found.set(key, library)
      const inner = encodeBoc([library])
      bytes += inner.length
      if (found.size > MAX_LIBRARIES || bytes > MAX_LIBRARY_BYTES) {
        throw new VmInputError(
          `A contract refers to more than ${MAX_LIBRARIES} libraries, or to more than ${MAX_LIBRARY_BYTES} bytes of them.`,
        )
      }
      pending.push(inner)
    }
  }
  return found
}

/**
 * The collection for a run. The emulator keeps the last one it was given until it gets another, and has no way to write an
 * empty one: so there is always an entry that no code can find, because its cell does not have the hash it stands under.
 */
export const encodeLibraries = (libraries: LibraryMap): Uint8Array => {
  if (libraries.size === 0) return EMPTY_COLLECTION
  const entries = Array.from(libraries, ([, root]) => [root.hash(), { isPublic: true, root }] as const)
  return encodeBoc([Dict.of(simpleLibsType, entries).root as Cell])
}

const EMPTY_COLLECTION = encodeBoc([
  Dict.of(simpleLibsType, [[new Uint8Array(32), { isPublic: true, root: emptyCell }]]).root as Cell,
])

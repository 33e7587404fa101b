import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { takeEntries } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type {
  LiteServerLibraryEntry,
  LiteServerLibraryResult,
  LiteServerLibraryResultWithProof,
} from '../../codec/tl/liteServerTypes.ts'
import { openStateTotals } from '../../codec/tlb/ShardState.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { expectBlock } from './blockIds.ts'
import { unwrapStateParts } from './ProvenState.ts'
import { proving } from './proving.ts'
import { expectNothing } from './unwrapProof.ts'

const MAX_LIBRARIES = 16
const MAX_PUBLISHERS = 16
const WITH_PUBLISHERS = 1
const WITHOUT_DATA = 2

export type FoundLibrary = { readonly hash: Uint8Array; readonly library: Cell }

/**
 * The answer to getLibraries: each cell is the one of that hash. That it is published anywhere, and that those which did not
 * come are not, is not shown.
 */
export const verifyLibraries = (
  question: { readonly libraryList: readonly Uint8Array[] },
  answer: LiteServerLibraryResult,
): readonly FoundLibrary[] => {
  const asked = listAsked(question.libraryList)
  let last = -1
  return answer.result.map((entry) => {
    const place = asked.findIndex((hash) => bytesEqual(hash, entry.hash))
    if (place <= last) throw new ProofFailedError('A library came that was not asked for, or came before.')
    last = place
    return { hash: asked[place]!, library: openLibrary(entry) }
  })
}

export type ProvenLibrary = {
  readonly hash: Uint8Array
  /** Absent where the question said to leave it out. */
  readonly library: Cell | undefined
  /** The first accounts that keep it public, at most 16; absent where the question did not ask for them. */
  readonly publishers: readonly Uint8Array[] | undefined
}

export type ProvenLibraries = {
  readonly block: BlockIdExt
  readonly found: readonly ProvenLibrary[]
  /** Those that are proven not to be public. */
  readonly missing: readonly Uint8Array[]
}

/** The answer to getLibrariesWithProof about a trusted masterchain block. */
export const verifyLibrariesWithProof = (
  trusted: BlockIdExt,
  { mode, libraryList }: { readonly mode: number; readonly libraryList: readonly Uint8Array[] },
  answer: LiteServerLibraryResultWithProof,
  skipProofChecks = false,
): ProvenLibraries => {
  expectBlock('The block of the libraries', trusted, answer.id)
  const { totals } = unwrapStateParts(trusted, answer.stateProof, answer.dataProof, skipProofChecks).state
  const { libraries } = proving('the libraries', () => openStateTotals(totals))
  const found: ProvenLibrary[] = []
  const missing: Uint8Array[] = []
  for (const hash of listAsked(libraryList)) {
    const descr = proving('a library', () => libraries.find(hash))
    if (descr === undefined) {
      missing.push(hash)
      continue
    }
    if (!descr.lib.hasHash(hash, 0)) throw new ProofFailedError(`Library ${toHex(hash)} stands under another hash.`)
    const entry = answer.result[found.length]
    if (entry === undefined || !bytesEqual(entry.hash, hash)) {
      throw new ProofFailedError(`Library ${toHex(hash)} is proven to be public, but it did not come.`)
    }
    const { publishers } = descr
    found.push({
      hash,
      library: (mode & WITHOUT_DATA) === 0 ? openLibrary(entry) : expectNoData(entry),
      publishers:
        (mode & WITH_PUBLISHERS) === 0
          ? undefined
          : proving('the publishers of a library', () =>
              takeEntries(publishers, MAX_PUBLISHERS).map(([account]) => account),
            ),
    })
  }
  if (answer.result.length !== found.length) {
    throw new ProofFailedError(`${found.length} libraries are proven to be public, ${answer.result.length} came.`)
  }
  return { block: trusted, found, missing }
}

/** What a server looks for: the first 16, in order and each once. */
const listAsked = (list: readonly Uint8Array[]): readonly Uint8Array[] => {
  const sorted = list.slice(0, MAX_LIBRARIES).sort(compareBytes)
  return sorted.filter((hash, k) => k === 0 || !bytesEqual(hash, sorted[k - 1]!))
}

const openLibrary = ({ hash, data }: LiteServerLibraryEntry): Cell => {
  const library = proving('a library', () => decodeSingleBoc(data))
  if (!library.hasHash(hash)) throw new ProofFailedError(`The cell that came for library ${toHex(hash)} is another.`)
  return library
}

const expectNoData = ({ data }: LiteServerLibraryEntry): undefined => {
  expectNothing('The data of a library that was to be left out', data)
  return undefined
}

import { ProofFailedError } from '../../chain/errors.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict, takeEntries } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { cellValue, type ValueCodec } from '../../codec/cell/dictTypes.ts'
import { PrunedBranchError } from '../../codec/cell/errors.ts'
import type {
  LiteServerConfigInfo,
  LiteServerLibraryEntry,
  LiteServerLibraryResult,
  LiteServerLibraryResultWithProof,
} from '../../codec/tl/liteServerTypes.ts'
import { type ConfigParams, configDictType } from '../../codec/tlb/config/configParams.ts'
import type { CreatorStats } from '../../codec/tlb/McStateExtra.ts'
import { openStateTotals } from '../../codec/tlb/ShardState.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { openKeyBlockConfig, readLinkedHeader } from './ProvenHeader.ts'
import { openMasterExtra, unwrapStateParts } from './ProvenState.ts'
import { expectBlock, expectNothing, proving, unwrapProof } from './unwrapProof.ts'

export type ProvenConfig = {
  /** The block whose state has this configuration, or the key block that brought it. */
  readonly block: BlockIdExt
  /** Parameters that were not requested throw PrunedBranchError on access instead of being missing. */
  readonly params: ConfigParams
}

/** getConfigAll has no list, and means all parameters. */
export type ConfigRequest = { readonly mode: number; readonly paramList?: readonly number[] }

const FROM_KEY_BLOCK = 0x8000

/**
 * The answer to getConfigAll or getConfigParams. With mode bit 15 it is taken from the key block before the one asked about,
 * and `trusted` is to be that key block.
 */
export const verifyConfig = (
  trusted: BlockIdExt,
  request: ConfigRequest,
  answer: LiteServerConfigInfo,
  skipProofChecks = false,
): ProvenConfig => {
  expectBlock('The block of a configuration', trusted, answer.id)
  const open = (request.mode & FROM_KEY_BLOCK) === 0 ? configOfState : configOfKeyBlock
  const { configAddr, config } = open(trusted, answer, skipProofChecks)
  const params = { configAddr: configAddr.slice(), config: new Dict(wholeConfigType, config.root) }
  proving('the configuration', () => {
    if (request.paramList === undefined) params.config.forEach(() => {})
    else for (const id of request.paramList) params.config.find(id)
  })
  return { block: trusted, params }
}

const configOfState = (
  trusted: BlockIdExt,
  { stateProof, configProof }: LiteServerConfigInfo,
  skipProofChecks: boolean,
): ConfigParams => openMasterExtra(unwrapStateParts(trusted, stateProof, configProof, skipProofChecks).state).config

const configOfKeyBlock = (
  trusted: BlockIdExt,
  { stateProof, configProof }: LiteServerConfigInfo,
  skipProofChecks: boolean,
): ConfigParams => {
  expectNothing('The state proof of a key block', stateProof)
  const root = unwrapProof('a key block', configProof, trusted.rootHash, skipProofChecks)
  return openKeyBlockConfig(readLinkedHeader(root, trusted), root)
}

/** A parameter of which a part is pruned is not proven, even though its hash is. */
const wholeCellValue: ValueCodec<Cell> = {
  read: (r) => {
    const cell = r.readRefCell()
    if (cell.levelMask !== 0) throw new PrunedBranchError()
    return cell
  },
  write: cellValue.write,
}

const wholeConfigType = { key: configDictType.key, value: wholeCellValue }

const MAX_LIBRARIES = 16
const MAX_PUBLISHERS = 16
const WITH_PUBLISHERS = 1
const WITHOUT_DATA = 2

export type FoundLibrary = { readonly hash: Uint8Array; readonly library: Cell }

/**
 * The answer to getLibraries: each cell is the one of that hash. Whether it is published, and
 * whether missing ones are not, is not proven.
 */
export const verifyLibraries = (
  request: { readonly libraryList: readonly Uint8Array[] },
  answer: LiteServerLibraryResult,
): readonly FoundLibrary[] => {
  const asked = listAsked(request.libraryList)
  let last = -1
  return answer.result.map((entry) => {
    const at = asked.findIndex((hash) => bytesEqual(hash, entry.hash))
    if (at <= last) throw new ProofFailedError('The answer has a library that was not requested, or is a duplicate.')
    last = at
    return { hash: asked[at]!, library: openLibrary(entry) }
  })
}

export type ProvenLibrary = {
  readonly hash: Uint8Array
  /** Absent if the request excluded it. */
  readonly library: Cell | undefined
  /** The first accounts that keep it public, at most 16; absent if not requested. */
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
      throw new ProofFailedError(`Library ${toHex(hash)} is proven to be public, but it is missing from the answer.`)
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
    throw new ProofFailedError(`Expected ${found.length} public libraries, but got ${answer.result.length}.`)
  }
  return { block: trusted, found, missing }
}

/** The hashes that a server looks up: the first 16, sorted and distinct. */
const listAsked = (list: readonly Uint8Array[]): readonly Uint8Array[] => {
  const sorted = list.slice(0, MAX_LIBRARIES).sort(compareBytes)
  return sorted.filter((hash, k) => k === 0 || !bytesEqual(hash, sorted[k - 1]!))
}

const openLibrary = ({ hash, data }: LiteServerLibraryEntry): Cell => {
  const library = proving('a library', () => decodeSingleBoc(data))
  if (!library.hasHash(hash))
    throw new ProofFailedError(`The cell of library ${toHex(hash)} in the answer has another hash.`)
  return library
}

const expectNoData = ({ data }: LiteServerLibraryEntry): undefined => {
  expectNothing('The data of a library that was to be left out', data)
  return undefined
}

/** The creator is a public key; zeros stand for all of them together. */
export type ProvenCreator = { readonly creator: Uint8Array; readonly stats: CreatorStats }

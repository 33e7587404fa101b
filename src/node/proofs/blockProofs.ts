import { ProofFailedError } from '../../chain/errors.ts'
import type { PreviousBlocks } from '../../chain/ports.ts'
import { readPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type {
  LiteServerBlockData,
  LiteServerBlockHeader,
  LiteServerConfigInfo,
  LiteServerLookupBlock,
  LiteServerLookupBlockResult,
  LiteServerLookupBlockWithProof,
} from '../../codec/tl/liteServerTypes.ts'
import type { TlResults } from '../../codec/tl/tlTypes.ts'
import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { shardContains } from '../../primitives/shard.ts'
import { expectOldBlock } from './chainProofs.ts'
import { type LinkedHeader, type ProvenHeader, readHeader, readLinkedHeader, stateHashOf } from './ProvenHeader.ts'
import { openMasterExtra, openMasterHistory, type StateHeaders, unwrapStateParts } from './ProvenState.ts'
import { followShardLinks } from './shardProofs.ts'
import { blockIdsEqual, expectBlock, expectNothing, proving, unwrapProof } from './unwrapProof.ts'

export type ProvenBlock = LinkedHeader & { readonly root: Cell }

export const expectFileHash = (trusted: BlockIdExt, bytes: Uint8Array): void => {
  if (bytesEqual(sha256(bytes), trusted.fileHash)) return
  throw new ProofFailedError(`The bytes of block ${formatBlockId(trusted)} have another hash than its file hash.`)
}

/** The bytes of a block against both hashes of its trusted id, and its header against the rest of it. */
export const verifyBlockBytes = (trusted: BlockIdExt, bytes: Uint8Array): ProvenBlock => {
  expectFileHash(trusted, bytes)
  // Stored hashes are checked on the way to the root hash, so nothing is hashed twice.
  const root = proving('a block', () => decodeSingleBoc(bytes, { trusted: true }))
  if (!proving('a block', () => root.hasHash(trusted.rootHash))) {
    throw new ProofFailedError(`The root cell of block ${formatBlockId(trusted)} has another hash than its root hash.`)
  }
  return { ...readLinkedHeader(root, trusted), root }
}

/** The same for callers that check the root hash themselves: checks the file hash only. */
export const openBlockBytes = (trusted: BlockIdExt, bytes: Uint8Array): ProvenBlock => {
  expectFileHash(trusted, bytes)
  const root = proving('a block', () => decodeSingleBoc(bytes, { trusted: true, skipChecksum: true }))
  return { ...readLinkedHeader(root, trusted), root }
}

/** The answer to getBlock for a trusted id. */
export const verifyRawBlock = (trusted: BlockIdExt, answer: LiteServerBlockData): ProvenBlock => {
  expectBlock('The block in the answer', trusted, answer.id)
  return verifyBlockBytes(trusted, answer.data)
}

/** The answer to getState for the trusted id of a zerostate, whose root hash is that of the state itself. */
export const verifyFirstState = (trusted: BlockIdExt, answer: TlResults['liteServer.getState']): Cell => {
  expectBlock('The state in the answer', trusted, answer.id)
  expectFileHash(trusted, answer.data)
  const root = proving('a zerostate', () => decodeSingleBoc(answer.data))
  if (trusted.seqno !== 0 || !root.hasHash(trusted.rootHash)) {
    throw new ProofFailedError(`The state in the answer is not zerostate ${formatBlockId(trusted)}.`)
  }
  return root
}

/** Lookup keys; exactly one of them. */
const BY_SEQNO = 1
const BY_LT = 2
const BY_UTIME = 4

type LookupRequest = Pick<LiteServerLookupBlock, 'mode' | 'id' | 'lt' | 'utime'>

/** A found block is at the requested position and does not end before it. */
export const expectLookedUp = (request: LookupRequest, { id, info }: ProvenHeader): void => {
  if (id.workchain !== request.id.workchain || !shardContains(id.shard, request.id.shard)) {
    throw new ProofFailedError(`Block ${formatBlockId(id)} was found, which is not of the shard asked for.`)
  }
  const by = request.mode & (BY_SEQNO | BY_LT | BY_UTIME)
  const fits =
    (by === BY_SEQNO && id.seqno === request.id.seqno) ||
    (by === BY_LT && request.lt !== undefined && BigInt.asUintN(64, request.lt) <= info.endLt) ||
    (by === BY_UTIME && request.utime !== undefined && request.utime >>> 0 <= info.genUtime)
  if (!fits) throw new ProofFailedError(`Block ${formatBlockId(id)} was found, which does not fit the request.`)
}

export type ProvenBlockHeader = LinkedHeader & {
  /** Root hash of the state after the block; absent unless the request asked to keep the state update. */
  readonly stateHash: Uint8Array | undefined
}

const KEEP_STATE_UPDATE = 1

export const readAnswer = (
  id: BlockIdExt,
  mode: number,
  headerProof: Uint8Array,
  skipProofChecks: boolean,
): ProvenBlockHeader => {
  const header = readLinkedHeader(unwrapProof('a block header', headerProof, id.rootHash, skipProofChecks), id)
  return { ...header, stateHash: (mode & KEEP_STATE_UPDATE) === 0 ? undefined : stateHashOf(header) }
}

/** The answer to getBlockHeader for a trusted block. */
export const verifyBlockHeader = (
  trusted: BlockIdExt,
  request: { readonly mode: number },
  answer: LiteServerBlockHeader,
  skipProofChecks = false,
): ProvenBlockHeader => {
  expectBlock('The block of a header', trusted, answer.id)
  return readAnswer(trusted, request.mode, answer.headerProof, skipProofChecks)
}

export type ProvenLookup = LinkedHeader & {
  /** The masterchain block that registered it; itself for one of the masterchain. */
  readonly masterchainBlock: BlockIdExt
}

type ProvenLookupRequest = Omit<LiteServerLookupBlockWithProof, 'mcBlockId'>

/** The answer to lookupBlockWithProof about a trusted masterchain block. */
export const verifyLookup = (
  trusted: BlockIdExt,
  request: ProvenLookupRequest,
  answer: LiteServerLookupBlockResult,
  skipProofChecks = false,
  headers?: StateHeaders,
): ProvenLookup => {
  const masterchainBlock = proveMasterchainBlock(trusted, answer, skipProofChecks, headers)
  const end = followShardLinks(masterchainBlock, answer.shardLinks, skipProofChecks)
  expectBlock('The block that was looked up', answer.id, end)
  const root = unwrapProof('a block that was looked up', answer.header, answer.id.rootHash, skipProofChecks)
  const header = readLinkedHeader(root, answer.id)
  expectLookedUp(request, header)
  if ((request.mode & BY_SEQNO) !== 0) expectNothing('The header before a block found by its seqno', answer.prevHeader)
  else expectFirst(request, header, answer.prevHeader, skipProofChecks)
  return { ...header, masterchainBlock }
}

const proveMasterchainBlock = (
  trusted: BlockIdExt,
  answer: LiteServerLookupBlockResult,
  skipProofChecks: boolean,
  headers: StateHeaders | undefined,
): BlockIdExt => {
  const { mcBlockId, clientMcStateProof, mcBlockProof } = answer
  if (blockIdsEqual(trusted, mcBlockId)) {
    expectNothing('The state proof of the reference block itself', clientMcStateProof)
    expectNothing('The proof of the reference block itself', mcBlockProof)
    return trusted
  }
  if (!isValidBlockIdExt(mcBlockId)) throw new ProofFailedError('A lookup leads to an impossible id.')
  const { state } = unwrapStateParts(trusted, clientMcStateProof, mcBlockProof, skipProofChecks, headers)
  expectOldBlock(openMasterHistory(state), mcBlockId)
  return mcBlockId
}

/** For a lookup by time, the block must be the first that does not end before it. */
const expectFirst = (
  request: ProvenLookupRequest,
  header: LinkedHeader,
  proof: Uint8Array,
  skipProofChecks: boolean,
): void => {
  const prev = header.prev.find(({ shard }) => shardContains(shard, request.id.shard))
  if (prev === undefined) throw new ProofFailedError(`No block before ${formatBlockId(header.id)} fits the request.`)
  const root = unwrapProof('the block before one that was looked up', proof, prev.rootHash, skipProofChecks)
  const before = readHeader(root, prev)
  if (!endsBefore(request, before)) {
    throw new ProofFailedError(`Block ${formatBlockId(prev)} fits the request, but the answer has the next one.`)
  }
}

/** Logical times grow with every block. Several blocks may share one second, and a node takes any of them. */
const endsBefore = ({ mode, lt, utime }: ProvenLookupRequest, { info }: ProvenHeader): boolean =>
  (mode & BY_LT) !== 0
    ? lt !== undefined && info.endLt < BigInt.asUintN(64, lt)
    : utime !== undefined && info.genUtime <= utime >>> 0

/** The answer to getConfigParams about a trusted masterchain block, with earlier blocks asked for (mode bit 7). */
export const verifyPreviousBlocks = (
  trusted: BlockIdExt,
  answer: LiteServerConfigInfo,
  skipProofChecks = false,
): PreviousBlocks => {
  expectBlock('The block of a configuration', trusted, answer.id)
  const { state } = unwrapStateParts(trusted, answer.stateProof, answer.configProof, skipProofChecks)
  const { config } = openMasterExtra(state).config
  const history = openMasterHistory(state)
  return proving('the blocks before one', () => {
    const blocks = readPreviousBlocks(trusted, history, findConfigParam(config, 8)?.version ?? 0)
    if (blocks !== undefined) return blocks
    throw new ProofFailedError(`The state of ${formatBlockId(trusted)} does not know all of the blocks before it.`)
  })
}

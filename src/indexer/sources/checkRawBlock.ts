import { listPreviousBlocks, listShardTops } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { DEFAULT_BOC_LIMITS, decodeSingleBoc, openIndexedBoc, readBocHeader } from '../../codec/cell/decodeBoc.ts'
import { BocError } from '../../codec/cell/errors.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'

/** The source does not have a block, or not yet. */
export class BlockSetUnavailableError extends CodedError {
  readonly code = 'unit_unavailable'
  override readonly retryable = true
}

/** An answer of the source contradicts its id, hash or neighbours. A retry may find it fixed, or another server. */
export class SourceAnswerError extends CodedError {
  readonly code = 'source_answer_invalid'
  override readonly retryable = true
}

/** The source timed out. */
export class SourceTimeoutError extends CodedError {
  readonly code = 'source_timeout'
  override readonly retryable = true
}

/** An account is not in the state after its last transaction. */
export class StateMismatchError extends CodedError {
  readonly code = 'state_mismatch'
  override readonly retryable = true
}

/** The chain states could not be computed or fetched. */
export class StatesUnavailableError extends CodedError {
  readonly code = 'states_unavailable'
  override readonly retryable = true
}

/** The stored states start after the requested block: older ones cannot be computed. */
export class StatesMissingError extends CodedError {
  readonly code = 'states_missing'
}

/** The links of a block. */
export type BlockLinks = {
  /** The previous block; two after a merge. */
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; for masterchain blocks only. */
  readonly tops: readonly BlockIdExt[]
}

/**
 * Checks that bytes are the block with this id, and reads its links. The file hash proves a shard block, whose id a masterchain
 * block contains; the id of a masterchain block is only claimed by the source, so `checkRootHash` has to check it as well.
 */
export const checkRawBlock = (id: BlockIdExt, bytes: Uint8Array): BlockLinks => {
  if (!bytesEqual(sha256(bytes), id.fileHash)) {
    throw new SourceAnswerError(`The bytes of block ${formatBlockId(id)} do not match its file hash.`)
  }
  return readBlockLinks(id, bytes)
}

/** Reads the links of a block whose bytes match its file hash. They must fit its id. */
export const readBlockLinks = (id: BlockIdExt, bytes: Uint8Array): BlockLinks =>
  reading(id, () => readPlace(id, openRoughly(bytes)))

/** Checks that the root cell has the root hash of the id. The bytes match the file hash. */
export const checkRootHash = (id: BlockIdExt, bytes: Uint8Array): void =>
  reading(id, () => {
    if (openRoot(bytes).hasHash(id.rootHash)) return
    throw new SourceAnswerError(`The root cell of block ${formatBlockId(id)} does not match its root hash.`)
  })

const reading = <T>(id: BlockIdExt, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.retryable) throw cause
    throw new SourceAnswerError(`Block ${formatBlockId(id)} cannot be read: ${cause.message}`, { cause })
  }
}

// The file hash is verified. Hashes stored with the cells are checked when computing a hash.
const openRoot = (bytes: Uint8Array): Cell => decodeSingleBoc(bytes, { trusted: true, skipChecksum: true })

/**
 * If the bag has an index, reads only the few cells needed: the others are read when the block is decoded, which is always before
 * anything of it is written.
 */
const openRoughly = (bytes: Uint8Array): Cell => {
  if (readBocHeader(bytes, DEFAULT_BOC_LIMITS).indexStart === undefined) return openRoot(bytes)
  const [root, ...others] = openIndexedBoc(bytes)
  if (root === undefined || others.length > 0) throw new BocError('A block is a bag of cells with one root.')
  return root
}

const readPlace = (id: BlockIdExt, root: Cell): BlockLinks => {
  const isMaster = id.workchain === masterchain
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
    throw new SourceAnswerError(`The header of block ${formatBlockId(id)} says ${formatBlockId(info)}.`)
  }
  const previous = listPreviousBlocks(info)
  if (!isMaster) return { previous, tops: [] }
  const { custom } = openBlockExtra(block.extra)
  if (custom === undefined) {
    throw new SourceAnswerError(`Masterchain block ${formatBlockId(id)} has no shard list.`)
  }
  return { previous, tops: listShardTops(openMcBlockExtra(custom).shardHashes) }
}

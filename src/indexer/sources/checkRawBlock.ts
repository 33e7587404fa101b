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

/** A source does not have a block that it should have, or not yet. */
export class UnitUnavailableError extends CodedError {
  readonly code = 'unit_unavailable'
  override readonly retryable = true
}

/** What a source gave contradicts its id, its hash or its neighbours. Another try may find it mended, or another server. */
export class SourceAnswerError extends CodedError {
  readonly code = 'source_answer_invalid'
  override readonly retryable = true
}

/** A source did not answer in time. */
export class SourceTimeoutError extends CodedError {
  readonly code = 'source_timeout'
  override readonly retryable = true
}

/** An account that came is not the one that its last transaction led to. */
export class StateMismatchError extends CodedError {
  readonly code = 'state_mismatch'
  override readonly retryable = true
}

/** The states of the chain could not be made or had. */
export class StatesUnavailableError extends CodedError {
  readonly code = 'states_unavailable'
  override readonly retryable = true
}

/** The states that are kept begin later than the block asked for: there is no way to make older ones. */
export class StatesMissingError extends CodedError {
  readonly code = 'states_missing'
}

/** Where a block stands in the chain. */
export type BlockPlace = {
  /** The block before; both halves after a merge. */
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; of masterchain blocks only. */
  readonly tops: readonly BlockIdExt[]
}

/**
 * Checks that these bytes are the block with this id, and reads where it stands. The hash of the bytes says all about a shard
 * block, whose id a masterchain block states; the id of a masterchain block is the word of the source, so that `checkRootHash` is to
 * look at it as well.
 */
export const checkRawBlock = (id: BlockIdExt, bytes: Uint8Array): BlockPlace => {
  if (!bytesEqual(sha256(bytes), id.fileHash)) {
    throw new SourceAnswerError(
      `The bytes that came for block ${formatBlockId(id)} have another hash than its file hash.`,
    )
  }
  return readBlockPlace(id, bytes)
}

/** Where a block stands whose bytes have been held against its file hash. It must be the place that its id names. */
export const readBlockPlace = (id: BlockIdExt, bytes: Uint8Array): BlockPlace =>
  reading(id, () => readPlace(id, openRoughly(bytes)))

/** Checks that the root cell of a block has the root hash of its id. Its bytes have been checked against the file hash. */
export const checkRootHash = (id: BlockIdExt, bytes: Uint8Array): void =>
  reading(id, () => {
    if (openRoot(bytes).hasHash(id.rootHash)) return
    throw new SourceAnswerError(`The root cell of block ${formatBlockId(id)} has another hash than its root hash.`)
  })

const reading = <T>(id: BlockIdExt, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.retryable) throw cause
    throw new SourceAnswerError(`Block ${formatBlockId(id)} cannot be read: ${cause.message}`, { cause })
  }
}

// The hash of all bytes is known to be right. What is stored beside the cells is checked on the way to a hash.
const openRoot = (bytes: Uint8Array): Cell => decodeSingleBoc(bytes, { trusted: true, skipChecksum: true })

/**
 * Where there is an index, only the few cells that are looked at are read: the others are when the block is decoded, which is always
 * before anything of it is written.
 */
const openRoughly = (bytes: Uint8Array): Cell => {
  if (readBocHeader(bytes, DEFAULT_BOC_LIMITS).indexStart === undefined) return openRoot(bytes)
  const [root, ...others] = openIndexedBoc(bytes)
  if (root === undefined || others.length > 0) throw new BocError('A block is a bag of cells with one root.')
  return root
}

const readPlace = (id: BlockIdExt, root: Cell): BlockPlace => {
  const isMaster = id.workchain === masterchain
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
    throw new SourceAnswerError(`Block ${formatBlockId(id)} calls itself ${formatBlockId(info)}.`)
  }
  const previous = listPreviousBlocks(info)
  if (!isMaster) return { previous, tops: [] }
  const { custom } = openBlockExtra(block.extra)
  if (custom === undefined) {
    throw new SourceAnswerError(`Masterchain block ${formatBlockId(id)} does not say what its shards are.`)
  }
  return { previous, tops: listShardTops(openMcBlockExtra(custom).shardHashes) }
}

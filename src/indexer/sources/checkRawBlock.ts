import { listPreviousBlocks, listShardTops } from '../../chain/newShardBlocks.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockExtra } from '../../codec/tlb/BlockExtra.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { SourceAnswerError } from './errors.ts'

/** Where a block stands in the chain. */
export type BlockPlace = {
  /** The block before; both halves after a merge. */
  readonly previous: readonly BlockIdExt[]
  /** The newest block of every shard; of masterchain blocks only. */
  readonly tops: readonly BlockIdExt[]
}

/**
 * Checks that these bytes are the block with this id, and reads where it stands. The hash of the bytes says all about a shard
 * block, whose id a masterchain block states; the id of a masterchain block is the word of the source, so both its hashes are made.
 */
export const checkRawBlock = (id: BlockIdExt, bytes: Uint8Array): BlockPlace => {
  if (!bytesEqual(sha256(bytes), id.fileHash)) {
    throw new SourceAnswerError(
      `The bytes that came for block ${formatBlockId(id)} have another hash than its file hash.`,
    )
  }
  try {
    return readPlace(id, bytes)
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.retryable) throw cause
    throw new SourceAnswerError(`Block ${formatBlockId(id)} cannot be read: ${cause.message}`, { cause })
  }
}

const readPlace = (id: BlockIdExt, bytes: Uint8Array): BlockPlace => {
  // What is stored beside the cells is checked on the way to a hash; of a shard block the hash of all bytes is known to be right.
  const root = decodeSingleBoc(bytes, { trusted: true })
  const isMaster = id.workchain === masterchain
  if (isMaster && !root.hasHash(id.rootHash)) {
    throw new SourceAnswerError(`The root cell of block ${formatBlockId(id)} has another hash than its root hash.`)
  }
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

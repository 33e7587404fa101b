import { ProofFailedError } from '../../chain/errors.ts'
import type { LiteServerShardBlockLink } from '../../codec/tl/liteServerTypes.ts'
import { type BlockIdExt, formatBlockId, isValidBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { blockIdsEqual } from './blockIds.ts'
import { openMasterBlockExtra } from './masterBlockExtra.ts'
import { readLinkedHeader } from './ProvenHeader.ts'
import { findRegisteredShard } from './shardLeaf.ts'
import { unwrapProof } from './unwrapProof.ts'

/** No more blocks of a shard come between two masterchain blocks. */
const MAX_LINKS = 8

/**
 * Goes from a trusted masterchain block to a shard block that it registered, and on from there to those before it. Returns
 * the last of them, or the masterchain block itself where there are no links.
 */
export const followShardLinks = (
  start: BlockIdExt,
  links: readonly LiteServerShardBlockLink[],
  skipProofChecks: boolean,
): BlockIdExt => {
  if (links.length > MAX_LINKS) {
    throw new ProofFailedError(`A chain of shard blocks has at most ${MAX_LINKS} links, ${links.length} came.`)
  }
  let block = start
  for (const { id, proof } of links) {
    if (!isValidBlockIdExt(id)) throw new ProofFailedError('A chain of shard blocks leads to an impossible id.')
    if (!isLinked(block, id, proof, skipProofChecks)) {
      throw new ProofFailedError(`Block ${formatBlockId(block)} does not lead to ${formatBlockId(id)} as stated.`)
    }
    block = id
  }
  return block
}

const isLinked = (from: BlockIdExt, to: BlockIdExt, proof: Uint8Array, skipProofChecks: boolean): boolean => {
  const root = unwrapProof('a chain of shard blocks', proof, from.rootHash, skipProofChecks)
  if (from.workchain !== masterchain) return readLinkedHeader(root, from).prev.some((prev) => blockIdsEqual(prev, to))
  if (to.workchain === masterchain) return false
  const shard = findRegisteredShard(openMasterBlockExtra(root).shardHashes, to)
  return shard !== undefined && blockIdsEqual(shard.id, to)
}

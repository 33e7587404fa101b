import { ProofFailedError } from '../../chain/errors.ts'
import { type BlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { findShardParent, shardChildren } from '../../primitives/shard.ts'
import { blockIdOf } from './blockIds.ts'
import { proving } from './proving.ts'

/** The blocks before one: of the same shard, of the shard it was split from, or of both that were merged (left one first). */
export const prevBlockIds = (info: BlockInfo): readonly BlockIdExt[] =>
  proving('the previous blocks', () => {
    const refs = openPrevRef(info)
    const shards = prevShards(info)
    const ids = refs.map((ref, k) => blockIdOf({ workchain: info.workchain, shard: shards[k]! }, ref))
    const lastSeqno = Math.max(...ids.map(({ seqno }) => seqno))
    if (info.seqno !== lastSeqno + 1) {
      throw new ProofFailedError(`Block ${formatBlockId(info)} says that it follows on seqno ${lastSeqno}.`)
    }
    if ((info.afterSplit || info.afterMerge) && ids.some(({ seqno }) => seqno === 0)) {
      throw new ProofFailedError(`Block ${formatBlockId(info)} says that a zerostate was split or merged.`)
    }
    return ids
  })

const prevShards = (info: BlockInfo): readonly bigint[] => {
  const { afterMerge, afterSplit, shard } = info
  if (afterMerge && afterSplit) {
    throw new ProofFailedError(`Block ${formatBlockId(info)} says that it comes after both a split and a merge.`)
  }
  if (afterMerge) return shardChildren(shard)
  if (!afterSplit) return [shard]
  const parent = findShardParent(shard)
  if (parent === undefined) {
    throw new ProofFailedError(`Block ${formatBlockId(info)} of a whole workchain says that it comes after a split.`)
  }
  return [parent]
}

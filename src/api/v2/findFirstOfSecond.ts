import type { LiveNode } from '../../chain/LiveChain.ts'
import type { BlockId, BlockIdExt } from '../../primitives/BlockId.ts'
import { shardContains } from '../../primitives/shard.ts'

/** No chain makes more blocks in a second. */
const MAX_STEPS = 16

/** The first block of a time or, where there is none, of a later one. Of several of one second a node gives any. */
export const findFirstOfSecond = async (
  node: LiveNode,
  place: Omit<BlockId, 'seqno'>,
  utime: number,
): Promise<BlockIdExt> => {
  let { id, info, prev } = await node.lookupBlock(place, { utime })
  for (let steps = 0; steps < MAX_STEPS && info.genUtime === utime; steps++) {
    const before = prev.find((each) => shardContains(each.shard, place.shard))
    if (before === undefined || before.seqno === 0) return id
    const header = await node.getBlockHeader(before)
    if (header.info.genUtime < utime) return id
    ;({ id, info, prev } = header)
  }
  return id
}

import type { Cell } from '../../../codec/cell/Cell.ts'
import { openOutMsgQueueInfo } from '../../../codec/tlb/OutMsgQueueInfo.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { isShardAncestor } from '../../../primitives/shard.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { openState } from '../openState.ts'
import { getState, newestMaster } from '../referenceBlock.ts'

/** Where a shard's queue is longer, blocks of it take no messages from outside. */
const SKIP_EXTERNALS_QUEUE_SIZE = 8000

/** How many messages wait to leave each shard, as of the newest block; of those that share accounts with a given one. */
export const getOutMsgQueueSizes: LiteFunction<'liteServer.getOutMsgQueueSizes'> = ({ store }, { wc, shard }) => {
  const isWanted = (id: BlockIdExt): boolean =>
    wc === undefined ||
    shard === undefined ||
    (id.workchain === wc && (isShardAncestor(id.shard, shard) || isShardAncestor(shard, id.shard)))
  const blocks = [newestMaster(store), ...store.shardTops].filter(isWanted)
  return {
    shards: blocks.map((id) => ({ id, size: countMessages(getState(store, id)) })),
    extMsgQueueSizeLimit: SKIP_EXTERNALS_QUEUE_SIZE,
  }
}

/** Old networks do not keep count. */
const countMessages = (state: Cell): number => {
  const { outQueue, extra } = openOutMsgQueueInfo(openState(state).outMsgQueueInfo)
  if (extra?.outQueueSize !== undefined) return extra.outQueueSize
  let size = 0
  outQueue.forEach(() => void size++)
  return size
}

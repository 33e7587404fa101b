import { ProofFailedError } from '../../chain/errors.ts'
import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { BlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { proving } from './proving.ts'

/** The blocks before one: of the same shard, of the shard it was split from, or of both that were merged (left one first). */
export const prevBlockIds = (info: BlockInfo): readonly BlockIdExt[] => {
  const ids = proving('the previous blocks', () => listPreviousBlocks(info))
  if ((info.afterSplit || info.afterMerge) && ids.some(({ seqno }) => seqno === 0)) {
    throw new ProofFailedError(`Block ${formatBlockId(info)} says that a zerostate was split or merged.`)
  }
  return ids
}

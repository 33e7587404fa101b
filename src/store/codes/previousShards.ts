import { findShardParent, shardChildren } from '../../primitives/shard.ts'

/** The shards of the blocks before one, in the order of its `prev_seqnos`: two after a merge. */
export const previousShards = (
  shard: bigint,
  { afterSplit, afterMerge }: { readonly afterSplit: boolean; readonly afterMerge: boolean },
): readonly bigint[] => {
  if (afterMerge) return shardChildren(shard)
  return [afterSplit ? (findShardParent(shard) ?? shard) : shard]
}

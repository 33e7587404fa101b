import { sql } from 'kysely'
import { masterchain } from '../../primitives/BlockId.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { type Block, toBlock } from './Block.ts'

/** One look for each shard: there is one block at a place. It cannot have been included later. */
export const shardTopsQuery = (mcSeqno: number) => {
  const tops = queryBuilder
    .selectFrom('shard_tops')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('blocks')
          .selectAll('blocks')
          .whereRef('blocks.seqno', '=', 'shard_tops.seqno')
          .whereRef('blocks.workchain', '=', 'shard_tops.workchain')
          .whereRef('blocks.shard', '=', 'shard_tops.shard')
          .where('blocks.mc_seqno', '<=', mcSeqno)
          .limit(1)
          .as('top'),
      (join) => join.onTrue(),
    )
    .selectAll('top')
    .where('shard_tops.mc_seqno', '=', mcSeqno)
  const itself = queryBuilder
    .selectFrom('blocks')
    .selectAll()
    .where('mc_seqno', '=', mcSeqno)
    .where('workchain', '=', masterchain)
  return itself.unionAll(tops).orderBy(sql`workchain, shard, seqno`)
}

/** A masterchain block, and the newest block of every shard that it knows of, as far as they are indexed. */
export const findShardTops = async (reader: Reader, mcSeqno: number): Promise<Block[]> =>
  (await reader.read(shardTopsQuery(mcSeqno).compile())).map(toBlock)

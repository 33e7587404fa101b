import { sql } from 'kysely'
import { masterchain } from '../../primitives/BlockId.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { type Block, toBlock } from './Block.ts'

/** Ranges do not overlap, so the one that begins last is the newest. */
export const edgeBlocksQuery = () =>
  queryBuilder
    .selectFrom((from) =>
      from
        .selectFrom('covered_ranges')
        .select(['first_seqno', 'last_seqno'])
        .orderBy('first_seqno', 'desc')
        .limit(1)
        .as('newest'),
    )
    .innerJoin('blocks', (join) =>
      join
        .on(sql<boolean>`blocks.mc_seqno = any(array[newest.first_seqno, newest.last_seqno])`)
        .on('blocks.workchain', '=', masterchain),
    )
    .selectAll('blocks')
    .orderBy('blocks.mc_seqno')

/**
 * The first and the last masterchain block of the newest stretch that is indexed without a gap; `undefined` where nothing is
 * indexed. History that is being filled in further below counts when it has reached the rest.
 */
export const findEdgeBlocks = async (
  reader: Reader,
): Promise<{ readonly first: Block; readonly last: Block } | undefined> => {
  const blocks = (await reader.read(edgeBlocksQuery().compile())).map(toBlock)
  const [first] = blocks
  return first === undefined ? undefined : { first, last: blocks.at(-1)! }
}

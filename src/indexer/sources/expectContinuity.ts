import { type BlockIdExt, formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { isShardAncestor } from '../../primitives/shard.ts'
import type { BlockPlace } from './checkRawBlock.ts'
import { SourceAnswerError } from './errors.ts'

export type UnitLinks = {
  readonly seqno: number
  /** The newest block of every shard before and at the masterchain block. */
  readonly topsBefore: readonly BlockIdExt[]
  readonly tops: readonly BlockIdExt[]
  readonly blocks: readonly { readonly id: BlockIdExt; readonly place: BlockPlace }[]
}

/** Checks that the new blocks of every shard lead from all that was there to all that is there, and from nothing else. */
export const expectContinuity = ({ seqno, topsBefore, tops, blocks }: UnitLinks): void => {
  const followed = new Set(blocks.flatMap(({ place }) => place.previous.map(formatBlockIdExt)))
  const present = new Set(tops.map(formatBlockIdExt))
  for (const top of topsBefore) {
    const key = formatBlockIdExt(top)
    if (followed.has(key) || present.has(key)) continue
    throw new SourceAnswerError(
      `Nothing at masterchain block ${seqno} follows ${formatBlockId(top)}, which was included before it.`,
    )
  }
  for (const { id, place } of blocks) {
    const zero = place.previous.find((each) => each.seqno === 0)
    if (zero === undefined) continue
    const known = topsBefore.find((top) => top.seqno > 0 && overlap(top, id))
    if (known === undefined) continue
    throw new SourceAnswerError(
      `Block ${formatBlockId(id)} at masterchain block ${seqno} begins its shard anew, where ${formatBlockId(known)} was known.`,
    )
  }
}

const overlap = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain && (isShardAncestor(a.shard, b.shard) || isShardAncestor(b.shard, a.shard))

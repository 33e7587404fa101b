import { Type } from 'typebox'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'

/** A part of the transactions of a block. */
export type BlockList<Listed> = {
  readonly block: BlockIdExt
  /** As many as were asked for at most. */
  readonly count: number
  readonly transactions: readonly Listed[]
  readonly isComplete: boolean
}

/** What lists of both kinds have in common. */
export const blockListMembers = {
  id: BlockIdView,
  req_count: Type.Integer({ description: 'How many were asked for.', examples: [40] }),
  incomplete: Type.Boolean({ description: 'More may follow.' }),
}

export const toBlockListMembers = ({ block, count, isComplete }: BlockList<unknown>) => ({
  id: toBlockIdView(block),
  req_count: count,
  incomplete: !isComplete,
})

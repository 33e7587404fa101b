import type { AccountFacts } from '../trace/AccountFacts.ts'
import type { Block, BlockKind } from '../tree/Block.ts'
import { foldBlocks } from '../tree/foldBlocks.ts'
import type { Surroundings } from './Pattern.ts'

/** What a pattern works with. */
export type MatchContext = { readonly facts: AccountFacts }

/** The block that a pattern began with, and all that belong to it. */
export type Match = {
  readonly anchor: Block
  /** The others, in the order in which they were found. */
  readonly others: readonly Block[]
}

/** Finds blocks that belong together, and makes one of them. */
export type Matcher = {
  /** Tells it from others where matches are counted. */
  readonly name: string
  /** Where to look closer. Cheap: it is asked of every block. */
  isAnchor(block: Block, context: MatchContext): boolean
  readonly around: Surroundings
  /** Makes the block or the blocks, by `fold` as a rule; throws where it is none after all. It changes nothing before it is sure. */
  build(match: Match, context: MatchContext): void
}

/** The whole match as one block. */
export const foldMatch = <Data>(
  { anchor, others }: Match,
  kind: BlockKind<Data>,
  data: Data,
  options: { readonly failed?: boolean } = {},
): Block<Data> => foldBlocks(kind, data, [anchor, ...others], options)

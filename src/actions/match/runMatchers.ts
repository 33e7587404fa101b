import { type Block, walkBlocks } from '../tree/Block.ts'
import type { MatchContext, Matcher } from './Matcher.ts'
import { takeSurroundings } from './Pattern.ts'

/** Told of every match that was dropped, and why. */
export type OnDropped = (matcher: Matcher, error: unknown) => void

/** Lets every matcher go over the tree, one after the other. A match that fails is dropped, and nothing else. */
export const runMatchers = (
  root: Block,
  matchers: readonly Matcher[],
  context: MatchContext,
  onDropped: OnDropped,
): void => {
  for (const matcher of matchers) {
    for (const block of walkBlocks(root)) {
      if (block === root) continue
      try {
        if (!matcher.isAnchor(block, context)) continue
        const others = takeSurroundings(block, matcher.around)
        if (others !== undefined) matcher.build({ anchor: block, others }, context)
      } catch (error) {
        onDropped(matcher, error)
      }
    }
  }
}

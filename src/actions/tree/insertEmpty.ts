import { emptyBlock } from '../patterns/core/synthetic.ts'
import { Block } from './Block.ts'

/** Puts an empty block between one and some of those that follow it, so that these have a parent of their own and can be folded. */
export const insertEmpty = (previous: Block, following: readonly Block[]): Block => {
  const empty = new Block(emptyBlock, undefined, []) as Block
  previous.next = previous.next.filter((next) => !following.includes(next))
  previous.connect(empty)
  for (const next of following) empty.connect(next)
  return empty
}

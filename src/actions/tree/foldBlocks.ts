import { MatchRefusedError } from '../match/MatchRefusedError.ts'
import { Block, type BlockKind } from './Block.ts'
import type { EventNode } from './EventNode.ts'

/** Makes one block of several, which must hang together below the earliest. It takes their place. */
export const foldBlocks = <Data>(
  kind: BlockKind<Data>,
  data: Data,
  parts: Iterable<Block>,
  { failed = false }: { readonly failed?: boolean } = {},
): Block<Data> => {
  const blocks = [...new Set(parts)].sort(byTime)
  const [earliest] = blocks
  if (earliest === undefined) throw new MatchRefusedError('There is nothing to fold.')
  const joined = new Set<Block>()
  for (const block of blocks) {
    if (block.container !== undefined) throw new MatchRefusedError('A block is a part of another already.')
    if (block !== earliest && (block.previous === undefined || !joined.has(block.previous))) {
      throw new MatchRefusedError('The blocks do not hang together.')
    }
    joined.add(block)
  }
  const folded = new Block(kind, data, uniteNodes(blocks), failed)
  folded.initiating = earliest.initiating
  const { previous } = earliest
  folded.previous = previous
  if (previous !== undefined) previous.next = previous.next.map((next) => (next === earliest ? folded : next))
  for (const block of blocks) {
    for (const next of block.next) {
      if (joined.has(next)) continue
      next.previous = folded
      folded.next.push(next)
    }
    block.container = folded
    folded.children.push(block)
  }
  return folded
}

const byTime = (a: Block, b: Block): number => {
  if (a.startLt !== b.startLt) return a.startLt < b.startLt ? -1 : 1
  return Number(a.nodes[0]?.isLog ?? false) - Number(b.nodes[0]?.isLog ?? false)
}

/** The events of the earliest block come first, since what began them began the whole. */
const uniteNodes = (blocks: readonly Block[]): EventNode[] => [...new Set(blocks.flatMap(({ nodes }) => nodes))]

import type { ShardIdent } from '../../../src/codec/tlb/BlockInfo.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { isShardAncestor, shardChildren, wholeShard } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import { holds } from './routes.ts'
import type { Processed, QueuedMessage, StateView } from './StateView.ts'

/** A shard as a block knows it: its queue, and how far it has taken in those of others. */
export type Neighbour = {
  readonly shard: ShardIdent
  readonly endLt: bigint
  /** The messages that wait there. */
  readonly queue: readonly QueuedMessage[]
  readonly processed: readonly Processed[]
}

const cutQueue = ({ outQueue }: StateView, shard: ShardIdent): QueuedMessage[] =>
  [...outQueue.values()].filter(({ envelope }) => holds(shard, envelope.current))

/** What was taken in by a shard also holds for the halves that it is split into. */
const cutProcessed = ({ processed }: StateView, { shard }: ShardIdent): Processed[] =>
  processed.flatMap((entry) => {
    if (isShardAncestor(entry.shard, shard)) return [{ ...entry, shard }]
    return isShardAncestor(shard, entry.shard) ? [entry] : []
  })

const neighbourOf = (state: StateView, shard: ShardIdent): Neighbour => ({
  shard,
  endLt: state.state.genLt,
  queue: cutQueue(state, shard),
  processed: cutProcessed(state, shard),
})

/** Both lists are asked for by several rules, and take a walk over all queues. */
const memo = <T>(list: (context: BlockContext) => T): ((context: BlockContext) => T) => {
  const known = new WeakMap<BlockContext, T>()
  return (context) => {
    const kept = known.get(context)
    if (kept !== undefined) return kept
    const made = list(context)
    known.set(context, made)
    return made
  }
}

/** The own shard before the block: half of its parent after a split, both halves after a merge. */
export const ownBefore = memo(({ before, own }: BlockContext): Neighbour => {
  const parts = before.map((state) => neighbourOf(state, own))
  return {
    shard: own,
    endLt: parts.map(({ endLt }) => endLt).reduce((a, b) => (a > b ? a : b)),
    queue: parts.flatMap(({ queue }) => queue),
    processed: parts.flatMap(({ processed }) => processed),
  }
})

/**
 * All other shards as the block knows them: those of the masterchain state it refers to, for a masterchain block those that it
 * includes itself. A half whose parent was just split is as the parent says.
 */
export const listNeighbours = memo((context: BlockContext): readonly Neighbour[] => {
  const { own, isMaster, master, after, chain } = context
  const leaves = (isMaster ? after : master).master.shards
  const neighbours = leaves.flatMap(({ workchain, shard, descr }): Neighbour[] => {
    const state = chain.getState({ workchain, shard, ...descr })
    if (workchain !== own.workchain || !isRelated(shard, own.shard)) return [neighbourOf(state, { workchain, shard })]
    if (isShardAncestor(own.shard, shard)) return []
    const sibling = shardChildren(shard).find((half) => half !== own.shard)!
    return [neighbourOf(state, { workchain, shard: sibling })]
  })
  return isMaster ? neighbours : [...neighbours, neighbourOf(master, { workchain: masterchain, shard: wholeShard })]
})

const isRelated = (a: bigint, b: bigint): boolean => isShardAncestor(a, b) || isShardAncestor(b, a)

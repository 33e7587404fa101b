import { isShardAncestor } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import { compareOrder } from './EnvelopeView.ts'
import type { Neighbour } from './neighbours.ts'
import { holds, type Place } from './routes.ts'
import type { Processed, QueuedMessage } from './StateView.ts'

/** The end of the shard's newest block as a masterchain block knew it. */
const endKnownAt = ({ chain, block, after, isMaster }: BlockContext, mcSeqno: number, place: Place): bigint => {
  const state = isMaster && mcSeqno === block.info.seqno ? after : chain.getMaster(mcSeqno).state
  if (holds(state.state.shard, place)) return state.state.genLt
  return state.master.shards.find((leaf) => holds(leaf, place))?.descr.endLt ?? 0n
}

/** Whether a shard has taken in this message, by what its state says. */
export const isProcessedBy = (
  context: BlockContext,
  { shard: { workchain }, processed }: Pick<Neighbour, 'shard' | 'processed'>,
  { envelope, enqueuedLt }: QueuedMessage,
): boolean =>
  processed.some((entry) => {
    const shard = { workchain, shard: entry.shard }
    if (!holds(shard, envelope.next) || compareOrder(envelope, entry) > 0) return false
    // A shard knows its own messages without the word of the masterchain.
    return holds(shard, envelope.current) || enqueuedLt < endKnownAt(context, entry.mcSeqno, envelope.current)
  })

/** One entry makes another needless where it covers its shard, is as new, and reaches as far. */
const dominates = (a: Processed, b: Processed): boolean =>
  isShardAncestor(a.shard, b.shard) && a.mcSeqno >= b.mcSeqno && compareOrder(a, b) >= 0

export const formatProcessed = ({ shard, mcSeqno, lt, message }: Processed): string =>
  `${shard.toString(16)} by ${mcSeqno} up to ${lt}:${message}`

/** The entries without those that others make needless, of equal ones the first. */
export const compact = (entries: readonly Processed[]): Processed[] => {
  const unique = [...new Map(entries.map((entry) => [formatProcessed(entry), entry])).values()]
  return unique.filter((entry) => !unique.some((other) => other !== entry && dominates(other, entry)))
}

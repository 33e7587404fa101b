import type { WorkchainDescr } from '../../../src/codec/tlb/config/workchains.ts'
import type { FutureSplitMerge } from '../../../src/codec/tlb/ShardHashes.ts'
import { findShardParent, shardChildren, shardPrefixLength } from '../../../src/primitives/shard.ts'
import type { BlockContext } from './BlockContext.ts'
import { isTimeUp } from './sessions.ts'
import type { LeafFacts, RegisteredLeaf } from './shardLeaves.ts'

/** What networks do whose workchains do not say it themselves. */
const DEFAULT_DELAY = 100
const DEFAULT_INTERVAL = 100

type Plan = { readonly future: FutureSplitMerge; readonly beforeMerge: boolean }

/**
 * The leaf with what the masterchain block plans for its shard: splits, merges, and the next session. A key block plans by the
 * configuration that it brings.
 */
export const planLeaf = (context: BlockContext, leaf: RegisteredLeaf, all: readonly RegisteredLeaf[]): LeafFacts => {
  const { facts } = leaf
  const sibling = findSibling(leaf, all)?.facts
  const { future, beforeMerge } = planShard(context, leaf, sibling)
  // A merge that was to come and did not costs the shard a session.
  const lapsed = facts.beforeMerge && !beforeMerge ? 1 : 0
  const rotated = isShardRotation(context) ? 1 : 0
  // Before there was any version, all leaves had the old form; now whatever is written anew has the new one.
  const isOldForm = context.config.version === 0
  const isSame = JSON.stringify(future) === JSON.stringify(facts.splitMergeAt) && beforeMerge === facts.beforeMerge
  return {
    ...facts,
    beforeMerge,
    splitMergeAt: future,
    nextCatchainSeqno: facts.nextCatchainSeqno + lapsed + rotated,
    feesInRef: !isOldForm && (facts.feesInRef || !isSame || lapsed + rotated > 0),
  }
}

const findSibling = (leaf: RegisteredLeaf, all: readonly RegisteredLeaf[]): RegisteredLeaf | undefined => {
  const parent = findShardParent(leaf.shard)
  if (parent === undefined) return undefined
  const sibling = shardChildren(parent).find((shard) => shard !== leaf.shard)
  return all.find(({ workchain, shard }) => workchain === leaf.workchain && shard === sibling)
}

/** A plan ends with its window, with the split itself, and a merge with its partner. */
const planStillHeld = (facts: LeafFacts, sibling: LeafFacts | undefined, now: number): FutureSplitMerge => {
  const { splitMergeAt: future } = facts
  if (future.kind === 'none') return future
  if (now >= future.utime + future.interval || facts.beforeSplit) return { kind: 'none' }
  if (future.kind === 'merge' && (sibling === undefined || sibling.beforeSplit)) return { kind: 'none' }
  return future
}

const planShard = (
  { block, after }: BlockContext,
  { workchain, shard, facts }: RegisteredLeaf,
  sibling: LeafFacts | undefined,
): Plan => {
  const now = block.info.genUtime
  const future = planStillHeld(facts, sibling, now)
  const limits = after.master.config.workchains.get(workchain)
  if (limits === undefined || facts.beforeSplit) return { future, beforeMerge: false }
  const depth = shardPrefixLength(shard)
  const tooDeep = depth > limits.maxSplit
  if (future.kind === 'none') {
    const isSplit = (facts.wantSplit || depth < limits.minSplit) && depth < limits.maxSplit
    if (isSplit) return { future: { kind: 'split', ...windowOf(limits, now) }, beforeMerge: false }
    const partner =
      sibling !== undefined && !sibling.beforeSplit && sibling.splitMergeAt.kind === 'none' ? sibling : undefined
    const isMerge =
      partner !== undefined && depth > limits.minSplit && (tooDeep || (facts.wantMerge && partner.wantMerge))
    return { future: isMerge ? { kind: 'merge', ...windowOf(limits, now) } : future, beforeMerge: false }
  }
  const theirs = sibling?.splitMergeAt
  const beforeMerge =
    future.kind === 'merge' &&
    theirs?.kind === 'merge' &&
    sibling !== undefined &&
    !sibling.beforeSplit &&
    depth > limits.minSplit &&
    now >= future.utime &&
    now >= theirs.utime &&
    (tooDeep || (facts.wantMerge && sibling.wantMerge))
  return { future, beforeMerge }
}

const windowOf = ({ extension }: WorkchainDescr, now: number): { utime: number; interval: number } => {
  const timings = extension?.splitMergeTimings
  return { utime: now + (timings?.delay ?? DEFAULT_DELAY), interval: timings?.interval ?? DEFAULT_INTERVAL }
}

const isShardRotation = (context: BlockContext): boolean =>
  isTimeUp(context, context.after.master.config.catchain.shardCatchainLifetime)

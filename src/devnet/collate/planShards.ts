import type { WorkchainDescr } from '../../codec/tlb/config/workchains.ts'
import { type FutureSplitMerge, NO_SPLIT_MERGE, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { findShardParent, shardChildren, shardPrefixLength } from '../../primitives/shard.ts'

/** The limits and times of splits and merges in a workchain. */
export type ShardPlanRules = {
  readonly minSplit: number
  readonly maxSplit: number
  readonly delay: number
  readonly interval: number
}

/** What nodes take where a workchain does not say. */
const DEFAULT_TIMINGS = { delay: 100, interval: 100 }

export const shardPlanRules = ({ minSplit, maxSplit, extension }: WorkchainDescr): ShardPlanRules => {
  const { delay, interval } = extension?.splitMergeTimings ?? DEFAULT_TIMINGS
  return { minSplit, maxSplit, delay, interval }
}

/** Plans splits and merges for the shards of a workchain, and lets those merge whose time has come. */
export const planShards = (leaves: readonly ShardLeaf[], rules: ShardPlanRules, utime: number): ShardLeaf[] => {
  const siblingOf = (all: readonly ShardLeaf[], { shard }: ShardLeaf): ShardLeaf | undefined => {
    const parent = findShardParent(shard)
    if (parent === undefined) return undefined
    const [left, right] = shardChildren(parent)
    const sibling = shard === left ? right : left
    return all.find((other) => other.shard === sibling)
  }
  const kept = leaves.map((leaf) => withPlan(leaf, keepPlan(leaf, siblingOf(leaves, leaf), utime)))
  return kept.map((leaf) => {
    const sibling = siblingOf(kept, leaf)
    if (leaf.descr.beforeSplit) return leaf
    if (leaf.descr.splitMergeAt.kind === 'none') {
      const plan = newPlan(leaf, sibling, rules)
      if (plan === undefined) return leaf
      return withPlan(leaf, { kind: plan, utime: utime + rules.delay, interval: rules.interval })
    }
    const merges = sibling !== undefined && [leaf, sibling].every((each) => isMergeDue(each, rules, utime))
    return merges ? { ...leaf, descr: { ...leaf.descr, beforeMerge: true } } : leaf
  })
}

const keepPlan = (
  { descr: { splitMergeAt: plan, beforeSplit } }: ShardLeaf,
  sibling: ShardLeaf | undefined,
  utime: number,
): FutureSplitMerge => {
  if (plan.kind === 'none' || beforeSplit || utime >= plan.utime + plan.interval) return NO_SPLIT_MERGE
  if (plan.kind === 'merge' && (sibling === undefined || sibling.descr.beforeSplit)) return NO_SPLIT_MERGE
  return plan
}

const newPlan = (
  leaf: ShardLeaf,
  sibling: ShardLeaf | undefined,
  { minSplit, maxSplit }: ShardPlanRules,
): 'split' | 'merge' | undefined => {
  const depth = shardPrefixLength(leaf.shard)
  if ((leaf.descr.wantSplit || depth < minSplit) && depth < maxSplit) return 'split'
  if (sibling === undefined || sibling.descr.beforeSplit || sibling.descr.splitMergeAt.kind !== 'none') return undefined
  const wants = [leaf, sibling].every(({ descr }) => descr.wantMerge || depth > maxSplit)
  return depth > minSplit && wants ? 'merge' : undefined
}

const isMergeDue = ({ descr, shard }: ShardLeaf, { minSplit, maxSplit }: ShardPlanRules, utime: number): boolean =>
  descr.splitMergeAt.kind === 'merge' &&
  shardPrefixLength(shard) > minSplit &&
  utime >= descr.splitMergeAt.utime &&
  (descr.wantMerge || shardPrefixLength(shard) > maxSplit)

/** A planned shard is written in the newer form. */
const withPlan = ({ descr, ...place }: ShardLeaf, plan: FutureSplitMerge): ShardLeaf => ({
  ...place,
  descr: { ...descr, splitMergeAt: plan, feesInRef: descr.feesInRef || plan.kind !== 'none' },
})

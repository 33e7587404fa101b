import { addCurrency, type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { WorkchainDescr } from '../../codec/tlb/config/workchains.ts'
import { type FutureSplitMerge, NO_SPLIT_MERGE, type ShardDescr, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { findShardParent, shardChildren, shardPrefixLength, wholeShard } from '../../primitives/shard.ts'
import type { MadeShardBlock } from './collateShard.ts'
import type { NetworkRules } from './MasterView.ts'

/** The limits and times of splits and merges in a workchain. */
export type ShardPlanRules = {
  readonly minSplit: number
  readonly maxSplit: number
  readonly delay: number
  readonly interval: number
}

/** What nodes take where a workchain does not say. */
const DEFAULT_TIMINGS = { delay: 100, interval: 100 }

const shardPlanRules = ({ minSplit, maxSplit, extension }: WorkchainDescr): ShardPlanRules => {
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
const withPlan = ({ descr, ...shard }: ShardLeaf, plan: FutureSplitMerge): ShardLeaf => ({
  ...shard,
  descr: { ...descr, splitMergeAt: plan, feesInRef: descr.feesInRef || plan.kind !== 'none' },
})

/** How the masterchain knows a new workchain: by its first state. */
export const newWorkchainLeaf = (
  workchain: number,
  { zerostateRootHash, zerostateFileHash }: WorkchainDescr,
  mcSeqno: number,
): ShardLeaf => ({
  workchain,
  shard: wholeShard,
  descr: {
    feesInRef: false,
    seqno: 0,
    regMcSeqno: mcSeqno,
    startLt: 0n,
    endLt: 0n,
    rootHash: zerostateRootHash,
    fileHash: zerostateFileHash,
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    nextCatchainSeqno: 0,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 0xffff_ffff,
    genUtime: 0,
    splitMergeAt: NO_SPLIT_MERGE,
    feesCollected: ZERO_CURRENCY,
    fundsCreated: ZERO_CURRENCY,
  },
})

/** How the masterchain knows the newest block of a shard; plans for the shard are kept if it is the same shard as before. */
export const registerBlock = (
  { block, flow }: MadeShardBlock,
  before: ShardLeaf | undefined,
  mcSeqno: number,
): ShardLeaf => {
  const { id, info } = block
  const descr: ShardDescr = {
    feesInRef: true,
    seqno: id.seqno,
    regMcSeqno: mcSeqno,
    startLt: info.startLt,
    endLt: info.endLt,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    beforeSplit: info.beforeSplit,
    beforeMerge: false,
    wantSplit: info.wantSplit,
    wantMerge: info.wantMerge,
    nxCcUpdated: false,
    nextCatchainSeqno: info.genCatchainSeqno,
    nextValidatorShard: id.shard,
    minRefMcSeqno: info.minRefMcSeqno,
    genUtime: info.genUtime,
    splitMergeAt: before?.descr.splitMergeAt ?? NO_SPLIT_MERGE,
    feesCollected: flow.feesCollected,
    fundsCreated: flow.created,
  }
  return { workchain: id.workchain, shard: id.shard, descr }
}

/** The catchain number after a masterchain block in which those of all shards grew. */
const bumpCatchain = ({ descr, ...shard }: ShardLeaf): ShardLeaf => ({
  ...shard,
  descr: { ...descr, nextCatchainSeqno: descr.nextCatchainSeqno + 1 },
})

/** All money that shard blocks minted or burned by hand: no real network does so outside of the masterchain. */
export const mintedByShards = (
  blocks: readonly MadeShardBlock[],
): { minted: CurrencyCollection; burned: CurrencyCollection } => ({
  minted: blocks.reduce((sum, { flow }) => addCurrency(sum, flow.minted), ZERO_CURRENCY),
  burned: blocks.reduce((sum, { flow }) => addCurrency(sum, flow.burned ?? ZERO_CURRENCY), ZERO_CURRENCY),
})

export type AdvancedShards = {
  readonly leaves: readonly ShardLeaf[]
  /** Whether the session of the masterchain's validators ends with this block, and whether those of the shards do. */
  readonly endsMasterSession: boolean
  readonly endsShardSessions: boolean
}

/** What a masterchain block decides about the shards it includes: splits and merges to come, and new sessions. */
export const advanceShards = (
  leaves: readonly ShardLeaf[],
  { catchain, workchains }: NetworkRules,
  { isKeyBlock, before, utime }: { isKeyBlock: boolean; before: number; utime: number },
): AdvancedShards => {
  const ends = (period: number): boolean => isKeyBlock || Math.floor(utime / period) > Math.floor(before / period)
  const planned = workchains.flatMap(([number, descr]) => {
    const own = leaves.filter(({ workchain }) => workchain === number)
    return planShards(own, shardPlanRules(descr), utime)
  })
  const endsShardSessions = ends(catchain.shardCatchainLifetime)
  return {
    leaves: endsShardSessions ? planned.map(bumpCatchain) : planned,
    endsMasterSession: ends(catchain.mcCatchainLifetime),
    endsShardSessions,
  }
}

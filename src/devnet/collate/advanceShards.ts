import type { ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import type { NetworkRules } from './NetworkRules.ts'
import { planShards, shardPlanRules } from './planShards.ts'
import { bumpCatchain } from './registerShards.ts'

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

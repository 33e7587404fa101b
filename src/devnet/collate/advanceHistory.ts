import { Dict } from '../../codec/cell/Dict.ts'
import {
  type BlockCreateStats,
  type Counters,
  type CreatorStats,
  creatorStatsType,
  type McStateHistory,
} from '../../codec/tlb/McStateExtra.ts'
import { soleValidatorHash } from '../genesis/soleValidator.ts'
import type { AdvancedShards } from './advanceShards.ts'
import type { MasterView } from './MasterView.ts'

const NO_COUNTS: Counters = { lastUpdated: 0, total: 0n, recent2048: 0n, recent65536: 0n }
const NOBODY: CreatorStats = { masterchain: NO_COUNTS, shards: NO_COUNTS }
/** The entry that counts the blocks of all validators. */
const EVERYBODY = new Uint8Array(32)

/** Counts a masterchain block and the shard blocks in it, all by the one validator. */
export const updateCreateStats = (
  stats: BlockCreateStats | undefined,
  creator: Uint8Array,
  shardBlocks: number,
  utime: number,
): BlockCreateStats => {
  let creators = stats?.kind === 'plain' ? stats.creators : new Dict(creatorStatsType)
  for (const key of [EVERYBODY, creator]) {
    const { masterchain, shards } = creators.find(key) ?? NOBODY
    creators = creators.set(key, {
      masterchain: increase(masterchain, 1, utime),
      shards: shardBlocks === 0 ? shards : increase(shards, shardBlocks, utime),
    })
  }
  return { kind: 'plain', creators }
}

const increase = (
  { lastUpdated, total, recent2048, recent65536 }: Counters,
  count: number,
  utime: number,
): Counters => {
  const added = BigInt(count) << 32n
  if (total === 0n) return { lastUpdated: utime, total: BigInt(count), recent2048: added, recent65536: added }
  const passed = Math.max(0, utime - lastUpdated)
  return {
    lastUpdated: utime,
    total: total + BigInt(count),
    recent2048: (passed >= 48 * 2048 ? 0n : fade(recent2048, passed * 32)) + added,
    recent65536: fade(recent65536, passed) + added,
  }
}

const ONE = 1n << 128n
/** Beyond this nothing is left of 64 bits. */
const LAST_STEP = 46 * 65_536

/** The nearest integer to amount·exp(−steps / 65536). */
const fade = (amount: bigint, steps: number): bigint => {
  if (steps === 0) return amount
  if (steps >= LAST_STEP) return 0n
  return (amount * exponential(BigInt(steps)) + ONE / 2n) >> 128n
}

/** exp(−steps / 65536) in units of 2⁻¹²⁸, as the inverse of a series whose terms are all positive. */
const exponential = (steps: bigint): bigint => {
  let term = ONE
  let sum = ONE
  for (let k = 1n; term > 0n; k++) {
    term = (term * steps) / (65_536n * k)
    sum += term
  }
  return (ONE * ONE) / sum
}

/** What a masterchain state keeps of the past, after one more block. */
export const advanceHistory = (
  { history, ref, rules }: MasterView,
  { endsMasterSession, endsShardSessions }: AdvancedShards,
  block: {
    readonly isKeyBlock: boolean
    readonly shardBlocks: number
    readonly creator: Uint8Array
    readonly utime: number
  },
): McStateHistory => ({
  validatorInfo: {
    validatorListHashShort: soleValidatorHash(rules.validator, 0),
    catchainSeqno: history.validatorInfo.catchainSeqno + (endsMasterSession ? 1 : 0),
    nxCcUpdated: endsMasterSession && endsShardSessions,
  },
  prevBlocks: history.prevBlocks.set(ref.seqno, { isKey: history.afterKeyBlock, block: ref }),
  afterKeyBlock: block.isKeyBlock,
  lastKeyBlock: history.afterKeyBlock ? ref : history.lastKeyBlock,
  blockCreateStats: rules.hasCreateStats
    ? updateCreateStats(history.blockCreateStats, block.creator, block.shardBlocks, block.utime)
    : undefined,
})

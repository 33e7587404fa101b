import type { WorkchainDescr } from '../../../codec/tlb/config/workchains.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'

export type ShardLimits = { readonly minSplit: number; readonly maxSplit: number }

/**
 * A shard that is to split or merge does so at once: time moves by hand here, and may stand still. The window is long enough
 * for slow blocks.
 */
const splitMergeTimings = { delay: 0, interval: 60, minInterval: 10, maxDelay: 1_000 }

/** Workchain 0 as the configuration describes it, which begins with the given state. */
export const createBasechain = (
  { rootHash, fileHash }: BlockIdExt,
  utime: number,
  { minSplit, maxSplit }: ShardLimits,
): WorkchainDescr => ({
  enabledSince: utime,
  monitorMinSplit: 0,
  minSplit,
  maxSplit,
  isActive: true,
  acceptsMessages: true,
  flags: 0,
  zerostateRootHash: rootHash,
  zerostateFileHash: fileHash,
  version: 0,
  format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
  extension: { splitMergeTimings, persistentStateSplitDepth: 0 },
})

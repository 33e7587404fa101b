import { type AugDict, type AugDictType, readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { hashKey, uintValue } from '../cell/dictTypes.ts'
import { unknownTag } from './unknownTag.ts'

/** Blocks made so far, and two sums that fade over about 2,048 and 65,536 seconds. */
export type Counters = {
  readonly lastUpdated: number
  readonly total: bigint
  readonly recent2048: bigint
  readonly recent65536: bigint
}

export type CreatorStats = { readonly masterchain: Counters; readonly shards: Counters }

/** Who made how many blocks, by the creator's public key; the key of zeros holds the totals. */
export type BlockCreateStats =
  | { readonly kind: 'plain'; readonly creators: Dict<Uint8Array, CreatorStats> }
  | { readonly kind: 'augmented'; readonly creators: AugDict<Uint8Array, CreatorStats, number> }

/** counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters; */
export const readCounters = (r: CellReader): Counters => ({
  lastUpdated: r.readUint(32),
  total: r.readUint64(),
  recent2048: r.readUint64(),
  recent65536: r.readUint64(),
})

export const writeCounters = (w: CellWriter, counters: Counters): void => {
  w.writeUint(counters.lastUpdated, 32).writeUint64(counters.total)
  w.writeUint64(counters.recent2048).writeUint64(counters.recent65536)
}

/** creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats; */
export const readCreatorStats = (r: CellReader): CreatorStats => {
  r.expectTag(0x4, 4)
  return { masterchain: readCounters(r), shards: readCounters(r) }
}

export const writeCreatorStats = (w: CellWriter, { masterchain, shards }: CreatorStats): void => {
  w.writeUint(0x4, 4)
  writeCounters(w, masterchain)
  writeCounters(w, shards)
}

const creatorStatsCodec = { read: readCreatorStats, write: writeCreatorStats }

export const creatorStatsType: DictType<Uint8Array, CreatorStats> = { key: hashKey, value: creatorStatsCodec }

/**
 * The augmented form stands in block.tlb, but no known node writes it and none says what its numbers sum up. They are taken
 * for the time of the latest update.
 */
export const augmentedCreatorStatsType: AugDictType<Uint8Array, CreatorStats, number> = {
  key: hashKey,
  value: creatorStatsCodec,
  extra: {
    codec: uintValue(32),
    empty: 0,
    combine: Math.max,
    ofLeaf: ({ masterchain, shards }) => Math.max(masterchain.lastUpdated, shards.lastUpdated),
  },
}

/**
 * block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
 * block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
 */
export const readBlockCreateStats = (r: CellReader): BlockCreateStats => {
  const tag = r.readUint(8)
  if (tag === 0x17) return { kind: 'plain', creators: readDict(r, creatorStatsType) }
  if (tag === 0x34) return { kind: 'augmented', creators: readAugDict(r, augmentedCreatorStatsType) }
  throw unknownTag('A BlockCreateStats', '#17 or #34', tag, 8)
}

export const writeBlockCreateStats = (w: CellWriter, stats: BlockCreateStats): void => {
  if (stats.kind === 'plain') {
    w.writeUint(0x17, 8)
    writeDict(w, stats.creators)
  } else {
    w.writeUint(0x34, 8)
    writeAugDict(w, stats.creators)
  }
}

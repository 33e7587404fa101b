import { type AugDict, type AugDictType, readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { hashKey, uintKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './BlockInfo.ts'
import { validatorInfo } from './BlockSignatures.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type ConfigParams, readConfigParams, writeConfigParams } from './config/configParams.ts'
import { record, tagged, uint32, uint64, type ValueOf } from './record.ts'
import { readShardHashes, type ShardHashes, writeShardHashes } from './ShardHashes.ts'
import { readMaybe, unknownTag, writeMaybe } from './scalars.ts'

/** The extra part of a masterchain state. */
export type McStateExtra = {
  readonly shardHashes: ShardHashes
  readonly config: ConfigParams
  /** Cell of the McStateHistory, which not every proof holds; open it with `openMcStateHistory`. */
  readonly history: Cell
  readonly globalBalance: CurrencyCollection
}

/**
 * masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
 *   ^[ flags:(## 16) … ] global_balance:CurrencyCollection = McStateExtra;
 */
export const readMcStateExtra = (r: CellReader): McStateExtra => {
  r.expectTag(0xcc26, 16)
  return {
    shardHashes: readShardHashes(r),
    config: readConfigParams(r),
    history: r.readRefCell(),
    globalBalance: readCurrencyCollection(r),
  }
}

export const writeMcStateExtra = (w: CellWriter, extra: McStateExtra): void => {
  w.writeUint(0xcc26, 16)
  writeShardHashes(w, extra.shardHashes)
  writeConfigParams(w, extra.config)
  w.writeRef(extra.history)
  writeCurrencyCollection(w, extra.globalBalance)
}

/** Reads the McStateExtra that fills a cell, which is `custom` of a masterchain state. */
export const openMcStateExtra = (cell: Cell): McStateExtra => readWhole(cell, readMcStateExtra, 'A McStateExtra')

/**
 * Blocks made so far, and two sums that fade over about 2,048 and 65,536 seconds:
 * counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters;
 */
const counters = record({ lastUpdated: uint32, total: uint64, recent2048: uint64, recent65536: uint64 })

export type Counters = ValueOf<typeof counters>

/** creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats; */
const creatorStats = tagged(0x4, 4, record({ masterchain: counters, shards: counters }))

export type CreatorStats = ValueOf<typeof creatorStats>

/** Who made how many blocks, by the creator's public key; the key of zeros holds the totals. */
export type BlockCreateStats =
  | { readonly kind: 'plain'; readonly creators: Dict<Uint8Array, CreatorStats> }
  | { readonly kind: 'augmented'; readonly creators: AugDict<Uint8Array, CreatorStats, number> }

export const creatorStatsType: DictType<Uint8Array, CreatorStats> = { key: hashKey, value: creatorStats }

/**
 * The augmented form stands in block.tlb, but no known node writes it and none says what its numbers sum up. They are taken
 * for the time of the latest update.
 */
export const augmentedCreatorStatsType: AugDictType<Uint8Array, CreatorStats, number> = {
  key: hashKey,
  value: creatorStats,
  extra: {
    codec: uint32,
    empty: 0,
    combine: Math.max,
    ofLeaf: ({ masterchain, shards }) => Math.max(masterchain.lastUpdated, shards.lastUpdated),
  },
}

/**
 * block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
 * block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
 */
const readBlockCreateStats = (r: CellReader): BlockCreateStats => {
  const tag = r.readUint(8)
  if (tag === 0x17) return { kind: 'plain', creators: readDict(r, creatorStatsType) }
  if (tag === 0x34) return { kind: 'augmented', creators: readAugDict(r, augmentedCreatorStatsType) }
  throw unknownTag('A BlockCreateStats', '#17 or #34', tag, 8)
}

const writeBlockCreateStats = (w: CellWriter, stats: BlockCreateStats): void => {
  if (stats.kind === 'plain') {
    w.writeUint(0x17, 8)
    writeDict(w, stats.creators)
  } else {
    w.writeUint(0x34, 8)
    writeAugDict(w, stats.creators)
  }
}

export type KeyExtBlkRef = { readonly isKey: boolean; readonly block: ExtBlkRef }

export type KeyMaxLt = { readonly hasKey: boolean; readonly maxEndLt: bigint }

/** Earlier masterchain blocks by seqno; the zerostate is entry 0 and counts as a key block. */
export type OldMcBlocks = AugDict<number, KeyExtBlkRef, KeyMaxLt>

/** _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef; */
export const readKeyExtBlkRef = (r: CellReader): KeyExtBlkRef => ({ isKey: r.readBit(), block: readExtBlkRef(r) })

const writeKeyExtBlkRef = (w: CellWriter, { isKey, block }: KeyExtBlkRef): void => {
  w.writeBit(isKey)
  writeExtBlkRef(w, block)
}

/** _ key:Bool max_end_lt:uint64 = KeyMaxLt; */
export const readKeyMaxLt = (r: CellReader): KeyMaxLt => ({ hasKey: r.readBit(), maxEndLt: r.readUint64() })

const writeKeyMaxLt = (w: CellWriter, { hasKey, maxEndLt }: KeyMaxLt): void => {
  w.writeBit(hasKey).writeUint64(maxEndLt)
}

/** _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo; */
export const oldMcBlocksType: AugDictType<number, KeyExtBlkRef, KeyMaxLt> = {
  key: uintKey(32),
  value: { read: readKeyExtBlkRef, write: writeKeyExtBlkRef },
  extra: {
    codec: { read: readKeyMaxLt, write: writeKeyMaxLt },
    empty: { hasKey: false, maxEndLt: 0n },
    combine: (left, right) => ({
      hasKey: left.hasKey || right.hasKey,
      maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
    }),
    ofLeaf: ({ isKey, block }) => ({ hasKey: isKey, maxEndLt: block.endLt }),
  },
}

/** The cell of a McStateExtra beside its shards and its configuration. */
export type McStateHistory = {
  readonly validatorInfo: ValueOf<typeof validatorInfo>
  readonly prevBlocks: OldMcBlocks
  /** The block of this state is a key block; true in the zerostate too. */
  readonly afterKeyBlock: boolean
  /** The newest key block before this one; the zerostate counts as one. */
  readonly lastKeyBlock: ExtBlkRef | undefined
  /** Kept where the network has capability 2. */
  readonly blockCreateStats: BlockCreateStats | undefined
}

const HAS_CREATE_STATS = 1

/**
 * ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
 *    last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
 */
const readMcStateHistory = (r: CellReader): McStateHistory => {
  const flags = r.readUint(16)
  if (flags > HAS_CREATE_STATS) throw new CellError(`The flags of a McStateExtra are 0 or 1, but got ${flags}.`)
  return {
    validatorInfo: validatorInfo.read(r),
    prevBlocks: readAugDict(r, oldMcBlocksType),
    afterKeyBlock: r.readBit(),
    lastKeyBlock: readMaybe(r, readExtBlkRef),
    blockCreateStats: flags === HAS_CREATE_STATS ? readBlockCreateStats(r) : undefined,
  }
}

export const writeMcStateHistory = (w: CellWriter, history: McStateHistory): void => {
  w.writeUint(history.blockCreateStats === undefined ? 0 : HAS_CREATE_STATS, 16)
  validatorInfo.write(w, history.validatorInfo)
  writeAugDict(w, history.prevBlocks)
  w.writeBit(history.afterKeyBlock)
  writeMaybe(w, writeExtBlkRef, history.lastKeyBlock)
  if (history.blockCreateStats !== undefined) writeBlockCreateStats(w, history.blockCreateStats)
}

/** Reads the history that fills a cell, which is `history` of a McStateExtra. */
export const openMcStateHistory = (cell: Cell): McStateHistory =>
  readWhole(cell, readMcStateHistory, 'The history in a McStateExtra')

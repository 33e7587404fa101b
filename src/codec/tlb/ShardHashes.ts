import { shardPrefixLength } from '../../primitives/shard.ts'
import { type BinTreeLeaf, lookupBinTree, readBinTree, writeBinTree } from '../cell/BinTree.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { cellValue, int32Key } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import type { ShardIdent } from './BlockInfo.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { unknownTag } from './scalars.ts'

/** A planned split or merge of a shard and its window: `interval` seconds from `utime` on. */
export type FutureSplitMerge =
  | { readonly kind: 'none' }
  | { readonly kind: 'split' | 'merge'; readonly utime: number; readonly interval: number }

export const NO_SPLIT_MERGE: FutureSplitMerge = { kind: 'none' }

/**
 * fsm_none$0 = FutureSplitMerge; fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
 * fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
 */
const readFutureSplitMerge = (r: CellReader): FutureSplitMerge => {
  if (!r.readBit()) return NO_SPLIT_MERGE
  return { kind: r.readBit() ? 'merge' : 'split', utime: r.readUint(32), interval: r.readUint(32) }
}

const writeFutureSplitMerge = (w: CellWriter, future: FutureSplitMerge): void => {
  w.writeBit(future.kind !== 'none')
  if (future.kind === 'none') return
  w.writeBit(future.kind === 'merge')
    .writeUint(future.utime, 32)
    .writeUint(future.interval, 32)
}

const OLD = 0xb
const NEW = 0xa

/** The newest block of a shard as the masterchain knows it. */
export type ShardDescr = {
  /** Whether the two amounts at the end stand in a cell of their own, as in all but early blocks and new workchains. */
  readonly feesInRef: boolean
  readonly seqno: number
  readonly regMcSeqno: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  readonly beforeSplit: boolean
  readonly beforeMerge: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly nxCcUpdated: boolean
  readonly nextCatchainSeqno: number
  readonly nextValidatorShard: bigint
  readonly minRefMcSeqno: number
  readonly genUtime: number
  readonly splitMergeAt: FutureSplitMerge
  /** This and the next: sums over all blocks of the shard since the one registered before. */
  readonly feesCollected: CurrencyCollection
  readonly fundsCreated: CurrencyCollection
}

/**
 * shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256
 *   before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool flags:(## 3) { flags = 0 }
 *   next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32 gen_utime:uint32
 *   split_merge_at:FutureSplitMerge fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
 * shard_descr_new#a … ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ] = ShardDescr;
 */
export const readShardDescr = (r: CellReader): ShardDescr => {
  const tag = r.readUint(4)
  if (tag !== OLD && tag !== NEW) throw unknownTag('A ShardDescr', '#a or #b', tag, 4)
  const seqno = r.readUint(32)
  const regMcSeqno = r.readUint(32)
  const startLt = r.readUint64()
  const endLt = r.readUint64()
  const rootHash = r.readBytes(32)
  const fileHash = r.readBytes(32)
  const beforeSplit = r.readBit()
  const beforeMerge = r.readBit()
  const wantSplit = r.readBit()
  const wantMerge = r.readBit()
  const nxCcUpdated = r.readBit()
  r.expectTag(0, 3)
  const nextCatchainSeqno = r.readUint(32)
  const nextValidatorShard = r.readUint64()
  const minRefMcSeqno = r.readUint(32)
  const genUtime = r.readUint(32)
  const splitMergeAt = readFutureSplitMerge(r)
  const amounts = tag === NEW ? r.readRef() : r
  const feesCollected = readCurrencyCollection(amounts)
  const fundsCreated = readCurrencyCollection(amounts)
  if (tag === NEW) amounts.expectEnd('The amounts of a ShardDescr')
  return {
    feesInRef: tag === NEW,
    seqno,
    regMcSeqno,
    startLt,
    endLt,
    rootHash,
    fileHash,
    beforeSplit,
    beforeMerge,
    wantSplit,
    wantMerge,
    nxCcUpdated,
    nextCatchainSeqno,
    nextValidatorShard,
    minRefMcSeqno,
    genUtime,
    splitMergeAt,
    feesCollected,
    fundsCreated,
  }
}

export const writeShardDescr = (w: CellWriter, descr: ShardDescr): void => {
  w.writeUint(descr.feesInRef ? NEW : OLD, 4)
    .writeUint(descr.seqno, 32)
    .writeUint(descr.regMcSeqno, 32)
  w.writeUint64(descr.startLt).writeUint64(descr.endLt)
  w.writeBytes(descr.rootHash).writeBytes(descr.fileHash)
  w.writeBit(descr.beforeSplit).writeBit(descr.beforeMerge).writeBit(descr.wantSplit).writeBit(descr.wantMerge)
  w.writeBit(descr.nxCcUpdated).writeUint(0, 3)
  w.writeUint(descr.nextCatchainSeqno, 32).writeUint64(descr.nextValidatorShard)
  w.writeUint(descr.minRefMcSeqno, 32).writeUint(descr.genUtime, 32)
  writeFutureSplitMerge(w, descr.splitMergeAt)
  const amounts = descr.feesInRef ? new CellWriter() : w
  writeCurrencyCollection(amounts, descr.feesCollected)
  writeCurrencyCollection(amounts, descr.fundsCreated)
  if (descr.feesInRef) w.writeRef(amounts.toCell())
}

/** The shards of every workchain but the masterchain: a binary tree of ShardDescr for each. */
export type ShardHashes = Dict<number, Cell>

/** A shard and what the masterchain knows of it. */
export type ShardLeaf = ShardIdent & { readonly descr: ShardDescr }

export const shardHashesType: DictType<number, Cell> = { key: int32Key, value: cellValue }

/** _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes; */
export const readShardHashes = (r: CellReader): ShardHashes => readDict(r, shardHashesType)

export const writeShardHashes = (w: CellWriter, hashes: ShardHashes): void => writeDict(w, hashes)

// Equal trees are one cell, so a small block may claim any number of workchains.
const MAX_SHARDS = 1 << 11

const shardOfPath = (path: bigint, depth: number): bigint => ((path << 1n) | 1n) << BigInt(63 - depth)

/** All shards: workchain by workchain (negative ones last), from the left to the right of each tree. */
export const listShards = (hashes: ShardHashes): ShardLeaf[] => {
  const shards: ShardLeaf[] = []
  hashes.forEach((workchain, tree) => {
    for (const { path, depth, value } of readBinTree(tree, readShardDescr)) {
      shards.push({ workchain, shard: shardOfPath(path, depth), descr: value })
    }
    if (shards.length > MAX_SHARDS) throw new CellError(`At most ${MAX_SHARDS} shards are read, there are more.`)
  })
  return shards
}

/**
 * The shard that covers all of the given one: itself or one it would come from by splits. `undefined` where the workchain is
 * not known or the given shard has been split. Only the path to it is entered, so a proof of it is enough.
 */
export const findShard = (hashes: ShardHashes, { workchain, shard }: ShardIdent): ShardLeaf | undefined => {
  const tree = hashes.find(workchain)
  if (tree === undefined) return undefined
  const length = shardPrefixLength(shard)
  const turn = (depth: number): 'left' | 'right' | 'stop' => {
    if (depth === length) return 'stop'
    return ((shard >> BigInt(63 - depth)) & 1n) === 1n ? 'right' : 'left'
  }
  const found = lookupBinTree(tree, turn, readWholeDescr)
  if (found === undefined) return undefined
  const { depth, value } = found
  return { workchain, shard: shardOfPath(shard >> BigInt(64 - depth), depth), descr: value }
}

/** The shard of an account, by the first 64 bits of its address. */
export const findShardOfAccount = (
  hashes: ShardHashes,
  workchain: number,
  accountPrefix: bigint,
): ShardLeaf | undefined => findShard(hashes, { workchain, shard: accountPrefix | 1n })

const readWholeDescr = (r: CellReader): ShardDescr => {
  const descr = readShardDescr(r)
  r.expectEnd('A ShardDescr')
  return descr
}

/** Builds the trees of these shards, which may come in any order but must cover each of their workchains without gaps. */
export const buildShardHashes = (shards: Iterable<ShardLeaf>): ShardHashes => {
  const byWorkchain = new Map<number, BinTreeLeaf<ShardDescr>[]>()
  for (const { workchain, shard, descr } of [...shards].sort(compareShards)) {
    const depth = shardPrefixLength(shard)
    const leaf = { path: shard >> BigInt(64 - depth), depth, value: descr }
    const leaves = byWorkchain.get(workchain)
    if (leaves === undefined) byWorkchain.set(workchain, [leaf])
    else leaves.push(leaf)
  }
  const trees = Array.from(
    byWorkchain,
    ([workchain, leaves]) => [workchain, writeBinTree(leaves, writeShardDescr)] as const,
  )
  return Dict.of(shardHashesType, trees)
}

const compareShards = (a: ShardIdent, b: ShardIdent): number => (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0)

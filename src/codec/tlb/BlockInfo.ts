import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { findShardOfPrefix, formatShard, isValidShard, shardPrefix, shardPrefixLength } from '../../primitives/shard.ts'
import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { int32Key, type KeyCodec, uint64Key } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, readWholeRef, writeWhole } from '../cell/wholeCell.ts'

/** ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; */
export const readExtBlkRef = (r: CellReader) => ({
  endLt: r.readUint64(),
  seqno: r.readUint(32),
  rootHash: r.readBytes(32),
  fileHash: r.readBytes(32),
})

/** A block of a chain that is known from where this stands: what is missing is only its workchain and shard. */
export type ExtBlkRef = Readonly<ReturnType<typeof readExtBlkRef>>

export const writeExtBlkRef = (w: CellWriter, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void => {
  w.writeUint64(endLt).writeUint(seqno, 32).writeBytes(rootHash).writeBytes(fileHash)
}

/** A version and its capability bits: those in force (parameter 8), or those of the software that made a block. */
export type GlobalVersion = { readonly version: number; readonly capabilities: bigint }

/** capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion; */
export const readGlobalVersion = (r: CellReader): GlobalVersion => {
  r.expectTag(0xc4, 8)
  return { version: r.readUint(32), capabilities: r.readUint64() }
}

export const writeGlobalVersion = (w: CellWriter, { version, capabilities }: GlobalVersion): void => {
  w.writeUint(0xc4, 8).writeUint(version, 32).writeUint64(capabilities)
}

/** A shard of a workchain; `shard` carries its terminating 1, which the wire form leaves out. */
export type ShardIdent = { readonly workchain: number; readonly shard: bigint }

/** shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent; */
export const readShardIdent = (r: CellReader): ShardIdent => {
  r.expectTag(0b00, 2)
  const length = r.readUint(6)
  const workchain = r.readInt(32)
  const prefix = r.readUint64()
  const shard = findShardOfPrefix(prefix, length)
  if (shard === undefined) {
    throw new CellError(
      `A shard prefix has at most 60 bits and zeros behind them, but got length ${length} of ${formatShard(prefix)}.`,
    )
  }
  return { workchain, shard }
}

export const writeShardIdent = (w: CellWriter, { workchain, shard }: ShardIdent): void => {
  if (!isValidShard(shard)) {
    throw new CellError(`A shard is a prefix of at most 60 bits and a terminating 1, but got ${formatShard(shard)}.`)
  }
  w.writeUint(0b00, 2).writeUint(shardPrefixLength(shard), 6).writeInt(workchain, 32).writeUint64(shardPrefix(shard))
}

/** Keys of 96 bits: workchain and shard, the terminating 1 included. */
export const shardIdentKey: KeyCodec<ShardIdent> = {
  bits: 96,
  encode: ({ workchain, shard }) => concatBytes([int32Key.encode(workchain), uint64Key.encode(shard)]),
  decode: (key) => ({ workchain: int32Key.decode(key.subarray(0, 4)), shard: uint64Key.decode(key.subarray(4, 12)) }),
}

/**
 * The header of a block. Bits that only say whether a later field is there are not repeated: not_master is a `masterRef`,
 * vert_seqno_incr a `prevVertRef`, flags 1 a `genSoftware`.
 */
export type BlockInfo = {
  readonly version: number
  readonly afterMerge: boolean
  readonly beforeSplit: boolean
  readonly afterSplit: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly keyBlock: boolean
  readonly seqno: number
  readonly vertSeqno: number
  readonly workchain: number
  readonly shard: bigint
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly genValidatorListHashShort: number
  readonly genCatchainSeqno: number
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  /** The software that made the block; the version in force is parameter 8 of the configuration. */
  readonly genSoftware: GlobalVersion | undefined
  /** The masterchain block that a block of another chain refers to; absent in the masterchain. */
  readonly masterRef: ExtBlkRef | undefined
  /**
   * The previous block or, after a merge, both: see {@link openPrevRef}. It stays a cell because proofs that need the rest
   * of the header prune it after a merge.
   */
  readonly prevRef: Cell
  readonly prevVertRef: ExtBlkRef | undefined
}

/**
 * block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 *   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
 *   seq_no:# vert_seq_no:# { vert_seq_no >= vert_seqno_incr } { prev_seq_no:# } { ~prev_seq_no + 1 = seq_no }
 *   shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64 gen_validator_list_hash_short:uint32
 *   gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion
 *   master_ref:not_master?^BlkMasterInfo prev_ref:^(BlkPrevInfo after_merge)
 *   prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
 */
export const readBlockInfo = (r: CellReader): BlockInfo => {
  r.expectTag(0x9bc7a987, 32)
  const version = r.readUint(32)
  if (version !== 0) throw new CellError(`Expected a block header of version 0, but got version ${version}.`)
  const notMaster = r.readBit()
  const afterMerge = r.readBit()
  const beforeSplit = r.readBit()
  const afterSplit = r.readBit()
  const wantSplit = r.readBit()
  const wantMerge = r.readBit()
  const keyBlock = r.readBit()
  const vertSeqnoIncr = r.readBit()
  const flags = r.readUint(8)
  if (flags > 1) throw new CellError(`The flags of a block header are 0 or 1, but got ${flags}.`)
  const seqno = r.readUint(32)
  const vertSeqno = r.readUint(32)
  const { workchain, shard } = readShardIdent(r)
  return {
    version,
    afterMerge,
    beforeSplit,
    afterSplit,
    wantSplit,
    wantMerge,
    keyBlock,
    seqno,
    vertSeqno,
    workchain,
    shard,
    genUtime: r.readUint(32),
    startLt: r.readUint64(),
    endLt: r.readUint64(),
    genValidatorListHashShort: r.readUint(32),
    genCatchainSeqno: r.readUint(32),
    minRefMcSeqno: r.readUint(32),
    prevKeyBlockSeqno: r.readUint(32),
    genSoftware: flags === 1 ? readGlobalVersion(r) : undefined,
    masterRef: notMaster ? readWholeRef(r, readExtBlkRef, 'A reference to a masterchain block') : undefined,
    prevRef: r.readRefCell(),
    prevVertRef: vertSeqnoIncr ? readWholeRef(r, readExtBlkRef, 'A reference to a replaced block') : undefined,
  }
}

export const writeBlockInfo = (w: CellWriter, info: BlockInfo): void => {
  w.writeUint(0x9bc7a987, 32).writeUint(info.version, 32)
  w.writeBit(info.masterRef !== undefined).writeBit(info.afterMerge)
  w.writeBit(info.beforeSplit).writeBit(info.afterSplit)
  w.writeBit(info.wantSplit).writeBit(info.wantMerge)
  w.writeBit(info.keyBlock).writeBit(info.prevVertRef !== undefined)
  w.writeUint(info.genSoftware === undefined ? 0 : 1, 8)
  w.writeUint(info.seqno, 32).writeUint(info.vertSeqno, 32)
  writeShardIdent(w, info)
  w.writeUint(info.genUtime, 32).writeUint64(info.startLt).writeUint64(info.endLt)
  w.writeUint(info.genValidatorListHashShort, 32).writeUint(info.genCatchainSeqno, 32)
  w.writeUint(info.minRefMcSeqno, 32).writeUint(info.prevKeyBlockSeqno, 32)
  if (info.genSoftware !== undefined) writeGlobalVersion(w, info.genSoftware)
  if (info.masterRef !== undefined) w.writeRef(writeWhole(writeExtBlkRef, info.masterRef))
  w.writeRef(info.prevRef)
  if (info.prevVertRef !== undefined) w.writeRef(writeWhole(writeExtBlkRef, info.prevVertRef))
}

export const openBlockInfo = (cell: Cell): BlockInfo => readWhole(cell, readBlockInfo, 'A BlockInfo')

/** The block before this one or, after a merge, the last blocks of both shards that were merged, left one first. */
export type PrevBlocks = readonly [ExtBlkRef] | readonly [left: ExtBlkRef, right: ExtBlkRef]

/**
 * prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
 * prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
 */
export const openPrevRef = ({ prevRef, afterMerge }: BlockInfo): PrevBlocks => {
  const r = openCell(prevRef)
  const blocks: PrevBlocks = afterMerge
    ? [
        readWholeRef(r, readExtBlkRef, 'A reference to a previous block'),
        readWholeRef(r, readExtBlkRef, 'A reference to a previous block'),
      ]
    : [readExtBlkRef(r)]
  r.expectEnd('The reference to the previous block')
  return blocks
}

/** The cell for {@link BlockInfo.prevRef}; two blocks belong to a header with `afterMerge`. */
export const prevRefCell = (blocks: PrevBlocks): Cell => {
  if (blocks.length === 1) return writeWhole(writeExtBlkRef, blocks[0])
  const [left, right] = blocks
  return new CellWriter()
    .writeRef(writeWhole(writeExtBlkRef, left))
    .writeRef(writeWhole(writeExtBlkRef, right))
    .toCell()
}

/** block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt; */
export const readBlockIdExt = (r: CellReader): BlockIdExt => {
  const { workchain, shard } = readShardIdent(r)
  return { workchain, shard, seqno: r.readUint(32), rootHash: r.readBytes(32), fileHash: r.readBytes(32) }
}

export const writeBlockIdExt = (w: CellWriter, id: BlockIdExt): void => {
  writeShardIdent(w, id)
  w.writeUint(id.seqno, 32).writeBytes(id.rootHash).writeBytes(id.fileHash)
}

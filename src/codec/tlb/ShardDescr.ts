import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type FutureSplitMerge, readFutureSplitMerge, writeFutureSplitMerge } from './FutureSplitMerge.ts'
import { unknownTag } from './unknownTag.ts'

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

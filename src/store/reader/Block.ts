import type { BlockId } from '../../primitives/BlockId.ts'
import { fromSignedShard } from '../../primitives/shard.ts'
import { decodeHeaderBits, type HeaderBits } from '../codes/headerBits.ts'
import { previousShards } from '../codes/previousShards.ts'
import type { Tables } from '../tables.ts'

/** What a block says of itself. */
export type Block = BlockId &
  HeaderBits & {
    /** The masterchain block that was the first to include it. */
    readonly mcSeqno: number
    readonly rootHash: Uint8Array
    readonly fileHash: Uint8Array
    readonly globalId: number
    readonly version: number
    readonly flags: number
    readonly genUtime: number
    readonly startLt: bigint
    readonly endLt: bigint
    readonly txCount: number
    /** Signed. */
    readonly validatorListHashShort: number
    readonly genCatchainSeqno: number
    readonly minRefMcSeqno: number
    readonly prevKeyBlockSeqno: number
    readonly vertSeqno: number
    readonly masterRefSeqno: number
    readonly randSeed: Uint8Array
    readonly createdBy: Uint8Array
    readonly previous: readonly BlockId[]
  }

export const toBlock = (row: Tables['blocks']): Block => {
  const { workchain } = row
  const shard = fromSignedShard(row.shard)
  const bits = decodeHeaderBits(row.header_bits)
  const shards = previousShards(shard, bits)
  return {
    workchain,
    shard,
    seqno: row.seqno >>> 0,
    afterMerge: bits.afterMerge,
    beforeSplit: bits.beforeSplit,
    afterSplit: bits.afterSplit,
    wantMerge: bits.wantMerge,
    wantSplit: bits.wantSplit,
    keyBlock: bits.keyBlock,
    vertSeqnoIncr: bits.vertSeqnoIncr,
    mcSeqno: row.mc_seqno,
    rootHash: row.root_hash,
    fileHash: row.file_hash,
    globalId: row.global_id,
    version: row.version >>> 0,
    flags: row.flags,
    genUtime: row.gen_utime >>> 0,
    startLt: BigInt.asUintN(64, row.start_lt),
    endLt: BigInt.asUintN(64, row.end_lt),
    txCount: row.tx_count,
    validatorListHashShort: row.validator_list_hash_short,
    genCatchainSeqno: row.gen_catchain_seqno >>> 0,
    minRefMcSeqno: row.min_ref_mc_seqno >>> 0,
    prevKeyBlockSeqno: row.prev_key_block_seqno >>> 0,
    vertSeqno: row.vert_seqno >>> 0,
    masterRefSeqno: row.master_ref_seqno >>> 0,
    randSeed: row.rand_seed,
    createdBy: row.created_by,
    previous: row.prev_seqnos.map((seqno, k) => ({ workchain, shard: shards[k] ?? shard, seqno: seqno >>> 0 })),
  }
}

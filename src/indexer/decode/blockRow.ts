import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toSignedShard } from '../../primitives/shard.ts'
import { encodeHeaderBits } from '../../store/codes/headerBits.ts'
import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import type { BlockParts } from './BlockParts.ts'

/** Numbers of 32 bits are kept as the signed ones with the same bits. */
export const toBlockRow = (
  { id, globalId, info, previous, extra }: BlockParts,
  mcSeqno: number,
  txCount: number,
): CopyRow<typeof tables.blocks> => ({
  shard: toSignedShard(id.shard),
  start_lt: BigInt.asIntN(64, info.startLt),
  end_lt: BigInt.asIntN(64, info.endLt),
  workchain: id.workchain,
  seqno: id.seqno | 0,
  mc_seqno: mcSeqno,
  gen_utime: info.genUtime | 0,
  tx_count: txCount,
  global_id: globalId,
  version: info.version | 0,
  header_bits: encodeHeaderBits({ ...info, vertSeqnoIncr: info.prevVertRef !== undefined }),
  flags: info.genSoftware === undefined ? 0 : 1,
  validator_list_hash_short: info.genValidatorListHashShort | 0,
  gen_catchain_seqno: info.genCatchainSeqno | 0,
  min_ref_mc_seqno: info.minRefMcSeqno | 0,
  prev_key_block_seqno: info.prevKeyBlockSeqno | 0,
  vert_seqno: info.vertSeqno | 0,
  master_ref_seqno: (info.masterRef?.seqno ?? 0) | 0,
  prev_seqnos: previous.map(({ seqno }) => seqno | 0),
  // Copies: what is read from cells is a part of the block.
  root_hash: id.rootHash.slice(),
  file_hash: id.fileHash.slice(),
  rand_seed: extra.randSeed.slice(),
  created_by: extra.createdBy.slice(),
})

export const toShardTopRow = (
  { workchain, shard, seqno }: BlockIdExt,
  mcSeqno: number,
): CopyRow<typeof tables.shard_tops> => ({ shard: toSignedShard(shard), mc_seqno: mcSeqno, workchain, seqno })

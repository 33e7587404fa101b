import { type Static, Type } from 'typebox'
import { type BlockId, masterchain } from '../../../primitives/BlockId.ts'
import { wholeShard } from '../../../primitives/shard.ts'
import type { Block } from '../../../store/reader/blocks.ts'
import { DecimalText, HashText, hashText, ShardText, shardText } from './scalars.ts'

export const BlockIdView = Type.Object(
  { workchain: Type.Integer(), shard: ShardText, seqno: Type.Integer() },
  { $id: 'BlockId' },
)

export const toBlockIdView = ({ workchain, shard, seqno }: BlockId): Static<typeof BlockIdView> => ({
  workchain,
  shard: shardText(shard),
  seqno,
})

export const BlockView = Type.Object(
  {
    workchain: Type.Integer(),
    shard: ShardText,
    seqno: Type.Integer(),
    root_hash: HashText,
    file_hash: HashText,
    global_id: Type.Integer({ description: 'Network id.' }),
    version: Type.Integer(),
    after_merge: Type.Boolean(),
    before_split: Type.Boolean(),
    after_split: Type.Boolean(),
    want_merge: Type.Boolean(),
    want_split: Type.Boolean(),
    key_block: Type.Boolean(),
    vert_seqno_incr: Type.Boolean(),
    flags: Type.Integer(),
    gen_utime: DecimalText,
    start_lt: DecimalText,
    end_lt: DecimalText,
    validator_list_hash_short: Type.Integer(),
    gen_catchain_seqno: Type.Integer(),
    min_ref_mc_seqno: Type.Integer(),
    prev_key_block_seqno: Type.Integer(),
    vert_seqno: Type.Integer(),
    master_ref_seqno: Type.Integer({
      description: 'Masterchain seqno that the block refers to; 0 for masterchain blocks.',
    }),
    rand_seed: HashText,
    created_by: HashText,
    tx_count: Type.Integer(),
    masterchain_block_ref: BlockIdView,
    prev_blocks: Type.Array(BlockIdView, { description: 'Previous block; two after a merge.' }),
  },
  { $id: 'Block' },
)

export const toBlockView = (block: Block): Static<typeof BlockView> => ({
  workchain: block.workchain,
  shard: shardText(block.shard),
  seqno: block.seqno,
  root_hash: hashText(block.rootHash),
  file_hash: hashText(block.fileHash),
  global_id: block.globalId,
  version: block.version,
  after_merge: block.afterMerge,
  before_split: block.beforeSplit,
  after_split: block.afterSplit,
  want_merge: block.wantMerge,
  want_split: block.wantSplit,
  key_block: block.keyBlock,
  vert_seqno_incr: block.vertSeqnoIncr,
  flags: block.flags,
  gen_utime: String(block.genUtime),
  start_lt: String(block.startLt),
  end_lt: String(block.endLt),
  validator_list_hash_short: block.validatorListHashShort,
  gen_catchain_seqno: block.genCatchainSeqno,
  min_ref_mc_seqno: block.minRefMcSeqno,
  prev_key_block_seqno: block.prevKeyBlockSeqno,
  vert_seqno: block.vertSeqno,
  master_ref_seqno: block.masterRefSeqno,
  rand_seed: hashText(block.randSeed),
  created_by: hashText(block.createdBy),
  tx_count: block.txCount,
  masterchain_block_ref: { workchain: masterchain, shard: shardText(wholeShard), seqno: block.mcSeqno },
  prev_blocks: block.previous.map(toBlockIdView),
})

export const BlocksView = Type.Object({ blocks: Type.Array(BlockView) }, { $id: 'BlocksResponse' })

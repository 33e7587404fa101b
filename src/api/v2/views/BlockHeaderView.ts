import { type Static, Type } from 'typebox'
import type { BlockHeader } from '../../../chain/LiveChain.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { LtView, typeName } from './scalars.ts'

export const BlockHeaderView = Type.Object(
  {
    '@type': typeName('blocks.header'),
    id: BlockIdView,
    global_id: Type.Integer({ description: 'Which network it is.', examples: [-239] }),
    version: Type.Integer(),
    after_merge: Type.Boolean(),
    after_split: Type.Boolean(),
    before_split: Type.Boolean(),
    want_merge: Type.Boolean(),
    want_split: Type.Boolean(),
    validator_list_hash_short: Type.Integer(),
    catchain_seqno: Type.Integer(),
    min_ref_mc_seqno: Type.Integer(),
    is_key_block: Type.Boolean(),
    prev_key_block_seqno: Type.Integer({ description: 'Of blocks of the masterchain; else 0.' }),
    start_lt: LtView,
    end_lt: LtView,
    gen_utime: Type.Integer({ description: 'When it was made, in seconds.', examples: [1_715_837_340] }),
    prev_blocks: Type.Array(BlockIdView, { description: 'The block before; after a merge both.' }),
  },
  { $id: 'BlockHeader', description: 'What a block says of itself.' },
)

export const toBlockHeaderView = ({ id, info, globalId, prev }: BlockHeader): Static<typeof BlockHeaderView> => ({
  '@type': 'blocks.header',
  id: toBlockIdView(id),
  global_id: globalId,
  version: info.version,
  after_merge: info.afterMerge,
  after_split: info.afterSplit,
  before_split: info.beforeSplit,
  want_merge: info.wantMerge,
  want_split: info.wantSplit,
  // Numbers of 32 bits are signed in this interface.
  validator_list_hash_short: info.genValidatorListHashShort | 0,
  catchain_seqno: info.genCatchainSeqno | 0,
  min_ref_mc_seqno: info.minRefMcSeqno | 0,
  is_key_block: info.keyBlock,
  prev_key_block_seqno: info.masterRef === undefined ? info.prevKeyBlockSeqno | 0 : 0,
  start_lt: info.startLt.toString(),
  end_lt: info.endLt.toString(),
  gen_utime: info.genUtime,
  prev_blocks: prev.map(toBlockIdView),
})

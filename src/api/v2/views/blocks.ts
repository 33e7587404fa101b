import { type Static, Type } from 'typebox'
import type { BlockHeader, MasterchainInfo } from '../../../chain/LiveChain.ts'
import { type BlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { formatSignedShard } from '../../../primitives/shard.ts'
import { HashView, LtView, typeName } from './scalars.ts'

export const BlockIdView = Type.Object(
  {
    '@type': typeName('chain.blockIdExt'),
    workchain: Type.Integer({ examples: [-1] }),
    shard: Type.String({
      description: 'Shard id as a signed 64-bit decimal number.',
      examples: ['-9223372036854775808'],
    }),
    seqno: Type.Integer({ examples: [37_926_913] }),
    root_hash: HashView,
    file_hash: HashView,
  },
  { $id: 'BlockIdExt', description: 'Block id.' },
)

export const toBlockIdView = ({
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
}: BlockIdExt): Static<typeof BlockIdView> => ({
  '@type': 'chain.blockIdExt',
  workchain,
  shard: formatSignedShard(shard),
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})

export const BlockHeaderView = Type.Object(
  {
    '@type': typeName('blocks.header'),
    id: BlockIdView,
    global_id: Type.Integer({ description: 'Network id.', examples: [-239] }),
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
    prev_key_block_seqno: Type.Integer({ description: 'For masterchain blocks; otherwise 0.' }),
    start_lt: LtView,
    end_lt: LtView,
    gen_utime: Type.Integer({ description: 'Unix time of the block.', examples: [1_715_837_340] }),
    prev_blocks: Type.Array(BlockIdView, { description: 'Previous block; two after a merge.' }),
  },
  { $id: 'BlockHeader', description: 'Block header.' },
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
  // 32-bit numbers are signed in v2.
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

export const MasterchainInfoView = Type.Object(
  { '@type': typeName('blocks.masterchainInfo'), last: BlockIdView, state_root_hash: HashView, init: BlockIdView },
  { $id: 'MasterchainInfo', description: 'Newest masterchain block and zero state.' },
)

export const toMasterchainInfoView = ({
  last,
  stateRootHash,
  zeroState,
}: MasterchainInfo): Static<typeof MasterchainInfoView> => ({
  '@type': 'blocks.masterchainInfo',
  last: toBlockIdView(last),
  state_root_hash: toBase64(stateRootHash),
  // The zero state has shard 0 in v2; clients rely on it.
  init: toBlockIdView({ workchain: masterchain, shard: 0n, seqno: 0, ...zeroState }),
})

export const ConsensusBlockView = Type.Object(
  {
    '@type': typeName('ext.blocks.consensusBlock'),
    consensus_block: Type.Integer({ description: 'Masterchain seqno.', examples: [57_442_406] }),
    timestamp: Type.Integer({ description: 'Unix time of the result.', examples: [1_770_841_000] }),
  },
  { $id: 'ConsensusBlock', description: 'Newest block that most nodes have.' },
)

export const toConsensusBlockView = (seqno: number, nowMs: number): Static<typeof ConsensusBlockView> => ({
  '@type': 'ext.blocks.consensusBlock',
  consensus_block: seqno,
  timestamp: Math.floor(nowMs / 1000),
})

export const ShardsView = Type.Object(
  { '@type': typeName('blocks.shards'), shards: Type.Array(BlockIdView) },
  { $id: 'Shards', description: 'Newest blocks of all shards.' },
)

export const toShardsView = (shards: readonly BlockIdExt[]): Static<typeof ShardsView> => ({
  '@type': 'blocks.shards',
  shards: shards.map(toBlockIdView),
})

const QueueSizeView = Type.Object(
  { '@type': typeName('blocks.outMsgQueueSize'), id: BlockIdView, size: Type.Integer() },
  { $id: 'OutMsgQueueSize', description: 'Size of the outbound message queue of a shard.' },
)

export const QueueSizesView = Type.Object(
  {
    '@type': typeName('blocks.outMsgQueueSizes'),
    shards: Type.Array(QueueSizeView),
    ext_msg_queue_size_limit: Type.Integer({
      description: 'Above this size, a shard accepts no external-in messages.',
    }),
  },
  { $id: 'OutMsgQueueSizes', description: 'Queue sizes of the masterchain and of all shards.' },
)

export const toQueueSizesView = (
  queues: readonly { readonly id: BlockIdExt; readonly size: number }[],
  limit: number,
): Static<typeof QueueSizesView> => ({
  '@type': 'blocks.outMsgQueueSizes',
  shards: queues.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: toBlockIdView(id), size })),
  ext_msg_queue_size_limit: limit,
})

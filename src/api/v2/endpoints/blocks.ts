import { Type } from 'typebox'
import type { LiveNode } from '../../../chain/LiveChain.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import { shardContains, wholeShard } from '../../../primitives/shard.ts'
import { optional, whenMissing } from '../../core/params.ts'
import { NodeClientError, outOfRange } from '../errors.ts'
import { getNamedHeader, namedBlockParams } from '../namedBlock.ts'
import { CountParam, ltParam, SeqnoParam, ShardParam, WorkchainParam } from '../params.ts'
import { getMasterchainBlock } from '../readAccount.ts'
import { v2Endpoint, v2LocalEndpoint } from '../v2Endpoint.ts'
import {
  BlockHeaderView,
  BlockIdView,
  ConsensusBlockView,
  MasterchainInfoView,
  QueueSizesView,
  ShardsView,
  toBlockHeaderView,
  toBlockIdView,
  toConsensusBlockView,
  toMasterchainInfoView,
  toQueueSizesView,
  toShardsView,
} from '../views/blocks.ts'

export const getMasterchainInfo = v2Endpoint({
  name: 'getMasterchainInfo',
  tags: ['blocks'],
  summary: 'Newest masterchain block, and the zero state.',
  params: {},
  result: MasterchainInfoView,
  errors: [],
  lifetime: () => 'head',
  handle: async ({ node }) => toMasterchainInfoView(await node.getMasterchainInfo()),
})

export const getConsensusBlock = v2LocalEndpoint({
  name: 'getConsensusBlock',
  tags: ['blocks'],
  summary: 'Newest masterchain block that most nodes have.',
  params: {},
  result: ConsensusBlockView,
  errors: [],
  async handle({ chain, call }) {
    const seqno = await chain.getConsensusSeqno(call.signal)
    if (seqno === undefined) throw new NodeClientError('no workers alive')
    return toConsensusBlockView(seqno, Date.now())
  },
})

export const getBlockHeader = v2Endpoint({
  name: 'getBlockHeader',
  tags: ['blocks'],
  summary: 'Block header.',
  params: namedBlockParams,
  result: BlockHeaderView,
  errors: [],
  lifetime: () => 'forever',
  handle: async ({ node }, name) => toBlockHeaderView(await getNamedHeader(node, name)),
})

/** No shard makes more blocks in a second. */
const MAX_STEPS = 16

/** The first block at or after a time. A node may return any of several blocks of the same second. */
const findFirstOfSecond = async (node: LiveNode, chain: Omit<BlockId, 'seqno'>, utime: number): Promise<BlockIdExt> => {
  let { id, info, prev } = await node.lookupBlock(chain, { utime })
  for (let steps = 0; steps < MAX_STEPS && info.genUtime === utime; steps++) {
    const before = prev.find((each) => shardContains(each.shard, chain.shard))
    if (before === undefined || before.seqno === 0) return id
    const header = await node.getBlockHeader(before)
    if (header.info.genUtime < utime) return id
    ;({ id, info, prev } = header)
  }
  return id
}

export const lookupBlock = v2Endpoint({
  name: 'lookupBlock',
  tags: ['blocks'],
  summary: 'Look up a block by seqno, or the first block at a logical time or Unix time.',
  description:
    'The shard may also be the first 64 bits of an account: then the block of the shard that contains the account is returned, ' +
    'so its shard may differ from the given one.',
  params: {
    workchain: WorkchainParam,
    shard: ShardParam,
    seqno: optional(SeqnoParam),
    lt: optional(ltParam('lt')),
    unixtime: optional(CountParam),
  },
  result: BlockIdView,
  errors: [],
  lifetime: () => 'forever',
  check({ seqno, lt, unixtime }) {
    if ([seqno, lt, unixtime].filter((key) => key !== undefined).length !== 1) {
      throw outOfRange('exactly one of seqno, lt, unixtime should be specified')
    }
  },
  async handle({ node }, { workchain, shard, seqno, lt, unixtime: utime }) {
    const chain = { workchain, shard }
    if (utime !== undefined) return toBlockIdView(await findFirstOfSecond(node, chain, utime))
    const { id } = await node.lookupBlock(chain, lt === undefined ? { seqno: seqno! } : { lt })
    return toBlockIdView(id)
  },
})

export const getShards = v2Endpoint({
  name: 'getShards',
  tags: ['blocks'],
  summary: 'Newest blocks of all shards as of a masterchain block.',
  params: { seqno: whenMissing(SeqnoParam, outOfRange('seqno should be positive')) },
  result: ShardsView,
  errors: [],
  lifetime: () => 'forever',
  handle: async ({ node }, { seqno }) => toShardsView(await node.getShards(await getMasterchainBlock(node, seqno))),
})

/** Alias for older clients. */
export const shards = { ...getShards, name: 'shards', summary: 'Alias of getShards.' } as const

export const getOutMsgQueueSize = v2Endpoint({
  name: 'getOutMsgQueueSize',
  tags: ['blocks'],
  summary: 'Size of the outbound message queues of the masterchain and of every shard.',
  params: {},
  result: QueueSizesView,
  errors: [],
  lifetime: () => 'head',
  async handle({ node }) {
    const head = await node.getHead()
    const blocks = [head, ...(await node.getShards(head))]
    const queues = await Promise.all(blocks.map(async (id) => ({ id, size: await node.getQueueSize(id) })))
    const { extMsgQueueSizeLimit } = await node.getQueueSizes({ workchain: masterchain, shard: wholeShard })
    return toQueueSizesView(queues, extMsgQueueSizeLimit)
  },
})

export const healthcheck = v2LocalEndpoint({
  name: 'healthcheck',
  methods: ['GET'],
  tags: ['service'],
  summary: 'Health check: returns OK.',
  params: {},
  result: Type.Literal('OK'),
  errors: [],
  isBare: true,
  isFree: true,
  handle: () => 'OK' as const,
})

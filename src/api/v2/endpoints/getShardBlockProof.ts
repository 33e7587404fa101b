import type { LiveNode } from '../../../chain/LiveChain.ts'
import type { LiteServerBlockLinkBack } from '../../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { optional, whenMissing } from '../../core/Param.ts'
import { getMasterchainBlock } from '../masterchainBlock.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { lookUpBlock } from '../namedBlock.ts'
import { CountParam, SeqnoParam, ShardParam, WorkchainParam } from '../params.ts'
import { unreadable } from '../RefusedRequestError.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ShardBlockProofView, toShardBlockProofView } from '../views/ShardBlockProofView.ts'

export const getShardBlockProof = v2Endpoint({
  name: 'getShardBlockProof',
  tags: ['blocks'],
  summary:
    'What shows that a block belongs to the chain of a masterchain block, the newest one unless another is named.',
  params: {
    workchain: whenMissing(WorkchainParam, unreadable('workchain required')),
    shard: whenMissing(ShardParam, unreadable('shard required')),
    seqno: whenMissing(SeqnoParam, unreadable('seqno required')),
    from_seqno: optional(CountParam),
  },
  result: ShardBlockProofView,
  errors: [],
  lifetime: ({ from_seqno }) => (from_seqno === undefined ? 'head' : 'forever'),
  async handle({ node }, { from_seqno, ...place }) {
    const { id } = await lookUpBlock(node, place)
    const from = await getMasterchainBlock(node, from_seqno)
    const proof = await node.getShardBlockProof(id)
    return toShardBlockProofView(from, proof, await findLinkBack(node, from, proof.masterchainId))
  },
})

const findLinkBack = async (
  node: LiveNode,
  from: BlockIdExt,
  to: BlockIdExt,
): Promise<LiteServerBlockLinkBack | undefined> => {
  if (from.seqno < to.seqno) throw new NodeClientError('from mc block is too old')
  if (from.seqno === to.seqno) return undefined
  const { steps } = await node.getBlockProof(from, to)
  const [link] = steps
  if (steps.length !== 1 || link?.kind !== 'liteServer.blockLinkBack') {
    throw new NodeClientError(`One link back to block ${to.seqno} was expected, the node has another way.`)
  }
  return link
}

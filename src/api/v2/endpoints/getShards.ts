import { whenMissing } from '../../core/Param.ts'
import { getMasterchainBlock } from '../masterchainBlock.ts'
import { SeqnoParam } from '../params.ts'
import { outOfRange } from '../RefusedRequestError.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ShardsView, toShardsView } from '../views/ShardsView.ts'

export const getShards = v2Endpoint({
  name: 'getShards',
  tags: ['blocks'],
  summary: 'The newest blocks of all shards after a masterchain block.',
  params: { seqno: whenMissing(SeqnoParam, outOfRange('seqno should be positive')) },
  result: ShardsView,
  errors: [],
  lifetime: () => 'forever',
  handle: async ({ node }, { seqno }) => toShardsView(await node.getShards(await getMasterchainBlock(node, seqno))),
})

import { masterchain } from '../../../primitives/BlockId.ts'
import { wholeShard } from '../../../primitives/shard.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { QueueSizesView, toQueueSizesView } from '../views/QueueSizesView.ts'

export const getOutMsgQueueSize = v2Endpoint({
  name: 'getOutMsgQueueSize',
  tags: ['blocks'],
  summary: 'How many messages wait to leave the masterchain and every shard.',
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

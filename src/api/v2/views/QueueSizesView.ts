import { type Static, Type } from 'typebox'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { typeName } from './scalars.ts'

const QueueSizeView = Type.Object(
  { '@type': typeName('blocks.outMsgQueueSize'), id: BlockIdView, size: Type.Integer() },
  { $id: 'OutMsgQueueSize', description: 'How many messages wait to leave a shard.' },
)

export const QueueSizesView = Type.Object(
  {
    '@type': typeName('blocks.outMsgQueueSizes'),
    shards: Type.Array(QueueSizeView),
    ext_msg_queue_size_limit: Type.Integer({ description: 'Above it a shard takes no messages from outside.' }),
  },
  { $id: 'OutMsgQueueSizes', description: 'The queues of the masterchain and of all shards.' },
)

export const toQueueSizesView = (
  queues: readonly { readonly id: BlockIdExt; readonly size: number }[],
  limit: number,
): Static<typeof QueueSizesView> => ({
  '@type': 'blocks.outMsgQueueSizes',
  shards: queues.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: toBlockIdView(id), size })),
  ext_msg_queue_size_limit: limit,
})

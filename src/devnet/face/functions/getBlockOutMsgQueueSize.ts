import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { openQueueExtra, readProven } from '../messageQueues.ts'
import { loadBlockAndState } from '../referenceBlock.ts'

const WITH_PROOF = 1

/** How many messages wait, after a block, to leave its shard. */
export const getBlockOutMsgQueueSize: LiteFunction<'liteServer.getBlockOutMsgQueueSize'> = (
  { store },
  { mode, id },
) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  const { value: size, proof } = readProven(
    loadBlockAndState(store, id),
    (mode & WITH_PROOF) !== 0,
    (state) => openQueueExtra(state)?.outQueueSize,
  )
  if (size === undefined) throw new LiteRefusal(REQUEST_ERROR, 'no out_msg_queue_size in shard state')
  return { mode, id, size: BigInt(size), proof }
}

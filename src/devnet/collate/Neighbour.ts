import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import { openOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { ShardStateUnsplit } from '../../codec/tlb/ShardState.ts'
import { listProcessed, type ProcessedEntry } from './processed.ts'
import { listQueue, type QueuedMessage } from './QueuedMessage.ts'

/** A shard whose queue another looks into: for messages to take in, and for which of its own have arrived. */
export type Neighbour = {
  readonly ident: ShardIdent
  readonly endLt: bigint
  readonly messages: readonly QueuedMessage[]
  readonly processed: readonly ProcessedEntry[]
}

export const openNeighbour = ({ shard, genLt, outMsgQueueInfo }: ShardStateUnsplit): Neighbour => {
  const { outQueue, procInfo } = openOutMsgQueueInfo(outMsgQueueInfo)
  return { ident: shard, endLt: genLt, messages: listQueue(outQueue), processed: listProcessed(procInfo) }
}

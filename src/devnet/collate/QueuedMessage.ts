import { Cell } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import type { IntMsgInfo } from '../../codec/tlb/Message.ts'
import { type MsgEnvelope, openMsgEnvelope, readEnvelopedInfo } from '../../codec/tlb/MsgEnvelope.ts'
import type { OutMsgQueue, OutMsgQueueKey } from '../../codec/tlb/OutMsgQueueInfo.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { type HopAddress, hopOf } from './route.ts'

/** A message in a queue, opened. */
export type QueuedMessage = {
  readonly key: OutMsgQueueKey
  readonly enqueuedLt: bigint
  readonly envelopeCell: Cell
  readonly envelope: MsgEnvelope
  readonly info: IntMsgInfo
  /** What queues are ordered by, then by hash. */
  readonly lt: bigint
  readonly hash: Uint8Array
  /** Where the message stands: in the shard whose queue it is in. */
  readonly current: HopAddress
}

/** All messages of a queue, each opened once however many shards look at it. */
export const listQueue = (queue: OutMsgQueue): readonly QueuedMessage[] => {
  if (!(queue.root instanceof Cell)) return []
  const { arena, index } = queue.root
  const known = opened.get(arena)?.get(index)
  if (known !== undefined) return known
  const messages: QueuedMessage[] = []
  queue.forEach((key, { enqueuedLt, outMsg }) => {
    const envelope = openMsgEnvelope(outMsg)
    const info = readEnvelopedInfo(envelope)
    messages.push({
      key,
      enqueuedLt,
      envelopeCell: outMsg,
      envelope,
      info,
      lt: envelope.emittedLt ?? info.createdLt,
      hash: key.hash,
      current: hopOf(info, envelope.curAddr),
    })
  })
  if (!opened.has(arena)) opened.set(arena, new Map())
  opened.get(arena)!.set(index, messages)
  return messages
}

// A cell may be reached through many objects, but it has one place.
const opened = new WeakMap<CellArena, Map<number, readonly QueuedMessage[]>>()

export type MessagePlace = { readonly lt: bigint; readonly hash: Uint8Array }

/** The order in which shards take messages in. */
export const compareMessages = (a: MessagePlace, b: MessagePlace): number =>
  a.lt === b.lt ? compareBytes(a.hash, b.hash) : a.lt < b.lt ? -1 : 1

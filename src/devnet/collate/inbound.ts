import type { BlockDraft } from './BlockDraft.ts'
import type { Neighbour } from './Neighbour.ts'
import { type FindEndLt, isProcessed, type ProcessedEntry } from './processed.ts'
import { compareMessages, type QueuedMessage } from './QueuedMessage.ts'
import { isInShard } from './route.ts'

/** The messages that wait for a shard in all queues it looks into, in the order in which it has to take them. */
export const listInbound = (
  draft: BlockDraft,
  neighbours: readonly Neighbour[],
  findEndLt: FindEndLt,
): { readonly waiting: readonly QueuedMessage[]; readonly passed: readonly QueuedMessage[] } => {
  const { ident, processed } = draft.context.base
  const mine = neighbours.flatMap(({ messages }) => messages.filter(({ key }) => isInShard(ident, key)))
  const waiting: QueuedMessage[] = []
  const passed: QueuedMessage[] = []
  for (const message of mine) (isProcessed(processed, message, findEndLt) ? passed : waiting).push(message)
  return { waiting: waiting.sort(compareMessages), passed }
}

/** Takes out of a shard's own queue what neighbours say they have taken in. */
export const dequeueDelivered = (
  draft: BlockDraft,
  own: readonly QueuedMessage[],
  neighbours: readonly Neighbour[],
  findEndLt: FindEndLt,
): void => {
  const { hasShortDequeue } = draft.context.rules
  for (const message of own) {
    const receiver = neighbours.find(
      ({ ident, processed }) => ident.workchain === message.key.workchain && isProcessed(processed, message, findEndLt),
    )
    if (receiver === undefined) continue
    const { key, envelopeCell, hash } = message
    const importBlockLt = receiver.endLt
    draft.addOut(
      hash,
      hasShortDequeue
        ? {
            kind: 'dequeuedShort',
            msgEnvHash: envelopeCell.hash(),
            nextWorkchain: key.workchain,
            nextAddrPfx: key.prefix,
            importBlockLt,
          }
        : { kind: 'dequeued', outMsg: envelopeCell, importBlockLt },
    )
    draft.queueChanges.push({ kind: 'remove', key })
  }
}

/** What the block adds to the shard's record of messages taken in. */
export const processedBy = (
  draft: BlockDraft,
  { mcSeqno, mcLt, isInboundEmpty }: { mcSeqno: number; mcLt: bigint; isInboundEmpty: boolean },
): ProcessedEntry | undefined => {
  const { shard } = draft.context.base.ident
  const { lastInternal } = draft
  if (lastInternal !== undefined) {
    return { shard, mcSeqno, lastMsgLt: lastInternal.lt, lastMsgHash: lastInternal.hash }
  }
  if (!isInboundEmpty || mcLt <= 1n) return undefined
  return { shard, mcSeqno, lastMsgLt: mcLt - 1n, lastMsgHash: LAST_HASH }
}

const LAST_HASH = new Uint8Array(32).fill(0xff)

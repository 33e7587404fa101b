import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { OutMsgView } from './BlockView.ts'
import type { EnvelopeView } from './EnvelopeView.ts'
import type { Findings } from './Findings.ts'
import { listNeighbours, ownBefore } from './neighbours.ts'
import { isProcessedBy } from './processedInfo.ts'
import { formatQueueKey, type QueuedMessage } from './StateView.ts'

const keyOf = ({ next: { workchain, prefix }, message }: EnvelopeView): string =>
  formatQueueKey({ workchain, prefix, message })

const show = (enqueuedLt: bigint, { hash }: EnvelopeView): string => `lt ${enqueuedLt}, envelope ${hash}`

/** The queue after a block is the one before, with the messages that went into it and without those that left it. */
export const checkOutQueue = (context: BlockContext, findings: Findings): void => {
  const { block, after, config } = context
  const before = ownBefore(context)
  const expected = new Map(
    before.queue.map((queued) => [formatQueueKey(queued.key), show(queued.enqueuedLt, queued.envelope)]),
  )
  const byMessage = new Map(before.queue.map((queued) => [queued.key.message, queued]))
  for (const view of block.outMsgs.values()) {
    const { msg, key } = view
    if (msg.kind.startsWith('dequeued')) {
      const queued = byMessage.get(key)
      if (queued === undefined) findings.fail(`OutMsg ${key}, taken out of the queue`, 'a message there', 'none')
      else {
        expected.delete(formatQueueKey(queued.key))
        checkDequeued(context, view, queued, findings)
      }
    }
    const added = addedBy(view)
    if (added !== undefined) expected.set(keyOf(added.envelope), show(added.enqueuedLt, added.envelope))
  }
  const found = new Map([...after.outQueue].map(([key, { enqueuedLt, envelope }]) => [key, show(enqueuedLt, envelope)]))
  findings.sameKeys('out_queue', found.keys(), expected.keys())
  for (const [key, entry] of found)
    if (expected.has(key)) findings.equal(`out_queue entry ${key}`, entry, expected.get(key))
  for (const { key, envelope } of after.outQueue.values()) {
    findings.equal('key in out_queue', formatQueueKey(key), keyOf(envelope))
  }
  const size = after.queue.extra?.outQueueSize
  findings.equal('out_queue_size', size, config.has.queueSize ? found.size : undefined)
}

/** What an OutMsg puts into the queue: new messages as of their creation, deferred ones as of when they left their sender. */
const addedBy = ({ msg, envelope }: OutMsgView): { enqueuedLt: bigint; envelope: EnvelopeView } | undefined => {
  if (envelope === undefined) return undefined
  if (msg.kind === 'new') return { enqueuedLt: envelope.info.createdLt, envelope }
  if (msg.kind === 'deferredTransit') return { enqueuedLt: envelope.envelope.emittedLt ?? 0n, envelope }
  return undefined
}

/** A message leaves the queue when it is delivered in this very block, or when its receiver is known to have it. */
const checkDequeued = (
  context: BlockContext,
  { key, msg, envelope }: OutMsgView,
  queued: QueuedMessage,
  findings: Findings,
): void => {
  const name = `OutMsg ${key}, taken out of the queue`
  if (msg.kind === 'dequeuedShort') {
    findings.equal(`msg_env_hash of ${name}`, toHex(msg.msgEnvHash), queued.envelope.hash)
    findings.equal(`next_workchain of ${name}`, msg.nextWorkchain, queued.key.workchain)
    findings.equal(`next_addr_pfx of ${name}`, msg.nextAddrPfx, queued.key.prefix)
  } else findings.equal(`envelope of ${name}`, envelope?.hash, queued.envelope.hash)
  if (msg.kind !== 'dequeuedShort' && msg.kind !== 'dequeued') return
  const having = [...listNeighbours(context), ownBefore(context)].filter((neighbour) =>
    isProcessedBy(context, neighbour, queued),
  )
  findings.isTrue(`receiver of ${name}`, having.length > 0, 'one that says it has the message', 'none')
  const ends = having.map(({ endLt }) => `${endLt}`)
  const end = `${msg.importBlockLt}`
  if (having.length > 0) findings.isTrue(`import_block_lt of ${name}`, ends.includes(end), ends.join(' or '), end)
}

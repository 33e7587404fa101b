import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { without } from './alterParts.ts'
import type { BlockParts } from './alterStep.ts'
import { busy, deferring, type Mutation } from './Mutation.ts'

const queue = (
  name: string,
  at: Mutation['at'],
  patch: (old: BlockParts['queue']) => Partial<BlockParts['queue']>,
  complains: RegExp,
): Mutation => ({ name, at, change: ({ queue: old }) => ({ queue: { ...old, ...patch(old) } }), complains })

const procInfo = (
  name: string,
  patch: (entry: { lastMsgLt: bigint; lastMsgHash: Uint8Array }) => { lastMsgLt: bigint; lastMsgHash: Uint8Array },
  complains: RegExp,
): Mutation =>
  queue(
    name,
    busy,
    ({ procInfo: old }) => {
      const [key, entry] = old.entries().reduce((a, b) => (a[0].mcSeqno > b[0].mcSeqno ? a : b))
      return { procInfo: old.set(key, patch(entry)) }
    },
    complains,
  )

export const queues: readonly Mutation[] = [
  queue(
    'a message lost from the queue',
    busy,
    (old) => ({ outQueue: without(old.outQueue, () => true) }),
    /out_queue: .* it is missing/,
  ),
  queue(
    'when a message came into the queue',
    busy,
    ({ outQueue }) => {
      const [key, entry] = outQueue.entries()[0]!
      return { outQueue: outQueue.set(key, { ...entry, enqueuedLt: entry.enqueuedLt + 1n }) }
    },
    /out_queue entry/,
  ),
  queue(
    'where a message stands in the queue',
    busy,
    ({ outQueue }) => {
      const [key, entry] = outQueue.entries()[0]!
      return { outQueue: outQueue.delete(key).set({ ...key, prefix: key.prefix + 1n }, entry) }
    },
    /key in out_queue/,
  ),
  queue(
    'the least time of the queue',
    busy,
    ({ outQueue: { type, root, rootExtra } }) => ({ outQueue: new AugDict(type, root, rootExtra + 1n) }),
    /sums of out_queue, the whole/,
  ),
  queue(
    'the size of the queue',
    busy,
    ({ extra }) => ({ extra: { ...extra!, outQueueSize: extra!.outQueueSize! + 1 } }),
    /out_queue_size: /,
  ),
  procInfo(
    'a claim that is too far',
    (entry) => ({ ...entry, lastMsgLt: entry.lastMsgLt + 1n }),
    /one of the messages met/,
  ),
  procInfo(
    'a claim that is not far enough',
    (entry) => ({ ...entry, lastMsgLt: entry.lastMsgLt - 50_000_000n }),
    /or later was expected/,
  ),
  queue(
    'an old claim that is kept',
    busy,
    ({ procInfo: old }) => {
      const [key, entry] = old.entries()[0]!
      return { procInfo: old.set({ ...key, mcSeqno: key.mcSeqno - 1 }, entry) }
    },
    /proc_info: no /,
  ),
  {
    name: 'a message that is passed over',
    at: busy,
    change: ({ inMsgs }) => ({ inMsgs: without(inMsgs, ({ kind }) => kind === 'final') }),
    complains: /import of message .*: true was expected, false/,
  },
  {
    name: 'a message taken out before it was delivered',
    at: deferring,
    change: ({ outMsgs, queue: old }) => {
      const [key, { outMsg: envelope }] = old.outQueue.entries()[0]!
      const short = { kind: 'dequeuedShort', nextWorkchain: key.workchain, nextAddrPfx: key.prefix } as const
      return {
        outMsgs: outMsgs.set(key.hash, { ...short, msgEnvHash: envelope.hash(), importBlockLt: 5n }),
        queue: { ...old, outQueue: old.outQueue.delete(key) },
      }
    },
    complains: /taken out of the queue/,
  },
  queue(
    'a message lost from the dispatch queue',
    deferring,
    ({ extra }) => {
      const [id, { messages: waiting, count }] = extra!.dispatchQueue.entries()[0]!
      const first = waiting.entries()[0]![0]
      const dispatchQueue = extra!.dispatchQueue.set(id, { messages: waiting.delete(first), count: count - 1 })
      return { extra: { ...extra!, dispatchQueue } }
    },
    /dispatch_queue: .* it is missing/,
  ),
  queue(
    'the count of a dispatch queue',
    deferring,
    ({ extra }) => {
      const [id, entry] = extra!.dispatchQueue.entries()[0]!
      return { extra: { ...extra!, dispatchQueue: extra!.dispatchQueue.set(id, { ...entry, count: entry.count + 1 }) } }
    },
    /count in dispatch_queue/,
  ),
]

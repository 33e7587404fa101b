import { concatBytes } from '../../primitives/bytes.ts'
import type { AugDict, AugDictType } from '../cell/AugDict.ts'
import { hashKey, int32Key, type KeyCodec, uint64Key } from '../cell/dictTypes.ts'
import { type EnqueuedMsg, enqueuedMsgCodec } from './EnqueuedMsg.ts'
import { openMsgEnvelope, readEnvelopedInfo } from './MsgEnvelope.ts'
import { minLt } from './minLt.ts'

/** Where a message goes next (workchain and the first 64 bits of an address), and its hash. */
export type OutMsgQueueKey = { readonly workchain: number; readonly prefix: bigint; readonly hash: Uint8Array }

/** Messages waiting to be taken in by other shards, with the least logical time among them. */
export type OutMsgQueue = AugDict<OutMsgQueueKey, EnqueuedMsg, bigint>

const outMsgQueueKey: KeyCodec<OutMsgQueueKey> = {
  bits: 352,
  encode: ({ workchain, prefix, hash }) =>
    concatBytes([int32Key.encode(workchain), uint64Key.encode(prefix), hashKey.encode(hash)]),
  decode: (key) => ({
    workchain: int32Key.decode(key.subarray(0, 4)),
    prefix: uint64Key.decode(key.subarray(4, 12)),
    hash: hashKey.decode(key.subarray(12, 44)),
  }),
}

/** Queues are worked off in this order: by when a message left the dispatch queue, or else by when it was created. */
const queuedLt = ({ outMsg }: EnqueuedMsg): bigint => {
  const envelope = openMsgEnvelope(outMsg)
  return envelope.emittedLt ?? readEnvelopedInfo(envelope).createdLt
}

/** _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue; */
export const outMsgQueueType: AugDictType<OutMsgQueueKey, EnqueuedMsg, bigint> = {
  key: outMsgQueueKey,
  value: enqueuedMsgCodec,
  extra: { ...minLt, ofLeaf: queuedLt },
}

import { concatBytes } from '../../primitives/bytes.ts'
import { type AugDict, type AugDictType, type Augmentation, readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { hashKey, int32Key, type KeyCodec, uint64Key, uintKey, uintValue, type ValueCodec } from '../cell/dictTypes.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { openMsgEnvelope, readEnvelopedInfo } from './MsgEnvelope.ts'
import { bits256, dictOf, maybe, record, tagged, uint64, type ValueOf } from './record.ts'
import { readMaybe, writeMaybe } from './scalars.ts'

/** A message in a queue; `outMsg` is its envelope. */
export type EnqueuedMsg = { readonly enqueuedLt: bigint; readonly outMsg: Cell }

/** _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg; */
export const readEnqueuedMsg = (r: CellReader): EnqueuedMsg => ({
  enqueuedLt: r.readUint64(),
  outMsg: r.readRefCell(),
})

const writeEnqueuedMsg = (w: CellWriter, { enqueuedLt, outMsg }: EnqueuedMsg): void => {
  w.writeUint64(enqueuedLt).writeRef(outMsg)
}

const enqueuedMsgCodec: ValueCodec<EnqueuedMsg> = { read: readEnqueuedMsg, write: writeEnqueuedMsg }

/** The least logical time among the leaves: what queues of messages sum up, all but how a leaf's own is found. */
const minLt: Omit<Augmentation<never, bigint>, 'ofLeaf'> = {
  codec: uint64,
  empty: 0n,
  combine: (left, right) => (left < right ? left : right),
}

/** The waiting messages by sending account, with the least logical time among them. */
export type DispatchQueue = AugDict<Uint8Array, AccountDispatchQueue, bigint>

/** HashmapE 64 EnqueuedMsg */
export const dispatchedMessagesType: DictType<bigint, EnqueuedMsg> = { key: uint64Key, value: enqueuedMsgCodec }

/**
 * Messages of one account in the dispatch queue, by logical time of creation:
 * _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
 */
const accountDispatchQueue = record({ messages: dictOf(dispatchedMessagesType), count: uintValue(48) })

export type AccountDispatchQueue = ValueOf<typeof accountDispatchQueue>

const MAX_LT = 0xffff_ffff_ffff_ffffn

const firstLt = ({ messages }: AccountDispatchQueue): bigint => {
  let first = MAX_LT
  // biome-ignore lint/suspicious/useIterableCallbackReturn: this is no array, and `false` ends the walk at the first key.
  messages.forEach((lt) => {
    first = lt
    return false
  })
  return first
}

/** _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue; */
export const dispatchQueueType: AugDictType<Uint8Array, AccountDispatchQueue, bigint> = {
  key: hashKey,
  value: accountDispatchQueue,
  extra: { ...minLt, ofLeaf: firstLt },
}

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

/**
 * The last message, by logical time and then hash, that a shard has taken in:
 * processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
 */
const processedUpto = record({ lastMsgLt: uint64, lastMsgHash: bits256 })

export type ProcessedUpto = ValueOf<typeof processedUpto>

/** A shard, and the masterchain block by whose word it took its messages. */
export type ProcessedKey = { readonly shard: bigint; readonly mcSeqno: number }

export type ProcessedInfo = Dict<ProcessedKey, ProcessedUpto>

const mcSeqnoKey = uintKey(32)

/** Keys are [ shard:uint64 mc_seqno:uint32 ]. */
const processedKey: KeyCodec<ProcessedKey> = {
  bits: 96,
  encode: ({ shard, mcSeqno }) => concatBytes([uint64Key.encode(shard), mcSeqnoKey.encode(mcSeqno)]),
  decode: (key) => ({ shard: uint64Key.decode(key.subarray(0, 8)), mcSeqno: mcSeqnoKey.decode(key.subarray(8, 12)) }),
}

/** _ (HashmapE 96 ProcessedUpto) = ProcessedInfo; */
export const processedInfoType: DictType<ProcessedKey, ProcessedUpto> = {
  key: processedKey,
  value: processedUpto,
}

const dispatchQueue: ValueCodec<DispatchQueue> = { read: (r) => readAugDict(r, dispatchQueueType), write: writeAugDict }

/** out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra; */
const outMsgQueueExtra = tagged(
  0x0,
  4,
  record({
    dispatchQueue,
    /** Number of messages in the out queue; kept under capability 64. */
    outQueueSize: maybe(uintValue(48)),
  }),
)

export type OutMsgQueueExtra = ValueOf<typeof outMsgQueueExtra>

export type OutMsgQueueInfo = {
  readonly outQueue: OutMsgQueue
  readonly procInfo: ProcessedInfo
  readonly extra: OutMsgQueueExtra | undefined
}

/** _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo; */
export const readOutMsgQueueInfo = (r: CellReader): OutMsgQueueInfo => ({
  outQueue: readAugDict(r, outMsgQueueType),
  procInfo: readDict(r, processedInfoType),
  extra: readMaybe(r, outMsgQueueExtra.read),
})

export const writeOutMsgQueueInfo = (w: CellWriter, { outQueue, procInfo, extra }: OutMsgQueueInfo): void => {
  writeAugDict(w, outQueue)
  writeDict(w, procInfo)
  writeMaybe(w, outMsgQueueExtra.write, extra)
}

export const openOutMsgQueueInfo = (cell: Cell): OutMsgQueueInfo =>
  readWhole(cell, readOutMsgQueueInfo, 'An OutMsgQueueInfo')

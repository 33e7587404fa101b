import type { AugDict, AugDictType } from '../cell/AugDict.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { hashKey, uint64Key } from '../cell/dictTypes.ts'
import { type EnqueuedMsg, enqueuedMsgCodec } from './EnqueuedMsg.ts'
import { minLt } from './minLt.ts'

/** Messages that one account has sent and that wait for their turn to be emitted. */
export type AccountDispatchQueue = {
  /** By when they were created. */
  readonly messages: Dict<bigint, EnqueuedMsg>
  readonly count: number
}

/** The waiting messages by sending account, with the least logical time among them. */
export type DispatchQueue = AugDict<Uint8Array, AccountDispatchQueue, bigint>

/** HashmapE 64 EnqueuedMsg */
export const dispatchedMessagesType: DictType<bigint, EnqueuedMsg> = { key: uint64Key, value: enqueuedMsgCodec }

/** _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue; */
export const readAccountDispatchQueue = (r: CellReader): AccountDispatchQueue => ({
  messages: readDict(r, dispatchedMessagesType),
  count: r.readUint(48),
})

export const writeAccountDispatchQueue = (w: CellWriter, { messages, count }: AccountDispatchQueue): void => {
  writeDict(w, messages)
  w.writeUint(count, 48)
}

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
  value: { read: readAccountDispatchQueue, write: writeAccountDispatchQueue },
  extra: { ...minLt, ofLeaf: firstLt },
}

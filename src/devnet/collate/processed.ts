import { Dict } from '../../codec/cell/Dict.ts'
import {
  type ProcessedInfo,
  type ProcessedKey,
  type ProcessedUpto,
  processedInfoType,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { compareBytes } from '../../primitives/bytes.ts'
import { isShardAncestor, shardContains } from '../../primitives/shard.ts'
import { compareMessages, type QueuedMessage } from './QueuedMessage.ts'
import type { HopAddress } from './route.ts'

/** Up to which message a shard had taken in, by the word of which masterchain block. */
export type ProcessedEntry = ProcessedKey & ProcessedUpto

/** The end lt of the shard that holds a place, as a masterchain block knew it. */
export type FindEndLt = (mcSeqno: number, place: HopAddress) => bigint

export const listProcessed = (info: ProcessedInfo): ProcessedEntry[] =>
  info.entries().map(([key, upto]) => ({ ...key, ...upto }))

/**
 * Whether one of the entries covers a message. It must also have been in its queue by then, since a shard may
 * go past a logical time at which another is still making messages.
 */
export const isProcessed = (
  entries: readonly ProcessedEntry[],
  message: QueuedMessage,
  findEndLt: FindEndLt,
): boolean =>
  entries.some(
    ({ shard, mcSeqno, lastMsgLt, lastMsgHash }) =>
      compareMessages(message, { lt: lastMsgLt, hash: lastMsgHash }) <= 0 &&
      shardContains(shard, message.key.prefix) &&
      message.enqueuedLt < findEndLt(mcSeqno, message.current),
  )

/** The entries with a new one, without those that another makes superfluous. */
export const addProcessed = (entries: readonly ProcessedEntry[], added: ProcessedEntry | undefined): ProcessedInfo => {
  const all = added === undefined ? [...entries] : withEntry(entries, added)
  const kept = all.filter((entry, at) => !all.some((other, otherAt) => otherAt !== at && covers(other, entry)))
  return Dict.of(
    processedInfoType,
    kept.map(
      ({ shard, mcSeqno, lastMsgLt, lastMsgHash }) =>
        [
          { shard, mcSeqno },
          { lastMsgLt, lastMsgHash },
        ] as const,
    ),
  )
}

const withEntry = (entries: readonly ProcessedEntry[], added: ProcessedEntry): ProcessedEntry[] => {
  const isSameKey = ({ shard, mcSeqno }: ProcessedEntry): boolean => shard === added.shard && mcSeqno === added.mcSeqno
  const same = entries.find(isSameKey)
  if (same !== undefined && !reaches(added, same)) return [...entries]
  return [...entries.filter((entry) => !isSameKey(entry)), added]
}

const reaches = (a: ProcessedUpto, b: ProcessedUpto): boolean =>
  a.lastMsgLt > b.lastMsgLt || (a.lastMsgLt === b.lastMsgLt && compareBytes(a.lastMsgHash, b.lastMsgHash) >= 0)

const covers = (a: ProcessedEntry, b: ProcessedEntry): boolean =>
  isShardAncestor(a.shard, b.shard) && a.mcSeqno >= b.mcSeqno && reaches(a, b)

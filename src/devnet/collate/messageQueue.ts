import { Cell } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import type { IntMsgInfo } from '../../codec/tlb/Message.ts'
import type { MsgAddressInt } from '../../codec/tlb/MsgAddress.ts'
import {
  type IntermediateAddress,
  type MsgEnvelope,
  openMsgEnvelope,
  readEnvelopedInfo,
} from '../../codec/tlb/MsgEnvelope.ts'
import {
  type OutMsgQueue,
  type OutMsgQueueKey,
  type ProcessedInfo,
  type ProcessedKey,
  type ProcessedUpto,
  processedInfoType,
} from '../../codec/tlb/OutMsgQueueInfo.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { compareBytes, getU64BE } from '../../primitives/bytes.ts'
import { isShardAncestor, shardContains } from '../../primitives/shard.ts'
import { ChainDataError } from '../store/errors.ts'

/** A place in the network: a workchain and the first 64 bits of an address. */
export type HopAddress = { readonly workchain: number; readonly prefix: bigint }

/** Where a message stands and where it goes next. */
export type Route = {
  readonly current: IntermediateAddress
  readonly next: IntermediateAddress
  readonly hop: HopAddress
}

const ALL_BITS = 96
const WORKCHAIN_BITS = 32
const STEP = 4
const ARRIVED: IntermediateAddress = { kind: 'regular', useDestBits: ALL_BITS }

const hopAddressOf = (address: MsgAddressInt): HopAddress => ({
  workchain: address.workchain,
  prefix: getU64BE(address.kind === 'std' ? address.hash : address.value, 0),
})

export const isInShard = ({ workchain, shard }: ShardIdent, hop: HopAddress): boolean =>
  hop.workchain === workchain && shardContains(shard, hop.prefix)

/** The place that an envelope names by how many bits of the destination it has taken over. */
export const hopOf = ({ source, destination }: IntMsgInfo, at: IntermediateAddress): HopAddress => {
  if (at.kind !== 'regular') return { workchain: at.workchain, prefix: at.prefix }
  return mix(hopAddressOf(source), hopAddressOf(destination), at.useDestBits)
}

const mix = (from: HopAddress, to: HopAddress, bits: number): HopAddress => {
  if (bits >= ALL_BITS) return to
  if (bits === 0) return from
  if (bits < WORKCHAIN_BITS) throw new ChainDataError(`A message stands between two workchains, at bit ${bits}.`)
  const taken = BigInt(bits - WORKCHAIN_BITS)
  const low = (1n << (64n - taken)) - 1n
  return { workchain: to.workchain, prefix: (to.prefix & ~low) | (from.prefix & low) }
}

/** The route of a new message from a shard: straight to its destination but for the bits behind the first that differ. */
export const routeFrom = (shard: ShardIdent, { source, destination }: IntMsgInfo): Route => {
  const to = hopAddressOf(destination)
  if (isInShard(shard, to)) return { current: ARRIVED, next: ARRIVED, hop: to }
  const from = hopAddressOf(source)
  if (to.workchain !== shard.workchain) {
    const next = to.workchain === masterchain || shard.workchain === masterchain ? ALL_BITS : WORKCHAIN_BITS
    return {
      current: { kind: 'regular', useDestBits: 0 },
      next: { kind: 'regular', useDestBits: next },
      hop: mix(from, to, next),
    }
  }
  let bits = WORKCHAIN_BITS + STEP
  while (isInShard(shard, mix(from, to, bits))) bits += STEP
  return {
    current: { kind: 'regular', useDestBits: bits - STEP },
    next: { kind: 'regular', useDestBits: bits },
    hop: mix(from, to, bits),
  }
}

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

// Many objects may refer to a cell, but it has one position.
const opened = new WeakMap<CellArena, Map<number, readonly QueuedMessage[]>>()

export type MessagePosition = { readonly lt: bigint; readonly hash: Uint8Array }

/** The order in which shards take messages in. */
export const compareMessages = (a: MessagePosition, b: MessagePosition): number =>
  a.lt === b.lt ? compareBytes(a.hash, b.hash) : a.lt < b.lt ? -1 : 1

/** Up to which message a shard had taken in, by the word of which masterchain block. */
export type ProcessedEntry = ProcessedKey & ProcessedUpto

/** The end lt of the shard that holds a place, as a masterchain block knew it. */
export type FindEndLt = (mcSeqno: number, hop: HopAddress) => bigint

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

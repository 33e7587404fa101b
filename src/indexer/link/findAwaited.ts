import { getI32LE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { type DecodedBlockSet, MESSAGE_KIND } from '../blockSets.ts'
import type { OpenMessage, OpenTrace, OpenTraces } from '../IndexBatch.ts'

/** The stored open traces are inconsistent. */
export class BrokenOpenTracesError extends CodedError {
  readonly code = 'broken_open_traces'

  constructor({ hash, traceId }: OpenMessage) {
    super(
      `Expected an open trace for every message under way, but there is none with the id ${toHex(traceId)}, which the message ${toHex(hash)} names`,
    )
  }
}

/** A trace under construction. Afterwards it is open or finished. */
export type GrowingTrace = { -readonly [Name in keyof OpenTrace]: OpenTrace[Name] }

export const addTransaction = (trace: GrowingTrace, lt: bigint, seqno: number, now: number): void => {
  trace.transactions++
  growUpTo(trace, lt, seqno, now)
}

/** Merges an orphan whose first transaction received a message of this trace. */
export const absorb = (trace: GrowingTrace, orphan: OpenTrace): void => {
  trace.transactions += orphan.transactions
  trace.messages += orphan.messages + 1
  trace.pending += orphan.pending - 1
  growUpTo(trace, orphan.endLt, orphan.endSeqno, orphan.endUtime)
}

const growUpTo = (trace: GrowingTrace, lt: bigint, seqno: number, utime: number): void => {
  if (lt > trace.endLt) trace.endLt = lt
  if (seqno > trace.endSeqno) trace.endSeqno = seqno
  if (utime > trace.endUtime) trace.endUtime = utime
}

export const HASH_BYTES = 32

// Random, so that nobody can craft hashes that collide.
const multiplier = Math.floor(Math.random() * 2 ** 32) | 1

/** A map from hashes to numbers: an open-addressing table, several times faster than a Map with text keys. */
export class HashNumbers {
  readonly #hashes: Uint8Array
  readonly #slots: Int32Array
  readonly #shift: number

  /** For numbers from 0 to `count` - 1. */
  constructor(count: number) {
    const bits = Math.max(4, 33 - Math.clz32(count))
    this.#hashes = new Uint8Array(count * HASH_BYTES)
    this.#slots = new Int32Array(2 ** bits).fill(-1)
    this.#shift = 32 - bits
  }

  /** For equal hashes the last number wins. */
  set(hashes: Uint8Array, at: number, number: number): void {
    this.#slots[this.#slotOf(hashes, at)] = number
    const start = number * HASH_BYTES
    for (let k = 0; k < HASH_BYTES; k++) this.#hashes[start + k] = hashes[at + k]!
  }

  /** The number of a hash, or -1. */
  find(hashes: Uint8Array, at: number): number {
    return this.#slots[this.#slotOf(hashes, at)]!
  }

  /** The slot of a hash, or the free slot where it belongs. At most half of the slots are taken. */
  #slotOf(hash: Uint8Array, at: number): number {
    const slots = this.#slots
    const hashes = this.#hashes
    let slot = Math.imul(getI32LE(hash, at), multiplier) >>> this.#shift
    for (;;) {
      const number = slots[slot]!
      if (number < 0) return slot
      const start = number * HASH_BYTES
      let k = 0
      while (k < HASH_BYTES && hashes[start + k] === hash[at + k]) k++
      if (k === HASH_BYTES) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }
}

const BITS = 20

/**
 * A Bloom filter over the first bits of hashes. Thousands of messages may be pending while a block receives a few: messages it
 * certainly does not receive cost no map entry.
 */
class HashBloomFilter {
  readonly #words = new Int32Array(2 ** (BITS - 5))

  add(hashes: Uint8Array, at: number): void {
    const bits = firstBits(hashes, at)
    this.#words[bits >>> 5]! |= 1 << (bits & 31)
  }

  mayHave(hash: Uint8Array): boolean {
    const bits = firstBits(hash, 0)
    return (this.#words[bits >>> 5]! & (1 << (bits & 31))) !== 0
  }
}

const firstBits = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) >>> (24 - BITS)

/** The parts of a block set that linking needs. */
export type LinkableBlockSet = Pick<DecodedBlockSet, 'seqno' | 'transactions' | 'messages'>

/** Pending messages that may have been received, each with its trace. */
export type Awaited = {
  readonly messages: readonly OpenMessage[]
  /** By message. */
  readonly senders: readonly GrowingTrace[]
  readonly growing: ReadonlyMap<OpenTrace, GrowingTrace>
}

/** The pending messages that these block sets, or orphans, may have received. All received ones are among them. */
export const findAwaited = (
  open: OpenTraces,
  blockSets: readonly LinkableBlockSet[],
  orphans: readonly OpenTrace[],
): Awaited => {
  const sieve = new HashBloomFilter()
  for (const { transactions } of blockSets) {
    const { count, inKinds, inHashes } = transactions
    for (let i = 0; i < count; i++) if (inKinds[i] === MESSAGE_KIND.internal) sieve.add(inHashes, i * HASH_BYTES)
  }
  for (const { orphanHash } of orphans) if (orphanHash !== undefined) sieve.add(orphanHash, 0)
  const messages = open.messages.filter(({ hash }) => sieve.mayHave(hash))
  const growing = new Map<OpenTrace, GrowingTrace>()
  const senders = findTraces(open.traces, messages).map((trace) => {
    const known = growing.get(trace)
    if (known !== undefined) return known
    const started = { ...trace }
    growing.set(trace, started)
    return started
  })
  return { messages, senders, growing }
}

/** The trace of each message. */
const findTraces = (open: readonly OpenTrace[], messages: readonly OpenMessage[]): OpenTrace[] => {
  const sieve = new HashBloomFilter()
  for (const { traceId } of messages) sieve.add(traceId, 0)
  const traces = messages.length === 0 ? [] : open.filter(({ traceId }) => sieve.mayHave(traceId))
  const numbers = new HashNumbers(traces.length)
  for (const [number, { traceId }] of traces.entries()) numbers.set(traceId, 0, number)
  return messages.map((message) => {
    const trace = traces[numbers.find(message.traceId, 0)]
    if (trace === undefined) throw new BrokenOpenTracesError(message)
    return trace
  })
}

import { bytesEqual, latin1Slice, utf8Slice } from '../../primitives/bytes.ts'
import { keyText, type TransactionRow } from '../../store/reader/TransactionRecord.ts'
import type { RowCost } from './AnswerBudget.ts'

/** A sent message, as far as it matters outside the text of its transaction. Its destination is a key. */
export type SentMessage = { readonly hash: Uint8Array; readonly destination: Uint8Array | undefined }

/** The JSON of a transaction, and what is needed to show it in a list or in a trace. */
export type TransactionText = {
  readonly text: string
  readonly outMessages: readonly SentMessage[]
  readonly cost: RowCost
}

/** The bytes of a text in the ring: the id of its trace, then the sent messages, then the text. */
type Entry = {
  readonly at: number
  readonly end: number
  readonly textAt: number
  readonly sent: number
  readonly isAscii: boolean
  readonly mcSeqno: number
  readonly cost: RowCost
}

const HASH_BYTES = 32
/** A longer text is not cached. */
const MAX_BYTES = 128 * 1024
/** Transactions that were asked for lately, by four bytes of their hash. */
const SEEN = 1 << 16

/**
 * Cache of the JSON of finalized transactions: a page that many poll, or an account that is asked for again and again, is read and
 * written once. A transaction is cached when it is asked for again, and if all is known of it, so its text never changes; a rewind, or a
 * trace whose beginning is found later, gives the row another hash or trace, and then the text is not found. The texts are bytes of one
 * ring, where the oldest make room: on the heap, they would be copied and marked by each garbage collection.
 */
export class TransactionTexts {
  readonly #size: number
  readonly #entries = new Map<string, Entry>()
  readonly #seen = new Uint32Array(SEEN)
  #ring: Buffer | undefined
  #at = 0

  constructor(size: number) {
    this.#size = size
  }

  find(row: TransactionRow): TransactionText | undefined {
    const entry = this.#entries.get(keyText(row.hash))
    const ring = this.#ring
    if (entry === undefined || ring === undefined || entry.mcSeqno !== row.mc_seqno) return undefined
    if (!bytesEqual(ring.subarray(entry.at, entry.at + HASH_BYTES), row.trace_id)) return undefined
    const slice = entry.isAscii ? latin1Slice : utf8Slice
    return {
      text: slice.call(ring, entry.textAt, entry.end),
      outMessages: entry.sent === 0 ? [] : readSent(ring, entry),
      cost: entry.cost,
    }
  }

  /** Whether a transaction that is not cached was asked for before, as far as can be told. */
  wasSeen({ hash }: TransactionRow): boolean {
    const mark = ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) >>> 0
    const slot = mark % SEEN
    const isKnown = this.#seen[slot] === mark
    this.#seen[slot] = mark
    return isKnown
  }

  set(row: TransactionRow, { text, outMessages, cost }: TransactionText): void {
    const key = keyText(row.hash)
    this.#entries.delete(key)
    const textBytes = Buffer.byteLength(text)
    let headBytes = HASH_BYTES
    for (const { destination } of outMessages) headBytes += HASH_BYTES + 1 + (destination?.length ?? 0)
    if (headBytes + textBytes > Math.min(MAX_BYTES, this.#size)) return
    const at = this.#takeRoom(headBytes + textBytes)
    this.#ring ??= Buffer.allocUnsafeSlow(this.#size)
    const ring = this.#ring
    ring.set(row.trace_id, at)
    let end = at + HASH_BYTES
    for (const { hash, destination } of outMessages) {
      ring.set(hash, end)
      ring[end + HASH_BYTES] = destination?.length ?? 0
      if (destination !== undefined) ring.set(destination, end + HASH_BYTES + 1)
      end += HASH_BYTES + 1 + (destination?.length ?? 0)
    }
    ring.write(text, end)
    this.#entries.set(key, {
      at,
      end: end + textBytes,
      textAt: end,
      sent: outMessages.length,
      isAscii: textBytes === text.length,
      mcSeqno: row.mc_seqno,
      cost,
    })
  }

  /** The oldest entries come next in the ring. */
  #takeRoom(bytes: number): number {
    if (this.#at + bytes > this.#size) {
      this.#drop(({ at }) => at >= this.#at)
      this.#at = 0
    }
    const [from, to] = [this.#at, this.#at + bytes]
    this.#drop(({ at, end }) => at < to && end > from)
    this.#at = to
    return from
  }

  #drop(isInTheWay: (entry: Entry) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!isInTheWay(entry)) return
      this.#entries.delete(key)
    }
  }
}

/** Copies: what comes later takes the place in the ring. */
const readSent = (ring: Buffer, { at: start, sent }: Entry): SentMessage[] => {
  const messages: SentMessage[] = []
  let at = start + HASH_BYTES
  for (let k = 0; k < sent; k++) {
    const length = ring[at + HASH_BYTES]!
    const copy = new Uint8Array(ring.subarray(at, at + HASH_BYTES + 1 + length))
    messages.push({
      hash: copy.subarray(0, HASH_BYTES),
      destination: length === 0 ? undefined : copy.subarray(HASH_BYTES + 1),
    })
    at += HASH_BYTES + 1 + length
  }
  return messages
}

import { ByteRing } from '../../primitives/ByteRing.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { keyText, type TransactionRow } from '../../store/reader/TransactionRecord.ts'
import type { RowCost } from './AnswerBudget.ts'

/** A sent message, as far as it matters outside the text of its transaction. Its destination is a key. */
export type SentMessage = { readonly hash: Uint8Array; readonly destination: Uint8Array | undefined }

/** The JSON of a transaction, as UTF-8, and what is needed to show it in a list or in a trace. */
export type TransactionText = {
  readonly json: Uint8Array
  readonly outMessages: readonly SentMessage[]
  readonly cost: RowCost
}

/** In the ring are the id of its trace, then the sent messages, then the text. */
type Facts = { readonly headBytes: number; readonly sent: number; readonly mcSeqno: number; readonly cost: RowCost }

const HASH_BYTES = 32
/** A longer text is not cached. */
const MAX_BYTES = 128 * 1024
/** Transactions that were asked for lately, by four bytes of their hash. */
const SEEN = 1 << 16

/**
 * Cache of the JSON of finalized transactions: a page that many poll, or an account that is asked for again and again, is read and
 * written once. A transaction is cached when it is asked for again, and if all is known of it, so its text never changes; a rewind, or a
 * trace whose beginning is found later, gives the row another hash or trace, and then the text is not found.
 */
export class TransactionTexts {
  readonly #ring: ByteRing<Facts>
  readonly #seen = new Uint32Array(SEEN)

  constructor(size: number) {
    this.#ring = new ByteRing(size, MAX_BYTES)
  }

  find(row: TransactionRow): TransactionText | undefined {
    const entry = this.#ring.find(keyText(row.hash))
    if (entry === undefined || entry.facts.mcSeqno !== row.mc_seqno) return undefined
    const { bytes } = this.#ring
    const { headBytes, sent, cost } = entry.facts
    if (!bytesEqual(bytes.subarray(entry.at, entry.at + HASH_BYTES), row.trace_id)) return undefined
    return {
      json: copyOf(bytes, entry.at + headBytes, entry.end),
      outMessages: sent === 0 ? [] : readSent(copyOf(bytes, entry.at + HASH_BYTES, entry.at + headBytes), sent),
      cost,
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

  set(row: TransactionRow, { json, outMessages, cost }: TransactionText): void {
    let headBytes = HASH_BYTES
    for (const { destination } of outMessages) headBytes += HASH_BYTES + 1 + (destination?.length ?? 0)
    const facts: Facts = { headBytes, sent: outMessages.length, mcSeqno: row.mc_seqno, cost }
    const at = this.#ring.add(keyText(row.hash), headBytes + json.length, facts)
    if (at === undefined) return
    const { bytes } = this.#ring
    bytes.set(row.trace_id, at)
    let end = at + HASH_BYTES
    for (const { hash, destination } of outMessages) {
      bytes.set(hash, end)
      bytes[end + HASH_BYTES] = destination?.length ?? 0
      if (destination !== undefined) bytes.set(destination, end + HASH_BYTES + 1)
      end += HASH_BYTES + 1 + (destination?.length ?? 0)
    }
    bytes.set(json, end)
  }
}

/** What comes later takes the place in the ring. */
const copyOf = (bytes: Buffer, from: number, end: number): Uint8Array => {
  const copy = Buffer.allocUnsafe(end - from)
  bytes.copy(copy, 0, from, end)
  return copy
}

const readSent = (bytes: Uint8Array, sent: number): SentMessage[] => {
  const messages: SentMessage[] = []
  let at = 0
  for (let k = 0; k < sent; k++) {
    const end = at + HASH_BYTES + 1 + bytes[at + HASH_BYTES]!
    const destination = bytes.subarray(at + HASH_BYTES + 1, end)
    messages.push({
      hash: bytes.subarray(at, at + HASH_BYTES),
      destination: destination.length === 0 ? undefined : destination,
    })
    at = end
  }
  return messages
}

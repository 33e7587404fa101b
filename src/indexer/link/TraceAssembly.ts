import { type DecodedTransactions, MESSAGE_KIND } from '../DecodedUnit.ts'
import type { Awaited } from './findAwaited.ts'
import { addTransaction, type GrowingTrace } from './GrowingTrace.ts'
import { HASH_BYTES, HashNumbers } from './HashNumbers.ts'
import type { LinkableUnit } from './LinkableUnit.ts'

/**
 * Joins the transactions of consecutive units by their messages. Messages have numbers: first those awaited from before, then those
 * of the units in order.
 */
export class TraceAssembly {
  /** Traces that begin here. */
  readonly begun: GrowingTrace[] = []
  /** The trace of each message. */
  readonly senders: GrowingTrace[]
  readonly #mayHaveOrphans: boolean
  readonly #internal: HashNumbers
  readonly #isReceived: Uint8Array
  #known: number

  constructor({ messages, senders }: Awaited, sentCount: number, options: { readonly mayHaveOrphans: boolean }) {
    this.#mayHaveOrphans = options.mayHaveOrphans
    const count = messages.length + sentCount
    this.senders = [...senders]
    this.#internal = new HashNumbers(count)
    this.#isReceived = new Uint8Array(count)
    this.#known = messages.length
    for (const [number, { hash }] of messages.entries()) this.#internal.set(hash, 0, number)
  }

  /** Adds the next unit, and writes the trace ids of its transactions into their rows. */
  addUnit({ seqno, transactions, messages }: LinkableUnit): void {
    const { count, lts, nows, outStarts, rows } = transactions
    for (let i = 0; i < count; i++) {
      const trace = this.#findTrace(transactions, i) ?? this.#begin(transactions, i, seqno)
      addTransaction(trace, lts[i]!, seqno, nows[i]!)
      rows.bytes.set(trace.traceId, rows.ends[i]! - HASH_BYTES)
      const end = outStarts[i + 1]!
      for (let k = outStarts[i]!; k < end; k++) {
        this.senders.push(trace)
        if (messages.kinds[k] === MESSAGE_KIND.internal) {
          this.#internal.set(messages.hashes, k * HASH_BYTES, this.#known + k)
          trace.pending++
        } else trace.messages++
      }
    }
    this.#known += messages.count
  }

  isReceived(message: number): boolean {
    return this.#isReceived[message] === 1
  }

  /** Marks a message as received. Its number, or -1 where nobody here has sent it. */
  receive(hashes: Uint8Array, at: number): number {
    const message = this.#internal.find(hashes, at)
    if (message < 0 || this.isReceived(message)) return -1
    this.#isReceived[message] = 1
    return message
  }

  #findTrace({ inKinds, inHashes }: DecodedTransactions, i: number): GrowingTrace | undefined {
    if (inKinds[i] !== MESSAGE_KIND.internal) return undefined
    const message = this.receive(inHashes, i * HASH_BYTES)
    if (message < 0) return undefined
    const trace = this.senders[message]!
    trace.pending--
    trace.messages++
    return trace
  }

  #begin({ lts, nows, hashes, inKinds, inHashes }: DecodedTransactions, i: number, seqno: number) {
    const kind = inKinds[i]
    const inHash = kind === MESSAGE_KIND.none ? undefined : sliceHash(inHashes, i)
    const isOrphan = kind === MESSAGE_KIND.internal && this.#mayHaveOrphans
    const lt = lts[i]!
    const trace = {
      traceId: sliceHash(hashes, i),
      startLt: lt,
      endLt: lt,
      startSeqno: seqno,
      endSeqno: seqno,
      startUtime: nows[i]!,
      endUtime: nows[i]!,
      transactions: 0,
      messages: inHash === undefined || isOrphan ? 0 : 1,
      pending: 0,
      orphanHash: isOrphan ? inHash : undefined,
    }
    this.begun.push(trace)
    return trace
  }
}

const sliceHash = (hashes: Uint8Array, i: number): Uint8Array => hashes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES)

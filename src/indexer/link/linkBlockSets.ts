import { type DecodedTransactions, MESSAGE_KIND } from '../blockSets.ts'
import type { LinkedTraces, OpenMessage, OpenTrace, OpenTraces, Trace } from '../IndexBatch.ts'
import {
  type Awaited,
  absorb,
  addTransaction,
  findAwaited,
  type GrowingTrace,
  HASH_BYTES,
  HashNumbers,
  type LinkableUnit,
} from './findAwaited.ts'

/**
 * Joins the transactions of consecutive units by their messages. Messages have numbers: first those awaited from before, then those
 * of the units in order.
 */
class TraceAssembly {
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

const ACCOUNT_BYTES = 33

/** Messages of a unit that nobody has received, by their places among those sent, and those of them that somebody may yet receive. */
export type SentMessages = { readonly unreceived: Uint32Array; readonly underWay: readonly OpenMessage[] }

/**
 * Looks through the messages of a unit after all was linked, and writes the trace ids into the rows of those that nobody received.
 * `first` is the number of the first.
 */
const collectSent = (
  assembly: TraceAssembly,
  { seqno, transactions, messages }: LinkableUnit,
  first: number,
): SentMessages => {
  const { count, accounts, outStarts } = transactions
  const { kinds, hashes, lts, rows } = messages
  const unreceived: number[] = []
  const underWay: OpenMessage[] = []
  for (let i = 0; i < count; i++) {
    const end = outStarts[i + 1]!
    for (let k = outStarts[i]!; k < end; k++) {
      if (assembly.isReceived(first + k)) continue
      const { traceId } = assembly.senders[first + k]!
      unreceived.push(k)
      rows.bytes.set(traceId, rows.ends[k]! - HASH_BYTES)
      if (kinds[k] !== MESSAGE_KIND.internal) continue
      const hash = hashes.slice(k * HASH_BYTES, (k + 1) * HASH_BYTES)
      const account = accounts.slice(i * ACCOUNT_BYTES, (i + 1) * ACCOUNT_BYTES)
      underWay.push({ hash, traceId, account, createdLt: lts[k]!, seqno })
    }
  }
  return { unreceived: Uint32Array.from(unreceived), underWay }
}

/** What is still open of the range above, and the orphans of it that are none any more. */
export type JoinedAbove = { readonly open: OpenTraces; readonly renamed: LinkedTraces['renamed'] }

/**
 * Gives orphans of the range above to the traces whose messages they received. One look at each is enough: inside a range every
 * message has found its receiver, so no orphan has received a message of another, and who takes orphans over is not taken over.
 */
const joinAbove = (assembly: TraceAssembly, above: OpenTraces): JoinedAbove => {
  const orphans: OpenTrace[] = []
  const parents: GrowingTrace[] = []
  const traces = above.traces.filter((trace) => {
    if (trace.orphanHash === undefined) return true
    const message = assembly.receive(trace.orphanHash, 0)
    if (message < 0) return true
    const parent = assembly.senders[message]!
    absorb(parent, trace)
    orphans.push(trace)
    parents.push(parent)
    return false
  })
  if (orphans.length === 0) return { open: above, renamed: [] }
  return {
    open: { traces, messages: renameMessages(above.messages, orphans, parents) },
    renamed: orphans.map(({ traceId }, k) => ({ from: traceId, to: parents[k]!.traceId })),
  }
}

const renameMessages = (
  messages: readonly OpenMessage[],
  orphans: readonly OpenTrace[],
  parents: readonly GrowingTrace[],
): OpenMessage[] => {
  const numbers = new HashNumbers(orphans.length)
  for (const [number, { traceId }] of orphans.entries()) numbers.set(traceId, 0, number)
  return messages.map((message) => {
    const number = numbers.find(message.traceId, 0)
    return number < 0 ? message : { ...message, traceId: parents[number]!.traceId }
  })
}

export type LinkInput = {
  /** Of the range that ends right below the units; nothing where there is none. */
  readonly below: OpenTraces
  /** Consecutive, the lowest first. */
  readonly units: readonly LinkableUnit[]
  /** Of the range that begins right above the units, where there is one. */
  readonly above: OpenTraces | undefined
  /** Nothing is below the units, or the range that they go on: the chain begins there, so a message that nobody sent was sent by nobody. */
  readonly isFromFirst?: boolean
}

export const NOTHING_OPEN: OpenTraces = { traces: [], messages: [] }

/**
 * Assembles traces out of transactions. The trace ids are written into the rows of the transactions, and of the messages that
 * nobody received; those of other messages keep their zeros. What stays open unchanged is handed on as the same object.
 */
export const linkUnits = ({ below, units, above = NOTHING_OPEN, isFromFirst = false }: LinkInput): LinkedTraces => {
  const awaited = findAwaited(below, units, above.traces)
  const sentCount = units.reduce((sum, { messages }) => sum + messages.count, 0)
  const assembly = new TraceAssembly(awaited, sentCount, { mayHaveOrphans: !isFromFirst })
  for (const unit of units) assembly.addUnit(unit)
  const joined = joinAbove(assembly, above)
  const adopted = isFromFirst ? adoptOrphans(joined.open.traces) : { grown: [], left: joined.open.traces }
  let number = awaited.messages.length
  const sent = units.map((unit) => {
    const collected = collectSent(assembly, unit, number)
    number += unit.messages.count
    return collected
  })
  const arrived = awaited.messages.filter((_, message) => assembly.isReceived(message))
  const gone = new Set(arrived)
  const { unchanged, changed } = sortOut(below.traces, awaited)
  const { finished, touched } = divide([...changed, ...assembly.begun, ...adopted.grown])
  return {
    finished,
    touched,
    arrived,
    renamed: joined.renamed,
    unreceived: sent.map(({ unreceived }) => unreceived),
    open: {
      traces: [...unchanged, ...touched, ...adopted.left],
      messages: [
        ...below.messages.filter((message) => !gone.has(message)),
        ...sent.flatMap(({ underWay }) => underWay),
        ...joined.open.messages,
      ],
    },
  }
}

type Adopted = { readonly grown: readonly OpenTrace[]; readonly left: readonly OpenTrace[] }

/** Orphans whose senders are in no block: they begin with the message that they received. */
const adoptOrphans = (traces: readonly OpenTrace[]): Adopted => {
  const orphans = traces.filter(({ orphanHash }) => orphanHash !== undefined)
  return {
    grown: orphans.map((trace) => ({ ...trace, orphanHash: undefined, messages: trace.messages + 1 })),
    left: orphans.length === 0 ? traces : traces.filter(({ orphanHash }) => orphanHash === undefined),
  }
}

type SortedOut = { readonly unchanged: readonly OpenTrace[]; readonly changed: readonly GrowingTrace[] }

/** Every change of a trace brings a transaction to it. */
const sortOut = (traces: readonly OpenTrace[], { growing }: Awaited): SortedOut => {
  const changed: GrowingTrace[] = []
  const unchanged = traces.filter((trace) => {
    const grown = growing.get(trace)
    if (grown === undefined || grown.transactions === trace.transactions) return true
    changed.push(grown)
    return false
  })
  return { unchanged, changed }
}

const divide = (
  traces: readonly OpenTrace[],
): { readonly finished: readonly Trace[]; readonly touched: readonly OpenTrace[] } => {
  const finished: Trace[] = []
  const touched: OpenTrace[] = []
  for (const trace of traces) {
    if (trace.pending === 0 && trace.orphanHash === undefined) finished.push(trace)
    else touched.push(trace)
  }
  return { finished, touched }
}

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
  type LinkableBlockSet,
} from './findAwaited.ts'

/**
 * Joins the transactions of consecutive block sets by their messages. Messages are numbered: first those pending from before,
 * then those of the block sets in order.
 */
class TraceAssembly {
  /** Traces that start here. */
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

  /** Adds the next block set and writes the trace ids of its transactions into their rows. */
  addBlockSet({ seqno, transactions, messages }: LinkableBlockSet): void {
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

  /** Marks a message as received. Returns its number, or -1 if its sender is unknown. */
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

/** The unreceived messages of a block set, by index, and those of them that may still arrive. */
export type SentMessages = { readonly unreceived: Uint32Array; readonly underWay: readonly OpenMessage[] }

/**
 * Collects the unreceived messages of a block set after linking, and writes the trace ids into their rows. `first` is the number
 * of the first.
 */
const collectSent = (
  assembly: TraceAssembly,
  { seqno, transactions, messages }: LinkableBlockSet,
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

/** The open traces of the range above, and its former orphans. */
export type JoinedAbove = { readonly open: OpenTraces; readonly renamed: LinkedTraces['renamed'] }

/**
 * Merges orphans of the range above into the traces whose messages they received. One pass is enough: inside a range every
 * message has found its receiver, so no orphan received a message of another.
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
  /** Open traces of the range directly below; empty if there is none. */
  readonly below: OpenTraces
  /** Consecutive, lowest first. */
  readonly blockSets: readonly LinkableBlockSet[]
  /** Open traces of the range directly above, if any. */
  readonly above: OpenTraces | undefined
  /**
   * The block sets, or the range they continue, start at the first block of the chain: a message without a known sender has none.
   */
  readonly isFromFirst?: boolean
}

export const NOTHING_OPEN: OpenTraces = { traces: [], messages: [] }

/**
 * Links transactions into traces. Trace ids are written into the rows of transactions and of unreceived messages; other message
 * rows keep zeros. Unchanged open traces are passed on as the same objects.
 */
export const linkBlockSets = ({
  below,
  blockSets,
  above = NOTHING_OPEN,
  isFromFirst = false,
}: LinkInput): LinkedTraces => {
  const awaited = findAwaited(below, blockSets, above.traces)
  const sentCount = blockSets.reduce((sum, { messages }) => sum + messages.count, 0)
  const assembly = new TraceAssembly(awaited, sentCount, { mayHaveOrphans: !isFromFirst })
  for (const blockSet of blockSets) assembly.addBlockSet(blockSet)
  const joined = joinAbove(assembly, above)
  const adopted = isFromFirst ? adoptOrphans(joined.open.traces) : { grown: [], left: joined.open.traces }
  let number = awaited.messages.length
  const sent = blockSets.map((blockSet) => {
    const collected = collectSent(assembly, blockSet, number)
    number += blockSet.messages.count
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

/** Orphans whose senders are in no block: they start with the message they received. */
const adoptOrphans = (traces: readonly OpenTrace[]) => {
  const orphans = traces.filter(({ orphanHash }) => orphanHash !== undefined)
  return {
    grown: orphans.map((trace) => ({ ...trace, orphanHash: undefined, messages: trace.messages + 1 })),
    left: orphans.length === 0 ? traces : traces.filter(({ orphanHash }) => orphanHash === undefined),
  }
}

/** Every change of a trace adds a transaction. */
const sortOut = (traces: readonly OpenTrace[], { growing }: Awaited) => {
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

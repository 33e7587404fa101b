import { toHex } from '../primitives/hex.ts'
import type { PendingFilter, PendingTrace, PendingTraces } from '../store/reader/pending.ts'
import type { MessageRecord } from '../store/reader/TransactionRecord.ts'

/** Where pending traces are kept until they are in the index. There is one for each message, by its normal hash. */
export interface PendingStore extends PendingTraces {
  /** Keeps it for so long, in place of what was known of it before. */
  put(trace: PendingTrace, lifeMs: number): Promise<void>
  remove(normalHash: Uint8Array): Promise<void>
  /** Forgets all of them: the chain was begun anew. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** How long a trace is kept when nothing is heard of it any more: by whether it has begun, and has ended. */
export const lifeOf = ({ transactions, traceId }: PendingTrace): number => {
  if (traceId === undefined) return 30_000
  return transactions.some(({ isEmulated }) => isEmulated) ? 60_000 : 30_000
}

export type MemoryLimits = { readonly maxTraces: number; readonly maxBytes: number }

const LIMITS: MemoryLimits = { maxTraces: 20_000, maxBytes: 128 * 1024 * 1024 }

type Kept = {
  readonly trace: PendingTrace
  readonly endsAt: number
  readonly bytes: number
  /** What it is found by. */
  readonly names: readonly string[]
}

/** Pending traces of one process. Where there is no room for a new one, the oldest go. */
export class MemoryPendingStore implements PendingStore {
  readonly #limits: MemoryLimits
  readonly #now: () => number
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()
  readonly #byName = new Map<string, Set<string>>()
  #bytes = 0

  constructor(limits: MemoryLimits = LIMITS, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#kept.size
  }

  async put(trace: PendingTrace, lifeMs: number): Promise<void> {
    const key = toHex(trace.externalHashNorm)
    this.#remove(key)
    this.#dropOld()
    const bytes = bytesOf(trace)
    if (bytes > this.#limits.maxBytes) return
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < this.#limits.maxTraces && this.#bytes + bytes <= this.#limits.maxBytes) break
      this.#remove(oldest)
    }
    const kept = { trace, endsAt: this.#now() + lifeMs, bytes, names: namesOf(trace) }
    this.#kept.set(key, kept)
    this.#bytes += bytes
    for (const name of kept.names) {
      const keys = this.#byName.get(name)
      if (keys === undefined) this.#byName.set(name, new Set([key]))
      else keys.add(key)
    }
  }

  async remove(normalHash: Uint8Array): Promise<void> {
    this.#remove(toHex(normalHash))
  }

  async clear(): Promise<void> {
    this.#kept.clear()
    this.#byName.clear()
    this.#bytes = 0
  }

  async close(): Promise<void> {
    await this.clear()
  }

  async find(question: PendingFilter): Promise<readonly PendingTrace[]> {
    const names = 'accounts' in question ? question.accounts : question.hashes
    const keys = new Set(names.flatMap((name) => [...(this.#byName.get(toHex(name)) ?? [])]))
    const now = this.#now()
    return [...keys].flatMap((key) => {
      const kept = this.#kept.get(key)
      return kept === undefined || kept.endsAt <= now ? [] : [kept.trace]
    })
  }

  /** Those that were put again live longer than others behind them: they are met the next time. */
  #dropOld(): void {
    const now = this.#now()
    let looked = 0
    for (const [key, { endsAt }] of this.#kept) {
      if (endsAt <= now) this.#remove(key)
      else if (++looked > 32) return
    }
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#bytes -= kept.bytes
    for (const name of kept.names) {
      const keys = this.#byName.get(name)
      keys?.delete(key)
      if (keys?.size === 0) this.#byName.delete(name)
    }
  }
}

/** What a trace is found by: its hashes, and the accounts of its transactions and actions. Keys of accounts are longer than hashes. */
export const namesOf = (trace: PendingTrace): string[] => [
  ...new Set(
    [
      trace.externalHash,
      trace.externalHashNorm,
      ...(trace.traceId === undefined ? [] : [trace.traceId]),
      ...trace.transactions.map(({ account }) => account),
      ...(trace.actions ?? []).flatMap(({ accounts }) => accounts),
    ].map(toHex),
  ),
]

const TRANSACTION_BYTES = 1500
const MESSAGE_BYTES = 600
const ACTION_BYTES = 1000

/** About how much memory it takes. */
const bytesOf = ({ transactions, actions = [] }: PendingTrace): number => {
  const messageBytes = ({ body, init }: MessageRecord): number =>
    MESSAGE_BYTES + (body?.packed?.length ?? 0) + (init?.packed?.length ?? 0)
  const ofTransactions = transactions.reduce(
    (sum, { inMessage, outMessages, description }) =>
      [...outMessages, ...(inMessage === undefined ? [] : [inMessage])].reduce(
        (all, message) => all + messageBytes(message),
        sum + TRANSACTION_BYTES + description.length,
      ),
    0,
  )
  return ofTransactions + ACTION_BYTES * actions.length
}

import { toHex } from '../primitives/hex.ts'
import type { PendingFilter, PendingTrace, PendingTraces } from '../store/reader/pending.ts'
import type { MessageRecord } from '../store/reader/TransactionRecord.ts'
import type { PendingEnd, WatchOthers } from './PendingChanges.ts'

/** Stores pending traces until they are in the index: one per external-in message, by normalized hash. */
export interface PendingStore extends PendingTraces {
  /** Stores or replaces a trace for this long. */
  put(trace: PendingTrace, lifeMs: number): Promise<void>
  /** Removes a trace that is no longer expected to happen. */
  remove(normalHash: Uint8Array, end: PendingEnd): Promise<void>
  /** Drops all traces: the chain was reset. */
  clear(): Promise<void>
  close(): Promise<void>
  /** Absent if no other process shares the store. */
  readonly watchOthers?: WatchOthers
}

/** Time to live of a trace, depending on whether it has started and finished. */
export const lifeOf = ({ transactions, traceId }: PendingTrace): number => {
  if (traceId === undefined) return 30_000
  return transactions.some(({ isEmulated }) => isEmulated) ? 60_000 : 30_000
}

export type MemoryLimits = { readonly maxTraces: number; readonly maxBytes: number }

const LIMITS: MemoryLimits = { maxTraces: 20_000, maxBytes: 128 * 1024 * 1024 }

type StoredTrace = {
  readonly trace: PendingTrace
  readonly endsAt: number
  readonly bytes: number
  /** Lookup keys. */
  readonly names: readonly string[]
}

/** In-memory pending traces of one process. The oldest are evicted first. */
export class MemoryPendingStore implements PendingStore {
  readonly #limits: MemoryLimits
  readonly #now: () => number
  /** The oldest first. */
  readonly #traces = new Map<string, StoredTrace>()
  readonly #byName = new Map<string, Set<string>>()
  #bytes = 0

  constructor(limits: MemoryLimits = LIMITS, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  get size(): number {
    return this.#traces.size
  }

  async put(trace: PendingTrace, lifeMs: number): Promise<void> {
    const key = toHex(trace.externalHashNorm)
    this.#remove(key)
    this.#dropOld()
    const bytes = bytesOf(trace)
    if (bytes > this.#limits.maxBytes) return
    for (const oldest of this.#traces.keys()) {
      if (this.#traces.size < this.#limits.maxTraces && this.#bytes + bytes <= this.#limits.maxBytes) break
      this.#remove(oldest)
    }
    const stored = { trace, endsAt: this.#now() + lifeMs, bytes, names: namesOf(trace) }
    this.#traces.set(key, stored)
    this.#bytes += bytes
    for (const name of stored.names) {
      const keys = this.#byName.get(name)
      if (keys === undefined) this.#byName.set(name, new Set([key]))
      else keys.add(key)
    }
  }

  async remove(normalHash: Uint8Array): Promise<void> {
    this.#remove(toHex(normalHash))
  }

  async clear(): Promise<void> {
    this.#traces.clear()
    this.#byName.clear()
    this.#bytes = 0
  }

  async close(): Promise<void> {
    await this.clear()
  }

  async find(filter: PendingFilter): Promise<readonly PendingTrace[]> {
    const names = 'accounts' in filter ? filter.accounts : filter.hashes
    const keys = new Set(names.flatMap((name) => [...(this.#byName.get(toHex(name)) ?? [])]))
    const now = this.#now()
    return [...keys].flatMap((key) => {
      const stored = this.#traces.get(key)
      return stored === undefined || stored.endsAt <= now ? [] : [stored.trace]
    })
  }

  /** Checks only the first entries: an updated trace may outlive later ones, and is found next time. */
  #dropOld(): void {
    const now = this.#now()
    let looked = 0
    for (const [key, { endsAt }] of this.#traces) {
      if (endsAt <= now) this.#remove(key)
      else if (++looked > 32) return
    }
  }

  #remove(key: string): void {
    const stored = this.#traces.get(key)
    if (stored === undefined) return
    this.#traces.delete(key)
    this.#bytes -= stored.bytes
    for (const name of stored.names) {
      const keys = this.#byName.get(name)
      keys?.delete(key)
      if (keys?.size === 0) this.#byName.delete(name)
    }
  }
}

/** Lookup keys of a trace: its hashes, and the accounts of its transactions and actions (accounts are longer than hashes). */
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

/** Approximate memory size. */
export const bytesOf = ({ transactions, actions = [] }: Pick<PendingTrace, 'transactions' | 'actions'>): number => {
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

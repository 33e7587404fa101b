import { isInvalidation, keyOf, toldKeysOf } from '../eventKeys.ts'
import type { EventPart } from '../subscription/matchEvent.ts'

/** A speculative event that waits for a connection. */
export type Waiting = {
  readonly part: EventPart
  /** Events with the same key replace each other; `undefined` where none does. */
  readonly key: string | undefined
  readonly bytes: number
}

/** Speculative events that a connection did not get: those after `from` up to `to`. */
export type LostEvents = { readonly from: string; readonly to: string; readonly count: number }

export type QueueBounds = { readonly maxEvents: number; readonly maxBytes: number }

/**
 * Speculative events of one connection, within a bound. When it is full, events that a newer one replaces go first, then all of them,
 * and {@link lost} says so.
 */
export class SpeculativeQueue {
  readonly #bounds: QueueBounds
  #items: Waiting[] = []
  #bytes = 0
  /** What was dropped since it was told last. */
  lost: LostEvents | undefined

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#items.length
  }

  get first(): Waiting | undefined {
    return this.#items[0]
  }

  /** The oldest ones, which stay in the queue. */
  peek(count: number): readonly Waiting[] {
    return this.#items.slice(0, count)
  }

  /** Returns how many events were dropped to make room. */
  push(part: EventPart): number {
    const item = { part, key: keyOf(part.event), bytes: estimateBytes(part) }
    this.#items.push(item)
    this.#bytes += item.bytes
    if (!this.#isFull()) return 0
    const before = this.#items.length
    this.#keep(withoutReplaced(this.#items))
    if (this.#isFull()) this.#loseAll()
    return before - this.#items.length
  }

  shift(): void {
    const item = this.#items.shift()
    if (item !== undefined) this.#bytes -= item.bytes
  }

  /** Takes out the events that an invalidation takes back. */
  dropInvalid(key: string): void {
    const isInvalid = ({ part: { event } }: Waiting): boolean =>
      !isInvalidation(event) && toldKeysOf(event).includes(key)
    if (this.#items.some(isInvalid)) this.#keep(this.#items.filter((item) => !isInvalid(item)))
  }

  clear(): void {
    this.#keep([])
    this.lost = undefined
  }

  #isFull(): boolean {
    return this.#items.length > this.#bounds.maxEvents || this.#bytes > this.#bounds.maxBytes
  }

  #keep(items: Waiting[]): void {
    this.#items = items
    this.#bytes = items.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #loseAll(): void {
    const [first] = this.#items
    const last = this.#items.at(-1)
    if (first === undefined || last === undefined) return
    this.lost = {
      from: this.lost?.from ?? first.part.event.id,
      to: last.part.event.id,
      count: (this.lost?.count ?? 0) + this.#items.length,
    }
    this.#keep([])
  }
}

const withoutReplaced = (items: readonly Waiting[]): Waiting[] => {
  const seen = new Set<string>()
  const kept: Waiting[] = []
  for (const item of items.toReversed()) {
    if (item.key !== undefined) {
      if (seen.has(item.key)) continue
      seen.add(item.key)
    }
    kept.push(item)
  }
  return kept.reverse()
}

const EVENT_BYTES = 512
const TRANSACTION_BYTES = 2048
const ACTION_BYTES = 1024

/** Rendering tells the exact size, but only when the event is sent. */
const estimateBytes = ({ event, transactions, actions }: EventPart): number => {
  const trace = 'trace' in event ? event.trace : undefined
  const transactionCount = transactions?.length ?? (event.kind === 'ac' ? 0 : (trace?.transactions.length ?? 0))
  const actionCount = actions?.length ?? (event.kind === 'tx' ? 0 : (trace?.actions?.length ?? 0))
  return EVENT_BYTES + transactionCount * TRANSACTION_BYTES + actionCount * ACTION_BYTES
}

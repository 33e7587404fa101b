import { toldKeysOf, traceKeyOf } from '../eventKeys.ts'
import type { StreamEvent } from '../events.ts'

const MAX_KEPT = 10_000

/** Traces and states of which a connection got a speculative event, and which are neither invalidated nor final yet. */
export class ToldKeys {
  readonly #keys = new Set<string>()

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  /** The oldest is forgotten beyond the bound. */
  add(key: string): void {
    this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size <= MAX_KEPT) return
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest)
      return
    }
  }

  addAll(event: StreamEvent): void {
    for (const key of toldKeysOf(event)) this.add(key)
  }

  delete(key: string): void {
    this.#keys.delete(key)
  }

  /** A trace that is final cannot be invalidated any more. */
  finalize(event: StreamEvent): void {
    if (this.#keys.size === 0) return
    const key = traceKeyOf(event)
    if (key !== undefined) this.#keys.delete(key)
  }

  clear(): void {
    this.#keys.clear()
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from '../../primitives/scheduling.ts'

const WINDOW_MS = 1000
/** A shorter pause is not worth its timer. */
const SHORTEST_MS = 5
/** Events between two turns of the event loop. */
const TURN = 16

/** Keeps a connection that catches up below the rate of a replay, and lets others work. */
export class ReplayPace {
  /** Events per second. */
  readonly #rate: number
  #count = 0
  #since = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  /** Called after each event. */
  async wait(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    if (now - this.#since > WINDOW_MS) {
      this.#count = 0
      this.#since = now
    }
    this.#count++
    const dueMs = this.#since + (this.#count / this.#rate) * 1000 - now
    if (dueMs > SHORTEST_MS) await pause(dueMs, signal).catch(() => undefined)
    else if (this.#count % TURN === 0) await nextTurn()
  }
}

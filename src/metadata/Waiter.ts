import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a time, or until it is woken or the signal says stop. */
export class Waiter {
  readonly #signal: AbortSignal
  #isWoken = false
  #resume: (() => void) | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.wake())
  }

  wake(): void {
    this.#isWoken = true
    this.#resume?.()
  }

  /** Where it is woken, it waits `gatherMs` more: others may be about to do the same. */
  async wait(ms: number, gatherMs = 0): Promise<void> {
    if (!this.#isWoken && !this.#signal.aborted) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.#resume = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    }
    if (this.#isWoken && gatherMs > 0 && !this.#signal.aborted) {
      await delay(gatherMs, undefined, { signal: this.#signal }).catch(() => {})
    }
    this.#isWoken = false
    this.#resume = undefined
  }
}

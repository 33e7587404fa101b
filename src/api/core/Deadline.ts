import type { ServerResponse } from 'node:http'
import { DeadlineExceededError } from './errors.ts'

/** The end of waiting for an answer: its time is up, or nobody is there any more to get it. */
export class Deadline {
  private readonly timeoutMs: number
  private readonly response: ServerResponse
  private readonly timer: NodeJS.Timeout
  private reason: DeadlineExceededError | undefined
  private reject: ((reason: unknown) => void) | undefined
  private controller: AbortController | undefined
  private leavers: Set<() => void> | undefined

  constructor(timeoutMs: number, response: ServerResponse) {
    this.timeoutMs = timeoutMs
    this.response = response
    this.timer = setTimeout(this.abandon, timeoutMs)
    // Before the answer has been made, this means that the caller has gone.
    response.once('close', this.abandon)
  }

  /** Aborted at the end. It is made when it is first asked for: most work has no use for it, and it is not cheap. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.reason !== undefined) this.controller.abort(this.reason)
    }
    return this.controller.signal
  }

  /** Calls back at the end, as the signal would for a tenth of its price. What it returns takes that back. */
  onEnd(leave: () => void): () => void {
    this.leavers ??= new Set()
    const { leavers } = this
    leavers.add(leave)
    return () => leavers.delete(leave)
  }

  /** The outcome of the work, unless the end comes first; then it is no longer waited for. One at a time. */
  race<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.reason !== undefined) return reject(this.reason)
      this.reject = reject
      work().then(resolve, reject)
    })
  }

  /** The answer is made: nothing is to be watched any more. */
  end(): void {
    clearTimeout(this.timer)
    this.response.off('close', this.abandon)
  }

  private readonly abandon = (): void => {
    this.reason ??= new DeadlineExceededError(this.timeoutMs)
    this.controller?.abort(this.reason)
    for (const leave of this.leavers ?? []) leave()
    this.reject?.(this.reason)
  }
}

import type { ServerResponse } from 'node:http'
import { DeadlineExceededError } from './errors.ts'

/** The end of waiting for an answer: its time is up, or nobody is there any more to get it. */
export class Deadline {
  readonly signal: AbortSignal
  private readonly abandoned: Promise<never>
  private readonly timer: NodeJS.Timeout
  private readonly response: ServerResponse
  private readonly onClose: () => void

  constructor(timeoutMs: number, response: ServerResponse) {
    const controller = new AbortController()
    this.signal = controller.signal
    let reject: (reason: unknown) => void = () => undefined
    this.abandoned = new Promise((_, refuse) => {
      reject = refuse
    })
    // It may be that no one is racing at the time.
    this.abandoned.catch(() => undefined)
    const abandon = (): void => {
      const reason = new DeadlineExceededError(timeoutMs)
      controller.abort(reason)
      reject(reason)
    }
    this.timer = setTimeout(abandon, timeoutMs)
    this.response = response
    // After a whole answer nothing is left to abandon; before one, the caller has gone.
    this.onClose = abandon
    response.once('close', this.onClose)
  }

  /** The outcome of the work, unless the end comes first; the work is then told by the signal, and no longer waited for. */
  race<T>(work: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) return this.abandoned
    return Promise.race([work(), this.abandoned])
  }

  /** The answer is made: nothing is to be watched any more. */
  end(): void {
    clearTimeout(this.timer)
    this.response.off('close', this.onClose)
  }
}

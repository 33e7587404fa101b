import { CodedError } from '../../primitives/errors.ts'
import { type Backoff, backoffMs, onAbort, pause } from '../../primitives/scheduling.ts'
import { SourceTimeoutError } from './checkRawBlock.ts'

export type RetryOptions = {
  readonly signal: AbortSignal
  /** Maximum number of attempts; unlimited by default. */
  readonly maxTries?: number
  readonly backoff?: Backoff
  /** Called for every failure that is retried, with the attempt and the delay. */
  readonly onRetry: (failure: CodedError, tries: number, waitMs: number) => void
}

const BACKOFF: Backoff = { firstMs: 100, maxMs: 3000 }

/** Retries work with growing delays while its failures are retryable. */
export const withRetries = async <T>(work: () => Promise<T>, options: RetryOptions): Promise<T> => {
  const { signal, maxTries = Number.POSITIVE_INFINITY, backoff = BACKOFF, onRetry } = options
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !(error instanceof CodedError) || !error.retryable || tries >= maxTries) throw error
      const waitMs = backoffMs(backoff, tries)
      onRetry(error, tries, waitMs)
      await pause(waitMs, signal)
    }
  }
}

/** Runs work with a timeout, whether or not it heeds its signal. */
export const withTimeout = async <T>(
  what: string,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let leave = (): void => undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SourceTimeoutError(`${what} timed out after ${ms} ms.`)), ms)
    leave = onAbort(signal, () => reject(signal.reason))
  })
  try {
    return await Promise.race([tooLate, work(controller.signal)])
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    leave()
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { CodedError } from '../../primitives/errors.ts'
import { type Backoff, backoffMs, onAbort } from '../../primitives/scheduling.ts'
import { SourceTimeoutError } from './checkRawBlock.ts'

export type RetryOptions = {
  readonly signal: AbortSignal
  /** The work is tried so often at most; without it, as long as its failures may pass. */
  readonly maxTries?: number
  readonly backoff?: Backoff
  /** Told of every failure that is followed by another try: which try it was, and how long the next waits. */
  readonly onRetry: (failure: CodedError, tries: number, waitMs: number) => void
}

const BACKOFF: Backoff = { firstMs: 100, maxMs: 3000 }

/** Does the work again, each time after a longer wait, while it fails in a way that may pass. */
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
      await wait(waitMs, signal)
    }
  }
}

const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    // The reason of the signal says more than that a wait was aborted.
    signal.throwIfAborted()
  }
}

/** Work that fails when it takes too long, whether or not it heeds its signal. */
export const withinTime = async <T>(
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
    timer = setTimeout(() => reject(new SourceTimeoutError(`${what} did not come within ${ms} ms.`)), ms)
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

import { setMaxListeners } from 'node:events'
import { SourceTimeoutError } from './errors.ts'

/** Work that fails when it takes too long, whether or not it heeds its signal. */
export const withinTime = async <T>(
  what: string,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  allowManyListeners(signal)
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  const tooLate = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    timer = setTimeout(() => reject(new SourceTimeoutError(`${what} did not come within ${ms} ms.`)), ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([tooLate, work(controller.signal)])
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Many questions may wait on one signal; that is no leak, as Node would suspect. */
export const allowManyListeners = (signal: AbortSignal): void => setMaxListeners(0, signal)

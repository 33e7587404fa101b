import { onAbort } from '../../primitives/scheduling.ts'
import { SourceTimeoutError } from './errors.ts'

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

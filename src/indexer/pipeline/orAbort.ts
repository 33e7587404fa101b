import { setTimeout as delay } from 'node:timers/promises'

/** What is waited for, or the reason of the signal where that comes first. */
export const orAbort = <T>(waited: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })

/** A pause that a signal ends with its own reason, which tells more than that something was aborted. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

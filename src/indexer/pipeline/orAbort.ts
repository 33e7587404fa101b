import { onAbort } from '../../primitives/scheduling.ts'

/** What is waited for, or the reason of the signal where that comes first. */
export const orAbort = <T>(waited: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    waited.then(resolve, reject).finally(leave)
  })

import { setTimeout as delay } from 'node:timers/promises'

const GRACE_MS = 1000

/**
 * Lets work that was told to stop end what it does before what it works with is closed, but not for long: where a server hangs,
 * only closing the connection to it ends the wait.
 */
export const letEnd = async (done: Promise<void>): Promise<void> => {
  await Promise.race([done.catch(() => undefined), delay(GRACE_MS, undefined, { ref: false })])
}

import { setTimeout as delay } from 'node:timers/promises'

type WaitOptions = {
  /** Generous: a busy machine is no reason to fail. */
  readonly timeoutMs?: number
  readonly pollMs?: number
}

/** Waits for a condition, and fails with what was waited for when it has not come true in time. */
export const waitUntil = async (
  what: string | (() => string),
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 90_000, pollMs = 20 }: WaitOptions = {},
): Promise<void> => {
  const end = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`Not within ${timeoutMs} ms: ${typeof what === 'string' ? what : what()}`)
    }
    await delay(pollMs)
  }
}

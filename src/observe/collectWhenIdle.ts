import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const WINDOW_MS = 10_000
/** Shares of a window that the thread is busy: from one on it makes garbage, up to the other nobody waits for a collection. */
const BUSY_SHARE = 0.2
const IDLE_SHARE = 0.1

/** Tells when to collect: in the first idle window after a busy one. */
export class IdleWatch {
  // To start is work, too.
  private wasBusy = true

  /** Takes the share of a window that the thread was busy. */
  isTime(share: number): boolean {
    if (share >= BUSY_SHARE) this.wasBusy = true
    if (!this.wasBusy || share > IDLE_SHARE) return false
    this.wasBusy = false
    return true
  }
}

/**
 * Collects garbage once after each busy time, when the thread is idle. V8 collects as it allocates: a process without work keeps the
 * garbage of its busiest minute, in its heap and in buffers outside of it, for as long as it has no work. Returns a function that stops
 * this.
 */
export const collectWhenIdle = (windowMs = WINDOW_MS): (() => void) => {
  const watch = new IdleWatch()
  let collect: (() => void) | undefined
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    if (watch.isTime(performance.eventLoopUtilization(before).utilization)) {
      collect ??= exposeCollection()
      collect()
    }
    // The collection itself is not work.
    before = performance.eventLoopUtilization()
  }, windowMs).unref()
  return () => clearInterval(timer)
}

/** Only a context that is made while the flag is set has the function. */
const exposeCollection = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}

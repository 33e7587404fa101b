export type Backoff = { readonly firstMs: number; readonly maxMs: number }

export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 10_000 }

/** How long to wait after the n-th failure in a row (1 is the first): doubled each time, the upper half of it by chance. */
export const backoffMs = (
  { firstMs, maxMs }: Backoff,
  failures: number,
  random: () => number = Math.random,
): number => {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(30, failures - 1))
  return full / 2 + (full / 2) * random()
}

/** Runs work, or lets it wait until there is room. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** A gate that lets so many pieces of work run at once; the rest waits in order. */
export const createGate = (limit: number): Gate => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place passes on to the next in line without becoming free in between.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

type Waits = { readonly acts: Set<{ readonly act: () => void }>; readonly listener: () => void }

const waitsOf = new WeakMap<AbortSignal, Waits>()

/**
 * Has `act` called when the signal is aborted, in a moment if it is already; returns how to take that back. However many wait on a signal,
 * it has one listener, and none when nobody waits: an AbortSignal looks through all of its listeners for each that comes or goes, and
 * warns of many.
 */
export const onAbort = (signal: AbortSignal, act: () => void): (() => void) => {
  if (signal.aborted) return callSoon(act)
  const waits = waitsOf.get(signal) ?? listen(signal)
  const wait = { act }
  waits.acts.add(wait)
  return () => {
    if (waits.acts.delete(wait) && waits.acts.size === 0) forget(signal, waits)
  }
}

/** Not at once: whoever asks for it has not yet got what takes it back. */
const callSoon = (act: () => void): (() => void) => {
  let isWanted = true
  queueMicrotask(() => {
    if (isWanted) act()
  })
  return () => {
    isWanted = false
  }
}

const listen = (signal: AbortSignal): Waits => {
  const acts: Waits['acts'] = new Set()
  const listener = (): void => {
    waitsOf.delete(signal)
    const due = [...acts]
    acts.clear()
    for (const { act } of due) act()
  }
  const waits = { acts, listener }
  waitsOf.set(signal, waits)
  signal.addEventListener('abort', listener, { once: true })
  return waits
}

/** A signal with a listener is kept alive by those that it depends on. */
const forget = (signal: AbortSignal, waits: Waits): void => {
  if (waitsOf.get(signal) === waits) waitsOf.delete(signal)
  signal.removeEventListener('abort', waits.listener)
}

/** Resolves after a time, or rejects with the signal's reason when that is aborted, which tells more than that something was. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => {
      leave()
      done()
    }, ms)
    const leave = onAbort(signal, () => {
      clearTimeout(timer)
      fail(signal.reason)
    })
  })

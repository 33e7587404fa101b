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

export type Backoff = { readonly firstMs: number; readonly maxMs: number }

export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 10_000 }

/** Delay after the n-th failure in a row (1 is the first): doubles each time, with jitter in its upper half. */
export const backoffMs = (
  { firstMs, maxMs }: Backoff,
  failures: number,
  random: () => number = Math.random,
): number => {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(30, failures - 1))
  return full / 2 + (full / 2) * random()
}

/** Runs work at once, or queues it until a slot is free. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Limits how many pieces of work run at once. The others wait in order. */
export const createSemaphore = (limit: number): Semaphore => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // Hands the slot to the next in line without freeing it in between.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

type Waits = { readonly acts: Set<{ readonly act: () => void }>; readonly listener: () => void }

const waitsOf = new WeakMap<AbortSignal, Waits>()

/**
 * Calls `act` when the signal aborts, or in a microtask if it already has; returns a function that cancels this. All callers share
 * one listener per signal: an AbortSignal scans its listeners whenever one is added or removed, and warns of many.
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

/** In a microtask: the caller does not hold the cancel function yet. */
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

/** The signals that a signal depends on keep it alive while it has a listener. */
const forget = (signal: AbortSignal, waits: Waits): void => {
  if (waitsOf.get(signal) === waits) waitsOf.delete(signal)
  signal.removeEventListener('abort', waits.listener)
}

/** Resolves after `ms`, or rejects with the reason of the signal when it aborts. */
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

/** Turns of the event loop that wait, by how many their pieces of work have had. */
const waitingTurns: readonly (() => void)[][] = [[], [], []]
/** How long a slice may take, by the same: what is new may end soon, and goes first. */
const SLICE_MS = [1, 2, 4] as const
/** Each so many turns go to the longest work, so that it ends, too. */
const LONGEST_EACH = 4

let turns = 0

const giveTurn = (): void => {
  turns++
  const levels = turns % LONGEST_EACH === 0 ? waitingTurns.toReversed() : waitingTurns
  const next = levels.find(({ length }) => length > 0)
  next?.shift()?.()
  if (waitingTurns.some(({ length }) => length > 0)) setImmediate(giveTurn)
}

/**
 * Resolves in a later turn of the event loop. Of all long pieces of work that wait, one gets each turn, so that short work goes on in
 * between. `level`: how many turns it has had.
 */
export const nextTurn = (level = 1): Promise<void> =>
  new Promise((resolve) => {
    if (waitingTurns.every(({ length }) => length === 0)) setImmediate(giveTurn)
    waitingTurns[Math.min(level, waitingTurns.length - 1)]!.push(resolve)
  })

/** Measures work that is done in slices. */
export class Slices {
  private start = performance.now()
  private turns = 0

  get isOver(): boolean {
    return performance.now() - this.start > SLICE_MS[Math.min(this.turns, SLICE_MS.length - 1)]!
  }

  /** Begins the next slice, in a later turn. */
  async next(): Promise<void> {
    await nextTurn(this.turns++)
    this.start = performance.now()
  }
}

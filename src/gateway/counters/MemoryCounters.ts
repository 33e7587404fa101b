import type { Rate } from '../../primitives/Rate.ts'

/** The result of taking one request from a budget. */
export type Taken = {
  readonly isAllowed: boolean
  /** Remaining requests. */
  readonly remaining: number
  /** Time until the budget is full again. */
  readonly resetMs: number
  /** Time until the next request is allowed; 0 if this one was. */
  readonly retryMs: number
}

/** Rate limit budgets by name, in this process or shared. */
export interface Counters {
  /** Takes one request from a budget. Never rejects: if shared counters are unavailable, local ones are used. */
  take(name: string, rate: Rate): Taken | Promise<Taken>
  close(): Promise<void>
}

/**
 * The generic cell rate algorithm (GCRA). A budget is a single number: the time until it is full again. Every request adds an interval;
 * a request is refused if that time is too long already.
 */
export type Pacing = {
  /** Interval of one request. */
  readonly intervalMs: number
  /** A request is allowed while the time until full is at most this. */
  readonly maxAheadMs: number
}

/** Tolerance for early requests, as a fraction of an interval: clocks of clients are not exact. */
const EARLY = 0.1

const known = new WeakMap<Rate, Pacing>()

export const pacingOf = (rate: Rate): Pacing => {
  let pacing = known.get(rate)
  if (pacing === undefined) {
    const intervalMs = 1000 / rate.perSecond
    pacing = { intervalMs, maxAheadMs: (rate.burst - 1) * intervalMs + EARLY * intervalMs }
    known.set(rate, pacing)
  }
  return pacing
}

/** Describes a decision, given the time until the budget is full. */
export const describeTaken = (isAllowed: boolean, aheadMs: number, rate: Rate): Taken => {
  const { intervalMs, maxAheadMs } = pacingOf(rate)
  return {
    isAllowed,
    remaining: isAllowed ? Math.max(0, Math.floor(rate.burst - aheadMs / intervalMs + ROUNDING)) : 0,
    resetMs: aheadMs,
    retryMs: isAllowed ? 0 : aheadMs - maxAheadMs,
  }
}

const ROUNDING = 1e-6

const SWEEP_AT = 10_000
const MAX_BUDGETS = 1_000_000

/** Rate limit budgets of this process. */
export class MemoryCounters implements Counters {
  /** The time at which each budget is full. Full budgets are dropped. */
  private readonly wholeAt = new Map<string, number>()
  private readonly now: () => number
  private sweepAt = SWEEP_AT

  /** A monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  get size(): number {
    return this.wholeAt.size
  }

  take(name: string, rate: Rate): Taken {
    const now = this.now()
    const { intervalMs, maxAheadMs } = pacingOf(rate)
    const aheadMs = Math.max(0, (this.wholeAt.get(name) ?? now) - now)
    if (aheadMs > maxAheadMs) return describeTaken(false, aheadMs, rate)
    if (this.wholeAt.size >= this.sweepAt) this.sweep(now)
    this.wholeAt.set(name, now + aheadMs + intervalMs)
    return describeTaken(true, aheadMs + intervalMs, rate)
  }

  async close(): Promise<void> {
    this.wholeAt.clear()
  }

  /** Evicts the oldest budgets if there are too many names. */
  private sweep(now: number): void {
    for (const [name, wholeAt] of this.wholeAt) if (wholeAt <= now) this.wholeAt.delete(name)
    for (const name of this.wholeAt.keys()) {
      if (this.wholeAt.size < MAX_BUDGETS) break
      this.wholeAt.delete(name)
    }
    this.sweepAt = Math.min(MAX_BUDGETS, Math.max(SWEEP_AT, 2 * this.wholeAt.size))
  }
}

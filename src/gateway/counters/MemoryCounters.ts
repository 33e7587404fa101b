import type { Rate } from '../../primitives/Rate.ts'

/** What came of asking a budget for one request. */
export type Taken = {
  readonly isAllowed: boolean
  /** How many more would be let through now. */
  readonly remaining: number
  /** Until the budget is whole again. */
  readonly resetMs: number
  /** Until there is something in it again; 0 where there was. */
  readonly retryMs: number
}

/** Budgets by their names. They are in this process, or shared with others. */
export interface Counters {
  /** Takes one request from a budget. A promise is never broken: who cannot ask the others counts for himself. */
  take(name: string, rate: Rate): Taken | Promise<Taken>
  close(): Promise<void>
}

/**
 * What a rate means in time (the generic cell rate algorithm). A budget is a single number: the time until it is whole again. Every
 * request makes that an interval longer, and is refused where it is too long already.
 */
export type Pacing = {
  /** What one request costs. */
  readonly intervalMs: number
  /** How long it may be until a budget is whole, for another request to be let through. */
  readonly maxAheadMs: number
}

/** By so much of an interval a request may come too early. The clocks of those who keep to a rate are not exact; they pay for it later. */
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

/** What there is to say when a request was let through or not, after which it is so long until the budget is whole. */
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

/** Budgets of this process. */
export class MemoryCounters implements Counters {
  /** When each is whole again. What is whole need not be kept. */
  private readonly wholeAt = new Map<string, number>()
  private readonly now: () => number
  private sweepAt = SWEEP_AT

  /** By a clock that never goes back. */
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

  /** Whoever asks under very many names is soon forgotten again, and has to pay for most of it himself. */
  private sweep(now: number): void {
    for (const [name, wholeAt] of this.wholeAt) if (wholeAt <= now) this.wholeAt.delete(name)
    for (const name of this.wholeAt.keys()) {
      if (this.wholeAt.size < MAX_BUDGETS) break
      this.wholeAt.delete(name)
    }
    this.sweepAt = Math.min(MAX_BUDGETS, Math.max(SWEEP_AT, 2 * this.wholeAt.size))
  }
}

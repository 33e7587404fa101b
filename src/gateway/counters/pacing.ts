import type { Rate } from '../../primitives/Rate.ts'
import type { Taken } from './Counters.ts'

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

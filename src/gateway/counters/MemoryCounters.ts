import type { Rate } from '../../primitives/Rate.ts'
import type { Counters, Taken } from './Counters.ts'
import { describeTaken, pacingOf } from './pacing.ts'

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

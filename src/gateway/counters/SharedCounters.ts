import type { Logger } from '../../observe/Logger.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { Rate } from '../../primitives/Rate.ts'
import type { Counters, Taken } from './Counters.ts'
import { MemoryCounters } from './MemoryCounters.ts'
import { describeTaken } from './pacing.ts'

/** Asks for a budget where all who share it do. `aheadMs` is how long it now takes until it is whole again. */
export type AskShared = (name: string, rate: Rate) => Promise<{ readonly isAllowed: boolean; readonly aheadMs: number }>

/** Whoever is not there is not asked again for so long. */
const AWAY_MS = 1000
const WARN_MS = 60_000
const MAX_REFUSED = 100_000

/**
 * Budgets that several processes share. While those who keep them are away, every process counts for itself: requests are answered
 * still, at the worst as many as there are processes times more.
 */
export class SharedCounters implements Counters {
  private readonly ask: AskShared
  private readonly end: () => Promise<void> | void
  private readonly logger: Logger
  private readonly own = new MemoryCounters()
  /** Budgets that are empty until a time. Nobody can fill them sooner, so nobody need be asked. */
  private readonly refused = new LruCache<number>(MAX_REFUSED)
  private awayUntil = Number.NEGATIVE_INFINITY
  private warnedAt = Number.NEGATIVE_INFINITY

  constructor(ask: AskShared, end: () => Promise<void> | void, logger: Logger) {
    this.ask = ask
    this.end = end
    this.logger = logger
  }

  take(name: string, rate: Rate): Taken | Promise<Taken> {
    const now = performance.now()
    const retryMs = (this.refused.find(name) ?? now) - now
    if (retryMs > 0) return { isAllowed: false, remaining: 0, resetMs: retryMs, retryMs }
    return now < this.awayUntil ? this.own.take(name, rate) : this.takeShared(name, rate)
  }

  async close(): Promise<void> {
    await this.end()
    await this.own.close()
  }

  private async takeShared(name: string, rate: Rate): Promise<Taken> {
    try {
      const { isAllowed, aheadMs } = await this.ask(name, rate)
      const taken = describeTaken(isAllowed, aheadMs, rate)
      if (isAllowed) this.refused.delete(name)
      else this.noteRefused(name, taken.retryMs)
      return taken
    } catch (error) {
      this.noteAway(error)
      return this.own.take(name, rate)
    }
  }

  private noteRefused(name: string, retryMs: number): void {
    this.refused.set(name, performance.now() + retryMs)
  }

  private noteAway(error: unknown): void {
    const now = performance.now()
    this.awayUntil = now + AWAY_MS
    const say = now - this.warnedAt > WARN_MS ? 'warn' : 'debug'
    if (say === 'warn') this.warnedAt = now
    this.logger[say]('limits are not shared with other processes now, each counts for itself', { error })
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { Mining } from './NetworkControls.ts'

export type MinerOptions = {
  readonly mining: Mining
  readonly logger: Logger
  /** Makes the next block, in its turn. */
  makeBlock(): Promise<void>
  /** Whether a block would have something in it. */
  hasWork(): boolean
}

/** How long it waits after a block that could not be made, at first and at most. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 10_000
/** Contracts that send messages to each other without end shall not keep the machine busy without end. */
const RUSH_BLOCKS = 64
const REST_MS = 200

/** Decides when blocks are made. */
export class Miner {
  private readonly options: MinerOptions
  private current: Mining
  /** Raised whenever what was planned no longer counts. */
  private plan = 0
  private timer: NodeJS.Timeout | undefined
  private isStarted = false
  private isRushing = false
  private failures = 0

  constructor(options: MinerOptions) {
    this.options = options
    this.current = options.mining
  }

  get mining(): Mining {
    return this.current
  }

  get isRunning(): boolean {
    return this.isStarted
  }

  start(): void {
    this.isStarted = true
    this.begin()
  }

  /** A block that is being made is finished by the owner of the queue. */
  stop(): void {
    this.isStarted = false
    this.plan++
    clearTimeout(this.timer)
  }

  setMining(mining: Mining): void {
    this.current = mining
    if (!this.isStarted) return
    this.plan++
    clearTimeout(this.timer)
    this.begin()
  }

  /** Says that there is something to put into a block. */
  notice(): void {
    if (this.isStarted && this.current.mode === 'instant') void this.rush(this.plan)
  }

  private begin(): void {
    const { current } = this
    if (current.mode === 'interval') this.planTick(current.intervalMs)
    if (current.mode === 'instant') void this.rush(this.plan)
  }

  private planTick(delayMs: number): void {
    const { plan } = this
    this.timer = setTimeout(() => void this.tick(plan), delayMs)
  }

  /** The next block is planned from the beginning of this one; one that is late is not made up for. */
  private async tick(plan: number): Promise<void> {
    const start = performance.now()
    const mining = this.current
    if (mining.mode !== 'interval') return
    const wait = mining.emptyBlocks || this.options.hasWork() ? await this.attempt() : 0
    if (plan === this.plan) this.planTick(Math.max(wait, mining.intervalMs - (performance.now() - start), 0))
  }

  /** Makes blocks as long as there is something to put into them. */
  private async rush(plan: number): Promise<void> {
    if (this.isRushing) return
    this.isRushing = true
    try {
      for (let blocks = 1; plan === this.plan && this.options.hasWork(); blocks++) {
        const wait = await this.attempt()
        if (wait > 0 || blocks > RUSH_BLOCKS) await pause(Math.max(wait, REST_MS))
      }
    } finally {
      this.isRushing = false
    }
    // The mode may have been left and entered again meanwhile.
    if (plan !== this.plan) this.notice()
  }

  /** Makes a block; where it cannot be made, says so and how long to wait. */
  private async attempt(): Promise<number> {
    try {
      await this.options.makeBlock()
      this.failures = 0
      return 0
    } catch (error) {
      if (!this.isStarted) return 0
      this.options.logger.error('block production failed', { error })
      return Math.min(FIRST_RETRY_MS * 2 ** this.failures++, LAST_RETRY_MS)
    }
  }
}

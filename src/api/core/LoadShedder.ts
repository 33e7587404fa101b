import { OverloadedError } from './errors.ts'

/** Rules of one kind of work. */
export type WorkRules = {
  /** So many requests in flight are always accepted. */
  readonly alwaysAccepted: number
  /** Longest expected time of an accepted request under a lasting load; longer where requests usually take long. */
  readonly targetMs: number
}

/** A queue that has been too long for less than this is a burst, and is served. */
const TOLERANCE_MS = 1000
/** So many times what is always accepted is too much for a burst, if it would take too long. */
const FLOOD = 4
/** Requests that begin beside fewer than this tell how long one usually takes. */
const FEW = 4
/** How much longer than usual a request may take. */
const PATIENCE = 4
/** In any case well before the time limit of a call. */
const LONGEST_MS = 2500
/** The rate is measured anew after so much time in which there was work. */
const WINDOW_MS = 200
const RATE_WEIGHT = 0.3
const USUAL_WEIGHT = 0.05

/**
 * Accepts requests of one kind while they can be answered in time. By Little's law a new request takes about as long as those in flight
 * need at the rate at which they end. The rate is measured from one end to the next while there is work: neither pauses nor the time that
 * the first request takes count. It may be below what more requests at a time could do, so bursts are accepted; refused is what would
 * lengthen a queue that has stood for a while.
 */
export class LoadShedder {
  readonly stats = { accepted: 0, refused: 0 }
  private readonly rules: WorkRules
  private readonly now: () => number
  private inFlight = 0
  /** Requests per millisecond with work. */
  private rate: number | undefined
  /** Mean time of requests that had the service almost for themselves. */
  private usualMs = 0
  /** When a request ended last, if there has been work since. */
  private endedAt: number | undefined
  private busyMs = 0
  private ended = 0
  /** Since when the expected time has been too long. */
  private longSince: number | undefined

  constructor(rules: WorkRules, now: () => number = () => performance.now()) {
    this.rules = rules
    this.now = now
  }

  get size(): number {
    return this.inFlight
  }

  /** How long a new request would take. */
  get expectedMs(): number {
    return this.rate === undefined ? 0 : this.inFlight / this.rate
  }

  /** Takes a place for a request. The returned function gives it back; it must be called once. Throws where the time would be too long. */
  enter(): () => void {
    const now = this.now()
    this.refuseExcess(now)
    this.stats.accepted++
    const isAlone = this.inFlight < FEW
    this.inFlight++
    return () => this.leave(now, isAlone)
  }

  private refuseExcess(now: number): void {
    const { expectedMs } = this
    const targetMs = Math.min(LONGEST_MS, Math.max(this.rules.targetMs, PATIENCE * this.usualMs))
    if (expectedMs <= targetMs / 2 || this.inFlight < this.rules.alwaysAccepted) {
      if (expectedMs <= targetMs / 2) this.longSince = undefined
      return
    }
    if (expectedMs <= targetMs) return
    this.longSince ??= now
    const isFlood = expectedMs > LONGEST_MS && this.inFlight >= FLOOD * this.rules.alwaysAccepted
    if (now - this.longSince < TOLERANCE_MS && !isFlood) return
    this.stats.refused++
    throw new OverloadedError(expectedMs)
  }

  private leave(begun: number, isAlone: boolean): void {
    const now = this.now()
    this.inFlight--
    if (isAlone) {
      const tookMs = now - begun
      this.usualMs = this.usualMs === 0 ? tookMs : this.usualMs + USUAL_WEIGHT * (tookMs - this.usualMs)
    }
    if (this.endedAt !== undefined) {
      this.busyMs += now - this.endedAt
      this.ended++
    }
    this.endedAt = this.inFlight === 0 ? undefined : now
    if (this.busyMs < WINDOW_MS) return
    const rate = this.ended / this.busyMs
    this.rate = this.rate === undefined ? rate : this.rate + RATE_WEIGHT * (rate - this.rate)
    this.busyMs = 0
    this.ended = 0
  }
}

/** Short requests, of which a page of the explorer makes dozens. */
const SHORT: WorkRules = { alwaysAccepted: 64, targetMs: 250 }

/** Kinds of work that wait for different things. */
export const workRules = {
  /** v2 requests to a node. */
  live: SHORT,
  /** Runs of the virtual machine. */
  methods: SHORT,
  /** Short requests to the index. */
  index: SHORT,
  /** Long requests to the index, in the slow lane. */
  slow: { alwaysAccepted: 4, targetMs: 2500 },
} as const satisfies Record<string, WorkRules>

export type Work = keyof typeof workRules

export type LoadShedders = Readonly<Record<Work, LoadShedder>>

export const createLoadShedders = (): LoadShedders => ({
  live: new LoadShedder(workRules.live),
  methods: new LoadShedder(workRules.methods),
  index: new LoadShedder(workRules.index),
  slow: new LoadShedder(workRules.slow),
})

import { OverloadedError } from './errors.ts'

/** Rules of one kind of work. */
export type WorkRules = {
  /** So many requests in flight are accepted, unless the service was overloaded a moment ago: then half as many. */
  readonly accepted: number
}

/** A queue that has been too long for less than this is a burst, and is served. */
const TOLERANCE_MS = 300
/** For so long after a refusal no queue is a burst: under a lasting load it would grow for the tolerance, again and again. */
const RECOVERY_MS = 2000
/** Well before the time limit of a call: what would take longer is too much, however few they are. */
const LONGEST_MS = 2500
/** So many times what is accepted is no burst, if it would take too long. */
const FLOOD = 4
/** Requests beside which there were never more than this share of what is accepted tell how long one takes without a queue. */
const FEW = 1 / 16
/** The first of them may be slow because the service has just started. */
const FIRST = 10
/** How much longer a request may take for other reasons than a queue. */
const PATIENCE = 4
/** The rate is measured anew after so much time in which there was work. */
const WINDOW_MS = 200
const RATE_WEIGHT = 0.3
const USUAL_WEIGHT = 0.1

/**
 * Accepts requests of one kind while they do not queue up. By Little's law, rate times the time of a request alone is how many are worked
 * on: many where each waits for a far node, few where all wait for the processor. The others in flight are a queue. A short one is served,
 * and a longer one if it does not last. Under a lasting load the queue is kept short: a longer one would delay every request, and none
 * would be answered sooner. The rate is measured from one end to the next while there is work: neither pauses nor the time that the first
 * request takes count.
 */
export class LoadShedder {
  readonly stats = { accepted: 0, refused: 0 }
  private readonly rules: WorkRules
  private readonly now: () => number
  private inFlight = 0
  /** Requests per millisecond with work. */
  private rate: number | undefined
  /** Mean time of requests that had the service almost for themselves; of the first of them, the shortest. */
  private aloneMs: number | undefined
  private alone = 0
  /** Until there was such a request: the shortest time of all. */
  private leastMs = Number.POSITIVE_INFINITY
  /** When there last were more than a few in flight. */
  private crowdedAt = Number.NEGATIVE_INFINITY
  /** When a request ended last, if there has been work since. */
  private endedAt: number | undefined
  private busyMs = 0
  private ended = 0
  /** Since when the queue has been too long. */
  private longSince: number | undefined
  private refusedAt = Number.NEGATIVE_INFINITY
  private refusal: OverloadedError | undefined

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

  /** So many requests in flight wait for something else than each other. */
  private get worked(): number {
    const usualMs = this.aloneMs ?? this.leastMs
    return this.rate === undefined ? Number.POSITIVE_INFINITY : PATIENCE * this.rate * usualMs
  }

  /**
   * Takes a place for a request. The returned function gives it back; it must be called once. Where the queue is too long, returns why: to
   * throw it, and to reject promises with it, took 6 % of the time of a flooded server.
   */
  tryEnter(): (() => void) | OverloadedError {
    const now = this.now()
    const refusal = this.findRefusal(now)
    if (refusal !== undefined) return refusal
    this.stats.accepted++
    this.inFlight++
    if (this.inFlight > Math.max(1, FEW * this.rules.accepted)) this.crowdedAt = now
    return () => this.leave(now)
  }

  private findRefusal(now: number): OverloadedError | undefined {
    const { expectedMs, inFlight } = this
    const { accepted } = this.rules
    const isOverloaded = now - this.refusedAt < RECOVERY_MS
    const isLate = expectedMs > LONGEST_MS && inFlight >= accepted
    if (!isLate && inFlight - this.worked < (isOverloaded ? accepted / 2 : accepted)) {
      this.longSince = undefined
      return undefined
    }
    this.longSince ??= now
    const isBurst = now - this.longSince < TOLERANCE_MS && !(isLate && inFlight >= FLOOD * accepted)
    if (isBurst && !isOverloaded) return undefined
    this.refusedAt = now
    this.stats.refused++
    return this.refusalFor(expectedMs)
  }

  /** The same error as before if it says the same: its stack tells nothing, and costs a tenth of a refusal. */
  private refusalFor(expectedMs: number): OverloadedError {
    const seconds = Math.max(1, Math.ceil(expectedMs / 1000))
    if (this.refusal?.retryAfterSeconds !== seconds) this.refusal = new OverloadedError(seconds)
    return this.refusal
  }

  private leave(begun: number): void {
    const now = this.now()
    this.inFlight--
    this.learnUsual(now - begun, this.crowdedAt < begun)
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

  private learnUsual(tookMs: number, wasAlone: boolean): void {
    this.leastMs = Math.min(this.leastMs, tookMs)
    if (!wasAlone) return
    this.alone++
    const { aloneMs = tookMs } = this
    this.aloneMs = this.alone <= FIRST ? Math.min(aloneMs, tookMs) : aloneMs + USUAL_WEIGHT * (tookMs - aloneMs)
  }
}

/** Short requests, of which a page of the explorer makes dozens. */
const SHORT: WorkRules = { accepted: 64 }

/** Kinds of work that wait for different things. */
export const workRules = {
  /** v2 requests to a node. */
  live: SHORT,
  /** Runs of the virtual machine. */
  methods: SHORT,
  /** Short requests to the index. */
  index: SHORT,
  /** Long requests to the index, in the slow lane. */
  slow: { accepted: 4 },
} as const satisfies Record<string, WorkRules>

export type Work = keyof typeof workRules

export type LoadShedders = Readonly<Record<Work, LoadShedder>>

export const createLoadShedders = (): LoadShedders => ({
  live: new LoadShedder(workRules.live),
  methods: new LoadShedder(workRules.methods),
  index: new LoadShedder(workRules.index),
  slow: new LoadShedder(workRules.slow),
})

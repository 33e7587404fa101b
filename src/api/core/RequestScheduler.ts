/** How long the work of requests may take that begin in one turn of the event loop. */
const TURN_MS = 2
/** After a connection there are probably more: for a while, turns are shorter. */
const CONNECTING_MS = 10
const SHORT_TURN_MS = 1
/** When to read and to refuse takes longer than that, work goes on in between, for about half of the time. */
const LONG_TURN_MS = 10
const EACH_MS = 0.5

/**
 * Spreads the work of requests over turns of the event loop. Node accepts one connection in each turn, and reads what came on all others.
 * If each request began when it is read, a turn would be as long as all of them take; whoever connects would wait for as many turns as
 * there are others before him, unread, where no request is counted and none can be refused.
 */
export class RequestScheduler {
  private readonly now: () => number
  private readonly waiting: (() => void)[] = []
  /** When work began in this turn; `undefined`: none has. */
  private begunAt: number | undefined
  private givenAt = 0
  private connectedAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  noteConnection(): void {
    this.connectedAt = this.now()
  }

  /** A request was read, whether or not it is accepted. So many may come that a turn does not end. */
  noteRequest(): void {
    if (this.waiting.length === 0) return
    const now = this.now()
    if (now - this.begunAt! > LONG_TURN_MS && now - this.givenAt > EACH_MS) this.give(now)
  }

  /** Resolves when work may begin, first come, first served; `undefined`: at once. */
  begin(): Promise<void> | undefined {
    if (this.begunAt === undefined) {
      this.openTurn()
      return undefined
    }
    if (this.waiting.length === 0 && !this.isSpent()) return undefined
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private openTurn(): void {
    this.begunAt = this.now()
    setImmediate(this.nextTurn)
  }

  private isSpent(): boolean {
    const now = this.now()
    return now - this.begunAt! >= (now - this.connectedAt < CONNECTING_MS ? SHORT_TURN_MS : TURN_MS)
  }

  private readonly nextTurn = (): void => {
    this.begunAt = undefined
    if (this.waiting.length === 0) return
    this.openTurn()
    this.giveNext()
  }

  private give(now: number): void {
    this.givenAt = now
    this.waiting.shift()?.()
  }

  private giveNext(): void {
    this.give(this.now())
    // After all that it does at once, promises included.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.waiting.length > 0 && !this.isSpent()) this.giveNext()
      }),
    )
  }
}

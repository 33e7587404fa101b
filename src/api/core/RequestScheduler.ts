/** How long the work of requests may take that begin in one turn of the event loop. */
const TURN_MS = 2
/** Connections often arrive together: after one, turns are shorter for a while. */
const CONNECTING_MS = 10
const SHORT_TURN_MS = 1
/** When to read and to refuse takes longer than that, work goes on in between, for about half of the time. */
const LONG_TURN_MS = 10
const EACH_MS = 0.5

/**
 * Spreads the work of requests over turns of the event loop. Node accepts one connection per turn and reads all pending requests. If each
 * request started when read, a turn would last as long as all of them together. New connections would queue in the kernel for one such
 * turn each, where requests are neither counted nor refused.
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

  /** Records a request that was read, accepted or not. Under a flood of requests a turn may never end. */
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

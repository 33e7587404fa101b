/** How long the work of requests may take that begin in one turn of the event loop. */
const TURN_MS = 2
/** After a connection there are probably more: for so long, one request begins in each turn. */
const CONNECTING_MS = 10

/**
 * Spreads the work of requests over turns of the event loop. Node accepts one connection in each turn, and reads what came on all others.
 * If each request began when it is read, a turn would be as long as all of them take; whoever connects would wait for as many turns as
 * there are others before him, unread, where no request is counted and none can be refused.
 */
export class WorkTurns {
  private readonly waiting: (() => void)[] = []
  /** When work began in this turn; `undefined`: none has. */
  private begunAt: number | undefined
  private connectedAt = Number.NEGATIVE_INFINITY

  noteConnection(): void {
    this.connectedAt = performance.now()
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
    this.begunAt = performance.now()
    setImmediate(this.nextTurn)
  }

  private isSpent(): boolean {
    const now = performance.now()
    return now - this.begunAt! >= TURN_MS || now - this.connectedAt < CONNECTING_MS
  }

  private readonly nextTurn = (): void => {
    this.begunAt = undefined
    if (this.waiting.length === 0) return
    this.openTurn()
    this.giveNext()
  }

  private giveNext(): void {
    this.waiting.shift()?.()
    // After all that it does at once, promises included.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.waiting.length > 0 && !this.isSpent()) this.giveNext()
      }),
    )
  }
}

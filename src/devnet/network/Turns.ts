import { NetworkClosedError } from './errors.ts'

/** Lets one piece of work on the chain happen at a time, in the order in which they came. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()
  private isOver = false

  get isClosed(): boolean {
    return this.isOver
  }

  /** Work whose turn has not come when the network is closed is refused. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.last.then(() => {
      this.expectOpen()
      return work()
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  expectOpen(): void {
    if (this.isOver) throw new NetworkClosedError('The network is closed.')
  }

  /** Resolves when the work that is under way is done; none follows it. */
  async close(): Promise<void> {
    this.isOver = true
    await this.last
  }
}

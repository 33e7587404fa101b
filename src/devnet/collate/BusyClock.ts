/** Measures for how long at least one of several overlapping pieces of work was under way. */
export class BusyClock {
  private running = 0
  private since = 0
  private total = 0

  get ms(): number {
    return this.total + (this.running > 0 ? performance.now() - this.since : 0)
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.running++ === 0) this.since = performance.now()
    try {
      return await work()
    } finally {
      if (--this.running === 0) this.total += performance.now() - this.since
    }
  }
}

/** Work under way that callers share. */
export class Flight<Work> {
  waiting = 0
  work!: Work
  private giveUp: AbortController | undefined
  private left: { readonly reason: unknown } | undefined

  /** No caller is left. */
  get isLeft(): boolean {
    return this.left !== undefined
  }

  /** Aborted when no caller is left; created on first use. */
  get signal(): AbortSignal {
    if (this.giveUp === undefined) {
      this.giveUp = new AbortController()
      if (this.left !== undefined) this.giveUp.abort(this.left.reason)
    }
    return this.giveUp.signal
  }

  abort(reason: unknown): void {
    this.left ??= { reason }
    this.giveUp?.abort(reason)
  }
}

/** Concurrent callers with the same key share one piece of work. */
export class SingleFlight<Work extends { readonly result: Promise<unknown> }> {
  private readonly flights = new Map<string, Flight<Work>>()

  /** Joins the work of a key, or starts it. A caller that stops waiting calls `leave`. */
  join(key: string, start: (flight: Flight<Work>) => Work): Flight<Work> {
    const flight = this.flights.get(key) ?? this.begin(key, start)
    flight.waiting++
    return flight
  }

  /** Aborts the work if no caller is left, and does not hand its failure to the next caller. */
  leave(key: string, flight: Flight<Work>, reason: unknown): void {
    if (--flight.waiting > 0) return
    this.forget(key, flight)
    flight.abort(reason)
  }

  isCurrent(key: string, flight: Flight<Work>): boolean {
    return this.flights.get(key) === flight
  }

  clear(): void {
    this.flights.clear()
  }

  private begin(key: string, start: (flight: Flight<Work>) => Work): Flight<Work> {
    const flight = new Flight<Work>()
    flight.work = start(flight)
    this.flights.set(key, flight)
    const forget = (): void => {
      this.forget(key, flight)
      // A Map that grows leaves its old table as garbage that still names the flight. Once such a table is in the old generation, minor
      // collections keep all that it leads to: let it lead to nothing.
      flight.work = undefined as never
    }
    flight.work.result.then(forget, forget)
    return flight
  }

  private forget(key: string, flight: Flight<Work>): void {
    if (this.isCurrent(key, flight)) this.flights.delete(key)
  }
}

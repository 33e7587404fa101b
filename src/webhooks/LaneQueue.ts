/** A delivery in memory, without its content. */
export type Queued = {
  readonly id: string
  readonly lane: string
  readonly isSpeculative: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Attempts since it was queued. */
  tries: number
  nextAttemptAt: number
}

/** Deliveries of an endpoint that wait, in the order of their lanes. Without an order each is a lane of its own. */
export class LaneQueue {
  readonly ordering: 'account' | 'none'
  readonly #lanes = new Map<string, Queued[]>()
  #size = 0

  constructor(ordering: LaneQueue['ordering']) {
    this.ordering = ordering
  }

  get size(): number {
    return this.#size
  }

  /** Adds a delivery at the end of its lane. */
  add(delivery: Queued): void {
    const key = this.#keyOf(delivery)
    const lane = this.#lanes.get(key)
    if (lane === undefined) this.#lanes.set(key, [delivery])
    else lane.push(delivery)
    this.#size++
  }

  find(delivery: Queued): Queued | undefined {
    return this.#lanes.get(this.#keyOf(delivery))?.find(({ id }) => id === delivery.id)
  }

  remove(delivery: Queued): void {
    const key = this.#keyOf(delivery)
    const lane = this.#lanes.get(key)
    const at = lane?.findIndex(({ id }) => id === delivery.id) ?? -1
    if (lane === undefined || at < 0) return
    lane.splice(at, 1)
    this.#size--
    if (lane.length === 0) this.#lanes.delete(key)
  }

  /** The first delivery of each lane: only these may be sent. */
  *heads(): Iterable<Queued> {
    for (const [first] of this.#lanes.values()) if (first !== undefined) yield first
  }

  /** The first of a lane that has been due for the longest time. */
  findMostOverdue(now: number): Queued | undefined {
    let oldest: Queued | undefined
    for (const first of this.heads()) {
      if (first.nextAttemptAt <= now && first.nextAttemptAt < (oldest?.nextAttemptAt ?? Number.POSITIVE_INFINITY))
        oldest = first
    }
    return oldest
  }

  #keyOf({ lane, id }: Queued): string {
    return this.ordering === 'account' ? lane : id
  }
}

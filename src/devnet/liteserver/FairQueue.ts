/** Work of one client. It never rejects. */
type Work = { readonly size: number; readonly run: () => Promise<void> }

export type FairQueueLimits = {
  /** Concurrent work, in all lanes and per lane. */
  readonly maxRunning: number
  readonly maxRunningOfLane: number
  /** Queued work: count and size per lane, total size. */
  readonly maxQueuedOfLane: number
  readonly maxQueuedSizeOfLane: number
  readonly maxQueuedSize: number
  /** Time slice for starting work before it yields to the event loop. */
  readonly sliceMs: number
}

/** The queue of one client, first in first out. */
export interface Lane {
  /** Adds work; returns false if the lane is full. An empty lane accepts work of any size. */
  add(size: number, run: () => Promise<void>): boolean
  /** Drops queued work. */
  close(): void
}

/** Round-robin scheduling between clients: a client with many requests does not delay the others. */
export class FairQueue {
  private readonly limits: FairQueueLimits
  private readonly ready = new Set<LaneQueue>()
  private running = 0
  private queuedSize = 0
  private isScheduled = false

  constructor(limits: FairQueueLimits) {
    this.limits = limits
  }

  openLane(): Lane {
    const lane = new LaneQueue()
    return {
      add: (size, run) => this.add(lane, { size, run }),
      close: () => {
        this.queuedSize -= lane.size
        lane.clear()
        this.ready.delete(lane)
      },
    }
  }

  private add(lane: LaneQueue, work: Work): boolean {
    const { maxQueuedOfLane, maxQueuedSizeOfLane, maxQueuedSize } = this.limits
    if (lane.length >= maxQueuedOfLane) return false
    if (lane.size > 0 && lane.size + work.size > maxQueuedSizeOfLane) return false
    if (this.queuedSize > 0 && this.queuedSize + work.size > maxQueuedSize) return false
    lane.push(work)
    this.queuedSize += work.size
    this.offer(lane)
    return true
  }

  private offer(lane: LaneQueue): void {
    if (lane.length === 0 || lane.running >= this.limits.maxRunningOfLane) return
    this.ready.add(lane)
    if (this.isScheduled || this.running >= this.limits.maxRunning) return
    this.isScheduled = true
    setImmediate(this.turn)
  }

  private readonly turn = (): void => {
    this.isScheduled = false
    const end = performance.now() + this.limits.sliceMs
    for (const lane of this.ready) {
      if (this.running >= this.limits.maxRunning) return
      // A set keeps insertion order: deleting and re-adding a lane moves it to the end.
      this.ready.delete(lane)
      this.begin(lane)
      if (performance.now() >= end) break
    }
    const [next] = this.ready
    if (next !== undefined) this.offer(next)
  }

  private begin(lane: LaneQueue): void {
    const { size, run } = lane.shift()
    this.queuedSize -= size
    this.running++
    lane.running++
    void run().finally(() => {
      this.running--
      lane.running--
      this.offer(lane)
      const [next] = this.ready
      if (next !== undefined) this.offer(next)
    })
    this.offer(lane)
  }
}

/** A FIFO queue without shifting the array each time. */
class LaneQueue {
  running = 0
  size = 0
  private works: Work[] = []
  private first = 0

  get length(): number {
    return this.works.length - this.first
  }

  push(work: Work): void {
    this.works.push(work)
    this.size += work.size
  }

  shift(): Work {
    const work = this.works[this.first++]!
    this.size -= work.size
    if (this.first === this.works.length) this.clear()
    else if (this.first > 1024) {
      this.works = this.works.slice(this.first)
      this.first = 0
    }
    return work
  }

  clear(): void {
    this.works = []
    this.first = 0
    this.size = 0
  }
}

/** A piece of work of one client. It does not reject. */
type Work = { readonly size: number; readonly run: () => Promise<void> }

export type TurnLimits = {
  /** Work that goes on at once, over all lanes and in one of them. */
  readonly maxRunning: number
  readonly maxRunningOfLane: number
  /** Work that waits for its turn in a lane, by number and by size, and over all lanes by size. */
  readonly maxQueuedOfLane: number
  readonly maxQueuedSizeOfLane: number
  readonly maxQueuedSize: number
  /** How long work is begun before everything else in the process gets its turn. */
  readonly sliceMs: number
}

/** The work of one client, in its order. */
export interface Lane {
  /** Takes a piece of work, or refuses it where too much waits already. A piece of any size is taken where nothing waits. */
  add(size: number, run: () => Promise<void>): boolean
  /** Forgets what has not begun. */
  close(): void
}

/** Lets the work of many clients go on by turns, one piece of each: who asks for much does not hold up the others. */
export class TurnQueue {
  private readonly limits: TurnLimits
  private readonly ready = new Set<LaneQueue>()
  private running = 0
  private queuedSize = 0
  private isScheduled = false

  constructor(limits: TurnLimits) {
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
      // A set keeps its order: taken out and put in again, a lane stands behind all others.
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

/** First in, first out, without moving what waits each time. */
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

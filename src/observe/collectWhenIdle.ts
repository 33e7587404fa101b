import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const WINDOW_MS = 10_000
/** Up to this share of a window that the thread is busy nobody waits for a collection. */
const IDLE_SHARE = 0.1
/** A collection costs time. So much more memory since the last one is worth it. */
const GROWN_BYTES = 24 << 20

/** The first takes the garbage. The second finds that nothing has allocated since, and gives back the space for new objects, too. */
const COLLECTIONS = 2

/** Tells when to collect: in the first idle windows after the start, and after the memory grew. */
export class IdleWatch {
  private due = COLLECTIONS
  private collectedBytes = 0

  /** Takes the share of a window that the thread was busy, and the memory that it holds. */
  isTime(share: number, bytes: number): boolean {
    if (bytes >= this.collectedBytes + GROWN_BYTES) this.due = COLLECTIONS
    if (this.due === 0 || share > IDLE_SHARE) return false
    this.due--
    return true
  }

  /** Takes the memory that is left after a collection. */
  collected(bytes: number): void {
    this.collectedBytes = bytes
  }
}

/** How much memory a process may take for garbage. */
export type GarbageLimits = {
  /** How much the heap, with buffers outside of it, may grow until V8 collects all of it. */
  readonly growthBytes: number
  /** The same in percent of what there is, at least. */
  readonly leastGrowthPercent: number
  /** The space for new objects grows up to here, and V8 collects it each time that it is full. V8's own limit is 32 MiB. */
  readonly youngBytes: number
}

/** Speed first. The space for new objects is what V8, or an option of Node.js, makes it. */
export const ordinaryGarbage: GarbageLimits = {
  growthBytes: 48 << 20,
  leastGrowthPercent: 25,
  youngBytes: Number.POSITIVE_INFINITY,
}

/** For a machine that has other work, too: half of that garbage, collected twice as often. */
export const littleGarbage: GarbageLimits = { growthBytes: 24 << 20, leastGrowthPercent: 12, youngBytes: 16 << 20 }

const MAX_GROWTH_PERCENT = 100

/**
 * How much the heap, with buffers outside of it, may grow until V8 collects all of it, in percent. V8 chooses 10 to 30 where little is
 * promoted: with long answers passing through, whose buffers count, that was a collection a second, each a pause of 10 to 40 ms. What a
 * process may grow by decides how often it collects, whatever it holds: one that holds much need not hold as much garbage, too.
 */
export const chooseGrowth = (usedBytes: number, { growthBytes, leastGrowthPercent } = ordinaryGarbage): number =>
  Math.min(MAX_GROWTH_PERCENT, Math.max(leastGrowthPercent, Math.round((100 * growthBytes) / usedBytes)))

/**
 * For how many collections V8 keeps the layout of objects of which none is left. With its own 2, an idle minute took the layouts of all
 * that only lives during a request, and with them the compiled code of what reads it: the next thousand requests took twice as long.
 */
const LAYOUT_COLLECTIONS = 1000

/**
 * Collects garbage when the thread is idle and has grown, and lets it grow until then. V8 collects as it allocates: a process without
 * work keeps the garbage of its busiest minute, in its heap and in buffers outside of it, for as long as it has no work. Returns a
 * function that stops this.
 */
export const collectWhenIdle = (limits = ordinaryGarbage, windowMs = WINDOW_MS): (() => void) => {
  letGrow(limits)
  setFlagsFromString(`--retain-maps-for-n-gc=${LAYOUT_COLLECTIONS}`)
  const watch = new IdleWatch()
  let isCollecting = false
  let before = performance.eventLoopUtilization()
  const holding = Number.isFinite(limits.youngBytes) ? setInterval(holdYoung, YOUNG_MS, limits).unref() : undefined
  const timer = setInterval(() => {
    letGrow(limits)
    if (isCollecting) watch.collected(readBytes())
    isCollecting = watch.isTime(performance.eventLoopUtilization(before).utilization, readBytes()) && beginCollection()
    before = performance.eventLoopUtilization()
  }, windowMs).unref()
  return () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--retain-maps-for-n-gc=2')
    setFlagsFromString('--semi-space-growth-factor=2')
    clearInterval(timer)
    clearInterval(holding)
  }
}

/** V8 begins to collect when buffers outside of its heap have grown by 64 MiB. */
const PRESSURE_BYTES = 80 << 20

/**
 * Has V8 begin a collection as it does by itself: step by step, with a pause of 10 to 20 ms at the end. The memory of the buffer is never
 * touched, so there is none. The function `gc` pauses for 90 to 150 ms, and keeps no layouts: with them goes the compiled code of nearly
 * all that answers a request, 190 functions, and the next thousand requests took twice as long.
 */
const beginCollection = (): boolean => {
  try {
    void new ArrayBuffer(PRESSURE_BYTES)
    return true
  } catch {
    // The system grants no such buffer. V8 collects when it has to.
    return false
  }
}

const letGrow = (limits: GarbageLimits): void => {
  const { heapUsed, external } = process.memoryUsage()
  setFlagsFromString(`--heap-growing-percent=${chooseGrowth(heapUsed + external, limits)}`)
}

/** V8 doubles the space for new objects, at most once a collection. It takes no other limit after its start. */
const YOUNG_MS = 50

/** The space is halved again where a process is idle, so this goes on. */
const holdYoung = ({ youngBytes }: GarbageLimits): void =>
  setFlagsFromString(`--semi-space-growth-factor=${readYoungBytes() < youngBytes ? 2 : 1}`)

const readYoungBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** The heap with its free pages, and buffers outside of it. */
const readBytes = (): number => {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

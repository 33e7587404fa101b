import { VmBusyError, VmClosedError } from './errors.ts'

/** How long slices may hold the thread before the event loop gets a turn. */
const TURN_MS = 1

type Work = { readonly advance: () => boolean; readonly fail: (error: unknown) => void }

/**
 * Runs that go on in short slices on the calling thread. The first slice is made at once, and nearly all runs end with it. The others
 * take turns, a millisecond of slices for each turn of the event loop.
 */
export class SliceQueue {
  private readonly maxWaiting: number
  private waiting: Work[] = []
  private isScheduled = false
  private isClosed = false
  done = 0
  /** Runs that were refused, given up or cut off. */
  failed = 0

  constructor(maxWaiting: number) {
    this.maxWaiting = maxWaiting
  }

  get length(): number {
    return this.waiting.length
  }

  /** The result of a run whose first slice is its last. */
  runOnce<T>(advance: () => T | undefined): T | undefined {
    if (this.isClosed) throw new VmClosedError('The virtual machine is closed.')
    const result = advance()
    if (result !== undefined) this.done++
    return result
  }

  /** Calls `advance`, which makes one slice, until it gives a result. */
  run<T>(advance: () => T | undefined, signal?: AbortSignal): T | Promise<T> {
    const first = this.runOnce(advance)
    if (first !== undefined) return first
    if (this.waiting.length >= this.maxWaiting) {
      this.failed++
      throw new VmBusyError(`${this.waiting.length} runs of the virtual machine are under way, the limit.`)
    }
    return new Promise<T>((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.failed++
        reject(error)
      }
      const go = (): boolean => {
        if (signal?.aborted === true) {
          fail(signal.reason)
          return true
        }
        try {
          const result = advance()
          if (result === undefined) return false
          this.done++
          resolve(result)
        } catch (error) {
          reject(error)
        }
        return true
      }
      this.waiting.push({ advance: go, fail })
      this.schedule()
    })
  }

  close(): void {
    this.isClosed = true
    const { waiting } = this
    this.waiting = []
    for (const { fail } of waiting) fail(new VmClosedError('The virtual machine was closed before this run had ended.'))
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(this.turn)
  }

  private readonly turn = (): void => {
    this.isScheduled = false
    const end = performance.now() + TURN_MS
    do {
      const work = this.waiting.shift()
      if (work === undefined) return
      if (!work.advance()) this.waiting.push(work)
    } while (performance.now() < end)
    if (this.waiting.length > 0) this.schedule()
  }
}

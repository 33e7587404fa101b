import { onAbort } from '../../../primitives/scheduling.ts'

type Job<T> = {
  readonly result: Promise<T>
  readonly giveUp: AbortController
  /** Of whoever began it, with whose means it is done. */
  readonly beganWith: AbortSignal
  waiting: number
}

/** Work that is done once for all who want the same at one time. It is given up when nobody waits for it any more. */
export class SharedWork<T> {
  private readonly jobs = new Map<string, Job<T>>()

  async run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const job = this.jobs.get(key) ?? this.start(key, signal, work)
    job.waiting++
    let leave: (() => void) | undefined
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(signal.reason)
        if (--job.waiting > 0) return
        this.forget(key, job)
        job.giveUp.abort(signal.reason)
      }
    })
    const stay = onAbort(signal, leave!)
    try {
      return await Promise.race([job.result, left])
    } catch (error) {
      if (signal.aborted || job.beganWith === signal || !job.beganWith.aborted) throw error
      // It failed because the one who began it has gone; that is nothing to us.
      return await this.run(key, signal, work)
    } finally {
      stay()
    }
  }

  private start(key: string, beganWith: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Job<T> {
    const giveUp = new AbortController()
    const job: Job<T> = { result: work(giveUp.signal), giveUp, beganWith, waiting: 0 }
    this.jobs.set(key, job)
    const forget = (): void => this.forget(key, job)
    job.result.then(forget, forget)
    return job
  }

  private forget(key: string, job: Job<T>): void {
    if (this.jobs.get(key) === job) this.jobs.delete(key)
  }
}

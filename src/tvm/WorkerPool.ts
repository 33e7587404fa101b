import type { Worker } from 'node:worker_threads'
import { readThreadMs } from '../observe/threads.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { onAbort } from '../primitives/scheduling.ts'
import { VmBusyError, VmClosedError, VmCrashedError, VmNotStartedError, VmTimeoutError } from './errors.ts'
import { type FromWorker, KEPT_CONFIGS, type ThreadTime, type VmAnswer, type VmJob } from './messages.ts'

/** Makes the job for a worker; `hasConfig` says whether that worker has a configuration already. */
export type Pack = (hasConfig: (key: string) => boolean) => VmJob

export type WorkerPoolOptions = {
  readonly size: number
  /** Runs that may wait besides those under way. */
  readonly maxQueue: number
  /** CPU time of a run, unless it says otherwise. Where the system does not tell, time from the moment a worker takes it. */
  readonly timeLimitMs: number
  /** A worker whose emulator has grown beyond this is replaced: its memory never shrinks. */
  readonly maxMemoryBytes: number
  readonly startWorker: () => Worker
  readonly onReady: (commit: string) => void
}

export type RunOptions = {
  readonly signal?: AbortSignal | undefined
  readonly timeLimitMs?: number | undefined
  /** Goes before all that wait, and is never refused for their number. */
  readonly isUrgent?: boolean | undefined
}

/** How a pool stands, for whoever watches it. */
export type WorkerPoolStats = {
  readonly threads: number
  readonly busy: number
  readonly waiting: number
  /** Runs that came to an answer so far, whatever it says. */
  readonly done: number
  /** Runs that did not: refused, ended, given up. */
  readonly failed: number
}

const START_LIMIT_MS = 60_000
/** The first runs of a thread compile the emulator as they go: they get more time. */
const FIRST_RUNS = 3
const FIRST_RUNS_FACTOR = 3
/** So many times its CPU time may pass on the wall before a run is ended all the same. */
const MAX_WALL_FACTOR = 30
/** How soon the CPU time of a run is read again at the earliest. */
const MIN_RECHECK_MS = 20
const KEPT_ERROR_OUTPUT = 500

type Task = {
  readonly pack: Pack
  readonly timeLimitMs: number
  readonly resolve: (answer: VmAnswer) => void
  readonly reject: (error: unknown) => void
}

/** A thread, what it is doing and what it has. */
class Member {
  readonly worker: Worker
  readonly configs = new LruCache<true>(KEPT_CONFIGS)
  isReady = false
  task: Task | undefined = undefined
  /** Handed over while the task is under way, so that the thread does not wait for this one between two of them. */
  next: Task | undefined = undefined
  timer: NodeJS.Timeout | undefined = undefined
  /** CPU time when the last run ended. */
  clock: ThreadTime | undefined = undefined
  runs = 0
  errorOutput = ''

  constructor(worker: Worker) {
    this.worker = worker
  }

  /** CPU time of the run under way; `undefined` where the system does not tell. */
  readRunMs(): number | undefined {
    const now = this.clock && readThreadMs(this.clock.thread)
    return now === undefined ? undefined : now - this.clock!.cpuMs
  }

  hasConfig(key: string): boolean {
    if (this.configs.find(key) === true) return true
    this.configs.set(key, true)
    return false
  }
}

/**
 * Threads that each do one run at a time and have at most one more lying ready. They are started when there is work for them. One that breaks down or takes too
 * long is replaced, and only the run it had is lost.
 */
export class WorkerPool {
  private readonly options: WorkerPoolOptions
  private readonly members = new Set<Member>()
  private readonly leaving = new Set<Promise<unknown>>()
  private queue: Task[] = []
  private isClosed = false
  private done = 0
  private failed = 0

  constructor(options: WorkerPoolOptions) {
    this.options = options
  }

  /** Starts all threads now instead of when they are needed. */
  startAll(): void {
    if (this.isClosed) return
    for (let count = this.members.size; count < this.options.size; count++) this.startMember()
  }

  get stats(): WorkerPoolStats {
    return {
      threads: this.members.size,
      busy: this.countMembers(({ task }) => task !== undefined),
      waiting: this.queue.length + this.countMembers(({ next }) => next !== undefined),
      done: this.done,
      failed: this.failed,
    }
  }

  async run(pack: Pack, options: RunOptions = {}): Promise<VmAnswer> {
    try {
      const answer = await this.answer(pack, options)
      this.done++
      return answer
    } catch (error) {
      this.failed++
      throw error
    }
  }

  private async answer(pack: Pack, { signal, timeLimitMs, isUrgent = false }: RunOptions): Promise<VmAnswer> {
    signal?.throwIfAborted()
    if (this.isClosed) throw new VmClosedError('The virtual machine is closed.')
    const { maxQueue, size } = this.options
    const running = this.countMembers(({ task }) => task !== undefined)
    const waiting = this.queue.length + this.countMembers(({ next }) => next !== undefined)
    if (!isUrgent && waiting >= maxQueue + size - running) {
      throw new VmBusyError(`${waiting} runs of the virtual machine are waiting, which is all that may.`)
    }
    let task: Task | undefined
    const answer = new Promise<VmAnswer>((resolve, reject) => {
      task = { pack, timeLimitMs: timeLimitMs ?? this.options.timeLimitMs, resolve, reject }
      if (isUrgent) this.queue.unshift(task)
      else this.queue.push(task)
    })
    // A run that is under way goes on to its end, but nobody waits for it.
    const abandon = (): void => {
      this.queue = this.queue.filter((waiting) => waiting !== task)
      task?.reject(signal?.reason)
    }
    const leave = signal && onAbort(signal, abandon)
    this.assign()
    try {
      return await answer
    } finally {
      leave?.()
    }
  }

  /** Ends all runs and threads. */
  async close(): Promise<void> {
    this.isClosed = true
    const error = new VmClosedError('The virtual machine was closed before this run had ended.')
    for (const member of this.members) this.dismiss(member, error)
    this.failQueue(error)
    await Promise.all(this.leaving)
  }

  private countMembers(matches: (member: Member) => boolean): number {
    let count = 0
    for (const member of this.members) if (matches(member)) count++
    return count
  }

  /** Gives waiting runs to idle threads, starts threads for those that remain, and lays the rest ready where it can. */
  private assign(): void {
    for (const member of this.members) {
      if (this.queue.length === 0) return
      if (!member.isReady || member.task !== undefined) continue
      const task = this.queue.shift()!
      this.begin(task, member)
      this.post(task, member)
    }
    let starting = this.countMembers(({ isReady }) => !isReady)
    for (; starting < this.queue.length && this.members.size < this.options.size; starting++) this.startMember()
    for (const member of this.members) {
      if (this.queue.length === 0) return
      if (!member.isReady || member.next !== undefined) continue
      member.next = this.queue.shift()!
      this.post(member.next, member)
    }
  }

  private begin(task: Task, member: Member): void {
    const { timeLimitMs } = task
    member.task = task
    member.next = undefined
    const limitMs = member.runs++ < FIRST_RUNS ? FIRST_RUNS_FACTOR * timeLimitMs : timeLimitMs
    const begun = performance.now()
    const check = (): void => {
      const usedMs = member.readRunMs() ?? limitMs
      if (usedMs < limitMs && performance.now() - begun < MAX_WALL_FACTOR * limitMs) {
        member.timer = setTimeout(check, Math.max(MIN_RECHECK_MS, limitMs - usedMs))
        return
      }
      this.dismiss(member, new VmTimeoutError(`A run of the virtual machine took longer than ${timeLimitMs} ms.`))
      this.assign()
    }
    member.timer = setTimeout(check, limitMs)
  }

  // Copied rather than transferred: what lies ready with a thread that breaks down is sent to another.
  private post(task: Task, member: Member): void {
    member.worker.postMessage(task.pack((key) => member.hasConfig(key)))
  }

  private startMember(): void {
    let worker: Worker
    try {
      worker = this.options.startWorker()
    } catch (cause) {
      this.failQueue(new VmNotStartedError('A thread for the virtual machine cannot be started.', { cause }))
      return
    }
    const member = new Member(worker)
    this.members.add(member)
    member.timer = setTimeout(() => this.fail(member, `it was not ready after ${START_LIMIT_MS} ms`), START_LIMIT_MS)
    worker.on('message', (message: FromWorker) => this.receive(member, message))
    worker.on('error', (error: Error) => this.fail(member, error.message, error))
    worker.on('exit', (exitCode) => this.fail(member, `its thread ended with exit code ${exitCode}`))
    worker.stdout.resume()
    worker.stderr.setEncoding('utf8').on('data', (text: string) => {
      member.errorOutput = (member.errorOutput + text).slice(-KEPT_ERROR_OUTPUT)
    })
  }

  private receive(member: Member, message: FromWorker): void {
    if (!this.members.has(member)) return
    switch (message.kind) {
      case 'ready':
        clearTimeout(member.timer)
        member.isReady = true
        member.clock = message.clock
        this.options.onReady(message.commit)
        break
      case 'answer': {
        clearTimeout(member.timer)
        const { task } = member
        member.task = undefined
        member.clock = message.clock
        task?.resolve(message.answer)
        if (message.memoryBytes > this.options.maxMemoryBytes) this.dismiss(member)
        else if (member.next !== undefined) this.begin(member.next, member)
        break
      }
      case 'crashed':
        this.fail(member, message.reason)
        return
    }
    this.assign()
  }

  /** A thread is lost. What it was doing fails; if it never got ready, so does all that waits, since the next one may not either. */
  private fail(member: Member, reason: string, cause?: unknown): void {
    if (!this.members.has(member)) return
    const output = member.errorOutput === '' ? '' : ` It wrote: ${member.errorOutput.trim()}`
    const error = member.isReady
      ? new VmCrashedError(`The virtual machine broke down under a run: ${reason}.${output}`, { cause })
      : new VmNotStartedError(`The virtual machine does not start: ${reason}.${output}`, { cause })
    this.dismiss(member, error)
    if (!member.isReady) this.failQueue(error)
    this.assign()
  }

  private failQueue(error: Error): void {
    const waiting = this.queue
    this.queue = []
    for (const { reject } of waiting) reject(error)
  }

  private dismiss(member: Member, error?: Error): void {
    clearTimeout(member.timer)
    this.members.delete(member)
    const leaving = member.worker.terminate().finally(() => this.leaving.delete(leaving))
    this.leaving.add(leaving)
    const { task, next } = member
    member.task = undefined
    member.next = undefined
    if (next !== undefined) this.queue.unshift(next)
    if (error !== undefined) task?.reject(error)
  }
}

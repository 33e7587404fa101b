import type { Worker } from 'node:worker_threads'
import type { Dialect } from '../../api/core/Interface.ts'
import type { SlowAnswer, SlowLane, SlowRequest } from '../../api/core/SlowLane.ts'
import type { V3Settings } from '../../api/v3/V3Context.ts'
import type { LayoutSet } from '../../contracts/layouts/definitions.ts'
import type { Logger } from '../../observe/Logger.ts'
import { startThread } from '../../observe/threads.ts'
import type { DatabaseSource } from '../../store/connect/Database.ts'

/** What the thread opens v3 with. */
export type SlowLaneStart = {
  readonly database: DatabaseSource
  /** Layouts beyond the built-in ones. */
  readonly layouts: LayoutSet | undefined
  readonly dialect: Dialect
  readonly settings: V3Settings
}

export type ToThread =
  | { readonly kind: 'answer'; readonly id: number; readonly request: SlowRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SlowAnswer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'log'; readonly level: 'warn' | 'error'; readonly message: string; readonly fields: object }

/** Requests that the thread works on at a time: while one waits for the database, another is written. */
const AT_ONCE = 2
const CLOSE_MS = 2000
/** A thread that failed is not started again sooner. */
const RESTART_MS = 1000
/** A thread without requests for so long is ended, and its memory is free. */
const IDLE_MS = 30_000

type Waiting = {
  readonly request: SlowRequest
  resolve(answer: SlowAnswer): void
  reject(error: Error): void
}

/** The slow lane of v3. The thread runs while there are long requests: a service without any pays nothing for it. */
export class SlowLaneThread implements SlowLane {
  private readonly findStart: () => SlowLaneStart | undefined
  private readonly logger: Logger
  private readonly idleMs: number
  private worker: Worker | undefined
  private isReady = false
  private isClosed = false
  private failedAt = Number.NEGATIVE_INFINITY
  private idle: NodeJS.Timeout | undefined
  private lastId = 0
  private readonly running = new Map<number, Waiting>()
  private queue: Waiting[] = []

  /** `findStart` gives nothing while the database is not open. */
  constructor(findStart: () => SlowLaneStart | undefined, logger: Logger, idleMs = IDLE_MS) {
    this.findStart = findStart
    this.logger = logger
    this.idleMs = idleMs
  }

  answer(request: SlowRequest, onEnd: (leave: () => void) => () => void): Promise<SlowAnswer> | undefined {
    this.open()
    if (this.worker === undefined) return undefined
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        resolve: (answer) => {
          stopWatching()
          resolve(answer)
        },
        reject,
      }
      const stopWatching = onEnd(() => this.cancel(waiting))
      this.queue.push(waiting)
      this.sendNext()
    })
  }

  /** Ends the thread and its connections. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idle)
    if (this.worker !== undefined) await endThread(this.worker)
  }

  private open(): void {
    if (this.worker !== undefined || this.isClosed || performance.now() - this.failedAt < RESTART_MS) return
    const start = this.findStart()
    if (start === undefined) return
    const worker = startThread({
      name: 'slow lane',
      entry: new URL('./slowLaneThread', import.meta.url),
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 64 },
    })
    this.worker = worker
    worker.on('message', (message: FromThread) => this.take(message))
    worker.on('error', (error) => this.logger.error('slow lane failed, restarting', { error }))
    worker.on('exit', () => {
      if (this.worker === worker) this.fail()
    })
  }

  private take(message: FromThread): void {
    if (message.kind === 'ready') {
      this.isReady = true
      for (let k = 0; k < AT_ONCE; k++) this.sendNext()
      return
    }
    if (message.kind === 'log') {
      this.logger[message.level](message.message, { ...message.fields })
      return
    }
    const waiting = this.running.get(message.id)
    this.running.delete(message.id)
    if (message.kind === 'answer') waiting?.resolve(message.answer)
    else waiting?.reject(new Error(message.reason))
    this.sendNext()
  }

  private sendNext(): void {
    if (!this.isReady || this.running.size >= AT_ONCE) return
    const waiting = this.queue.shift()
    if (waiting === undefined) {
      if (this.running.size === 0) this.waitIdle()
      return
    }
    clearTimeout(this.idle)
    this.lastId += 1
    this.running.set(this.lastId, waiting)
    this.post({ kind: 'answer', id: this.lastId, request: waiting.request })
  }

  /** Nobody waits for it any more. A running request keeps its slot until the thread says that it stopped. */
  private cancel(waiting: Waiting): void {
    this.queue = this.queue.filter((other) => other !== waiting)
    for (const [id, other] of this.running) if (other === waiting) this.post({ kind: 'cancel', id })
  }

  private waitIdle(): void {
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      const { worker } = this
      this.worker = undefined
      this.isReady = false
      if (worker !== undefined) void endThread(worker)
    }, this.idleMs).unref()
  }

  private fail(): void {
    const lost = [...this.running.values(), ...this.queue]
    this.worker = undefined
    this.isReady = false
    this.failedAt = performance.now()
    clearTimeout(this.idle)
    this.running.clear()
    this.queue = []
    for (const { reject } of lost) reject(new Error('The thread for long requests ended.'))
  }

  private post(message: ToThread): void {
    this.worker?.postMessage(message)
  }
}

/** Lets a thread close its connections. */
const endThread = async (worker: Worker): Promise<void> => {
  const exited = new Promise<void>((done) => worker.once('exit', () => done()))
  worker.postMessage({ kind: 'close' } satisfies ToThread)
  const timer = setTimeout(() => void worker.terminate(), CLOSE_MS)
  await exited
  clearTimeout(timer)
}

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Dialect } from '../../api/core/Interface.ts'
import type { AnswerHere, SlowAnswer, SlowLane, SlowRequest } from '../../api/core/SlowLane.ts'
import type { V3Settings } from '../../api/v3/V3Context.ts'
import type { LayoutSet } from '../../contracts/layouts/definitions.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { TelemetrySource } from '../../observe/Tracer.ts'
import { BYTES_FILE, startProcess } from '../../observe/threads.ts'
import type { DatabaseSource } from '../../store/connect/Database.ts'

/** What the process opens v3 with. */
export type SlowLaneStart = {
  readonly database: DatabaseSource
  /** Layouts beyond the built-in ones. */
  readonly layouts: LayoutSet | undefined
  readonly dialect: Dialect
  readonly settings: V3Settings
  readonly telemetry: TelemetrySource | undefined
}

/** Without a message the process closes its connections and ends when the channel is closed. */
export type ToLane =
  | { readonly kind: 'start'; readonly start: SlowLaneStart }
  | { readonly kind: 'answer'; readonly id: number; readonly request: SlowRequest }
  /** Its reader takes the next part. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }

/** An answer of the process. A long one has no `json`: its parts come through the pipe, each when its reader takes it. */
export type LaneAnswer = Pick<SlowAnswer, 'status' | 'headers' | 'bytes'> & { readonly json: Uint8Array | undefined }

export type FromLane =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: LaneAnswer }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'log'; readonly level: 'warn' | 'error'; readonly message: string; readonly fields: object }

/** Of a part in the pipe: the id of its answer and its length, 32 bits each. */
export const PART_HEADER_BYTES = 8

export type SlowLaneOptions = {
  readonly logger: Logger
  /** Gives nothing while the database is not open. */
  readonly findStart: () => SlowLaneStart | undefined
  /** A process without requests for so long is ended, and its memory is free. */
  readonly idleMs?: number
  /** Limit of its heap. */
  readonly heapMib?: number
}

/**
 * Requests that the process works on at a time: while one waits for the database, another is written. Where there are two cores, one of
 * them is left to short requests.
 */
export const AT_ONCE = availableParallelism() > 2 ? 2 : 1
const CLOSE_MS = 1500
/** A process that failed is not started again sooner. */
const RESTART_MS = 1000
const IDLE_MS = 30_000
const HEAP_MIB = 2048
const SEMI_SPACE_MIB = 16
/** Of a long answer, in memory here. */
const HIGH_WATER_BYTES = 128 * 1024
/** Of what a process printed before it failed. */
const LAST_WORDS = 1000

type Waiting = {
  readonly request: SlowRequest
  /** Its caller has left. */
  isLeft: boolean
  resolve(answer: SlowAnswer | AnswerHere): void
  reject(error: Error): void
}

/** The slow lane of v3. The process runs while there are long requests: a service without any pays nothing for it. */
export class SlowLaneProcess implements SlowLane {
  private readonly options: SlowLaneOptions
  private child: ChildProcess | undefined
  private isReady = false
  private isClosed = false
  private failedAt = Number.NEGATIVE_INFINITY
  private idle: NodeJS.Timeout | undefined
  private restart: NodeJS.Timeout | undefined
  private lastId = 0
  private readonly running = new Map<number, Waiting>()
  /** Answers of which the process still holds a part. */
  private readonly partial = new Map<number, PartialAnswer>()
  private queue: Waiting[] = []
  /** The service answers a request itself while the process starts. */
  private isAnsweredHere = false

  constructor(options: SlowLaneOptions) {
    this.options = options
  }

  answer(request: SlowRequest, onEnd: (leave: () => void) => () => void): Promise<SlowAnswer | AnswerHere> {
    this.open()
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        isLeft: false,
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

  /** Ends the process and its connections. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.idle)
    clearTimeout(this.restart)
    const { child } = this
    if (child !== undefined) await endProcess(child)
  }

  private open(): void {
    if (this.child !== undefined || this.isClosed || performance.now() - this.failedAt < RESTART_MS) return
    const start = this.options.findStart()
    if (start === undefined) return
    const { heapMib = HEAP_MIB } = this.options
    const child = startProcess({
      entry: new URL('./slowLaneProcess', import.meta.url),
      // Threads that collect garbage would take the other cores, too.
      flags: [`--max-old-space-size=${heapMib}`, `--max-semi-space-size=${SEMI_SPACE_MIB}`, '--single-threaded-gc'],
      isNice: true,
      sendsBytes: true,
    })
    this.child = child
    new PartReader((id) => this.partial.get(id)).read(child.stdio[BYTES_FILE] as Socket)
    let lastWords = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS)
    })
    child.on('message', (message) => this.take(message as FromLane))
    // A message may also fail because the process has just ended.
    child.on('error', (error) => {
      if (child.pid === undefined) this.fail(child, { error })
    })
    child.on('close', (code, signal) => this.fail(child, { code, signal, stderr: lastWords }))
    this.post({ kind: 'start', start })
  }

  private take(message: FromLane): void {
    if (message.kind === 'ready') {
      this.isReady = true
      for (let k = 0; k < AT_ONCE; k++) this.sendNext()
      return
    }
    if (message.kind === 'log') {
      this.options.logger[message.level](message.message, { ...message.fields })
      return
    }
    const waiting = this.running.get(message.id)
    this.running.delete(message.id)
    if (waiting?.isLeft === true) this.post({ kind: 'cancel', id: message.id })
    else if (message.kind === 'answer') waiting?.resolve(this.toAnswer(message.id, message.answer))
    else waiting?.reject(new Error(message.reason))
    this.sendNext()
  }

  private toAnswer(id: number, { status, headers, bytes, json }: LaneAnswer): SlowAnswer {
    if (json !== undefined) return { status, headers, bytes, json }
    const partial = new PartialAnswer(bytes, (kind) => this.post({ kind, id }))
    this.partial.set(id, partial)
    partial.on('close', () => {
      this.partial.delete(id)
      this.rest()
    })
    return { status, headers, bytes, json: partial }
  }

  private sendNext(): void {
    if (!this.isReady) {
      this.answerHere()
      return
    }
    if (this.running.size >= AT_ONCE) return
    const waiting = this.queue.shift()
    if (waiting === undefined) {
      this.rest()
      return
    }
    clearTimeout(this.idle)
    this.lastId += 1
    this.running.set(this.lastId, waiting)
    this.post({ kind: 'answer', id: this.lastId, request: waiting.request })
  }

  /** A start takes seconds on a busy machine, longer than callers wait. Until then the service answers one request at a time. */
  private answerHere(): void {
    if (this.isAnsweredHere || this.isReady) return
    const waiting = this.queue.shift()
    if (waiting === undefined) return
    this.isAnsweredHere = true
    const end = (): void => {
      this.isAnsweredHere = false
      this.answerHere()
    }
    waiting.resolve({ end })
  }

  /** Nobody waits for it any more. A running request keeps its slot until the process says that it stopped. */
  private cancel(waiting: Waiting): void {
    waiting.isLeft = true
    this.queue = this.queue.filter((other) => other !== waiting)
    for (const [id, other] of this.running) if (other === waiting) this.post({ kind: 'cancel', id })
  }

  private rest(): void {
    if (this.running.size > 0 || this.partial.size > 0) return
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      const { child } = this
      this.child = undefined
      this.isReady = false
      if (child !== undefined) void endProcess(child)
    }, this.options.idleMs ?? IDLE_MS).unref()
  }

  /** Fails what a process worked on that has ended. What waits is for the next process. */
  private fail(child: ChildProcess, fields: object): void {
    if (this.child !== child) return
    const lost = [...this.running.values()]
    this.child = undefined
    this.isReady = false
    this.failedAt = performance.now()
    clearTimeout(this.idle)
    this.running.clear()
    for (const { reject } of lost) reject(new Error('The process for long requests ended.'))
    for (const answer of this.partial.values()) answer.destroy()
    if (this.isClosed) {
      for (const { reject } of this.queue.splice(0)) reject(new Error('The service is closing.'))
      return
    }
    this.options.logger.error('slow lane failed, restarting', { ...fields })
    this.restart = setTimeout(() => {
      if (this.queue.length > 0) this.open()
    }, RESTART_MS).unref()
    this.answerHere()
  }

  private post(message: ToLane): void {
    this.child?.send(message)
  }
}

/** A long answer. The process holds what its reader has not taken yet. */
class PartialAnswer extends Readable {
  private readonly ask: (what: 'more' | 'cancel') => void
  private left: number
  /** Of the part that is on its way. */
  private coming = 0
  private isAsked = false

  constructor(bytes: number, ask: (what: 'more' | 'cancel') => void) {
    super({ highWaterMark: HIGH_WATER_BYTES })
    this.ask = ask
    this.left = bytes
  }

  begin(part: number): void {
    this.coming = part
  }

  add(bytes: Uint8Array): void {
    this.left -= bytes.length
    this.coming -= bytes.length
    if (this.coming === 0) this.isAsked = false
    this.push(bytes)
    if (this.left === 0) this.push(null)
  }

  override _read(): void {
    if (this.left === 0 || this.isAsked) return
    this.isAsked = true
    this.ask('more')
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.left > 0) this.ask('cancel')
    done(error)
  }
}

/**
 * Reads parts of answers from the pipe of a process. As messages they would be copied twice, and their garbage had V8 collect the whole heap
 * once for each 30 MB.
 */
class PartReader {
  private readonly find: (id: number) => PartialAnswer | undefined
  private readonly header = Buffer.alloc(PART_HEADER_BYTES)
  private headerBytes = 0
  private left = 0
  private answer: PartialAnswer | undefined

  constructor(find: (id: number) => PartialAnswer | undefined) {
    this.find = find
  }

  read(pipe: Socket): void {
    // What it worked on fails when the process ends.
    pipe.on('error', () => undefined)
    pipe.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; )
        at += this.left === 0 ? this.readHeader(bytes, at) : this.readPart(bytes, at)
    })
  }

  /** Returns how many bytes it has taken. */
  private readHeader(bytes: Buffer, at: number): number {
    const taken = bytes.copy(this.header, this.headerBytes, at)
    this.headerBytes += taken
    if (this.headerBytes < PART_HEADER_BYTES) return taken
    this.headerBytes = 0
    this.left = this.header.readUInt32LE(4)
    // Its reader may have left.
    this.answer = this.find(this.header.readUInt32LE(0))
    this.answer?.begin(this.left)
    return taken
  }

  private readPart(bytes: Buffer, at: number): number {
    const part = bytes.subarray(at, at + this.left)
    this.left -= part.length
    if (this.answer?.destroyed === false) this.answer.add(part)
    return part.length
  }
}

/** Lets a process close its connections. */
const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
  await exited
  clearTimeout(timer)
}

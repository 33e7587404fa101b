import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../observe/threads.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import type { DecodedBlockSet, RawBlock, RawBlockSet } from '../blockSets.ts'
import { SourceAnswerError } from '../sources/checkRawBlock.ts'
import { unpackBlockSet } from './decodeBlockSet.ts'
import { type DecodeAnswer, type DecodeJob, type JobOptions, transferRawBlockSet } from './decodeMessages.ts'
import { BlockUndecodableError, DecoderBusyError, DecoderClosedError, DecoderCrashedError } from './findTransactions.ts'
import type { DecoderStart } from './worker.ts'

const startDecoder = (workerData: DecoderStart): Worker =>
  startThread({
    name: 'decoder',
    entry: new URL('./worker', import.meta.url),
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 16 },
  })

export type DecodePoolOptions = {
  readonly size?: number
  /** Queue limit, besides block sets that a thread has. */
  readonly maxWaiting?: number
  /** Time limit of one block set in its thread. */
  readonly timeLimitMs?: number
  /** Keys of the watched accounts, if not all: see decodeBlockSet. */
  readonly watched?: readonly Uint8Array[] | undefined
  readonly startThread?: () => Worker
}

// Leaves one core for fetching and writing.
const DEFAULT_SIZE = Math.max(1, Math.min(4, availableParallelism() - 1))
const DEFAULT_WAITING = 1024
const DEFAULT_TIME_LIMIT_MS = 120_000
/** Tasks per thread: the next one is at hand when one is done, even while the main thread is busy. */
const PER_THREAD = 6

type Handed = { readonly job: DecodeJob; readonly buffers: ArrayBuffer[] }

type Task = {
  /** Called when a thread takes the task; again if that thread crashed before, if the bytes are still there. */
  readonly hand: () => Handed
  readonly isRepeatable: boolean
  readonly resolve: (answer: DecodeAnswer) => void
  readonly reject: (error: unknown) => void
}

class Member {
  readonly thread: Worker
  isReady = false
  /** Results come in the order of the tasks. */
  readonly tasks: Task[] = []
  timer: NodeJS.Timeout | undefined = undefined

  constructor(thread: Worker) {
    this.thread = thread
  }
}

/** Decodes block sets in threads, started on demand. A crashed thread is replaced, and only its block set fails. */
export class DecodePool {
  private readonly size: number
  private readonly maxWaiting: number
  private readonly timeLimitMs: number
  private readonly startThread: () => Worker
  private readonly members = new Set<Member>()
  private readonly leaving = new Set<Promise<unknown>>()
  private queue: Task[] = []
  private isClosed = false

  constructor(options: DecodePoolOptions = {}) {
    this.size = options.size ?? DEFAULT_SIZE
    this.maxWaiting = options.maxWaiting ?? DEFAULT_WAITING
    this.timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS
    this.startThread = options.startThread ?? (() => startDecoder({ watched: options.watched }))
  }

  /** See {@link decodeBlockSet}. The bytes are copied, unless the block set says that they may be transferred. */
  async decode(blockSet: RawBlockSet, signal?: AbortSignal, options: JobOptions = {}): Promise<DecodedBlockSet> {
    const hand = (): Handed => {
      const { blockSet: handed, buffers } = transferRawBlockSet(blockSet)
      return { job: { kind: 'blockSet', blockSet: handed, options }, buffers }
    }
    const answer = await this.ask({ hand, isRepeatable: blockSet.isOwn !== true }, signal)
    if (answer.kind === 'undecodable') throw new BlockUndecodableError(answer.block, answer.reason)
    if (answer.kind !== 'decoded') throw new TypeError('A decoder thread returned an unexpected result.')
    return unpackBlockSet(answer.blockSet)
  }

  /** See {@link checkRootHash}. */
  async checkRoot({ id, bytes }: RawBlock, signal?: AbortSignal): Promise<void> {
    const hand = (): Handed => {
      const copy = bytes.slice()
      return { job: { kind: 'root', block: { id, bytes: copy } }, buffers: [copy.buffer] }
    }
    const answer = await this.ask({ hand, isRepeatable: true }, signal)
    if (answer.kind !== 'root') throw new TypeError('A decoder thread returned an unexpected result.')
    if (answer.problem !== undefined) throw new SourceAnswerError(answer.problem)
  }

  private async ask(
    { hand, isRepeatable }: Pick<Task, 'hand' | 'isRepeatable'>,
    signal: AbortSignal | undefined,
  ): Promise<DecodeAnswer> {
    signal?.throwIfAborted()
    if (this.isClosed) throw new DecoderClosedError('The decoder is closed.')
    if (this.queue.length >= this.maxWaiting) {
      throw new DecoderBusyError(`The decoder queue is full: ${this.queue.length} block sets are waiting.`)
    }
    const { promise, resolve, reject } = createDeferred<DecodeAnswer>()
    const task: Task = { hand, isRepeatable, resolve, reject }
    // A task that a thread has is finished there, and its result ignored.
    const abandon = (): void => {
      this.queue = this.queue.filter((waiting) => waiting !== task)
      reject(signal?.reason)
    }
    this.queue.push(task)
    const leave = signal && onAbort(signal, abandon)
    this.assign()
    try {
      return await promise
    } finally {
      leave?.()
    }
  }

  /** Stops all threads; remaining tasks fail. */
  async close(): Promise<void> {
    this.isClosed = true
    const error = new DecoderClosedError('The decoder was closed before this block set was decoded.')
    const waiting = this.queue
    this.queue = []
    for (const { reject } of waiting) reject(error)
    for (const member of this.members) for (const { reject } of this.dismiss(member)) reject(error)
    await Promise.all(this.leaving)
  }

  private assign(): void {
    for (let depth = 1; depth <= PER_THREAD; depth++) {
      for (const member of this.members) {
        if (this.queue.length === 0) return
        if (member.isReady && member.tasks.length < depth) this.give(member, this.queue.shift()!)
      }
      if (depth === 1) this.startMembers()
    }
  }

  /** Starts threads for the queue, besides those that are starting. */
  private startMembers(): void {
    let starting = 0
    for (const { isReady } of this.members) if (!isReady) starting++
    for (; starting < this.queue.length && this.members.size < this.size; starting++) this.startMember()
  }

  private give(member: Member, task: Task): void {
    const { job, buffers } = task.hand()
    member.thread.postMessage(job, buffers)
    member.tasks.push(task)
    if (member.tasks.length === 1) this.startTimer(member)
  }

  private startTimer(member: Member): void {
    member.timer = setTimeout(() => this.fail(member, `it took longer than ${this.timeLimitMs} ms`), this.timeLimitMs)
  }

  private startMember(): void {
    const member = new Member(this.startThread())
    this.members.add(member)
    member.thread.on('message', (answer: DecodeAnswer) => this.receive(member, answer))
    let error: Error | undefined
    member.thread.on('error', (thrown: Error) => {
      error = thrown
    })
    // Only now all its results have been received, and the task that crashed it is the first without one.
    member.thread.on('exit', (exitCode) => {
      this.fail(member, error?.message ?? `its thread ended with exit code ${exitCode}`, error)
    })
    this.startTimer(member)
  }

  private receive(member: Member, answer: DecodeAnswer): void {
    if (!this.members.has(member)) return
    clearTimeout(member.timer)
    if (answer.kind === 'ready') member.isReady = true
    else {
      const task = member.tasks.shift()!
      task.resolve(answer)
      if (member.tasks.length > 0) this.startTimer(member)
    }
    this.assign()
  }

  /** Handles a lost thread. Its current block set fails; the next ones go to another thread, unless none can be started. */
  private fail(member: Member, reason: string, cause?: unknown): void {
    if (!this.members.has(member)) return
    const error = new DecoderCrashedError(`A decoder thread crashed: ${reason}.`, { cause })
    const [first, ...rest] = this.dismiss(member)
    for (const task of rest) if (!task.isRepeatable) task.reject(error)
    this.queue.unshift(...rest.filter(({ isRepeatable }) => isRepeatable))
    if (member.isReady) first?.reject(error)
    else {
      const waiting = this.queue
      this.queue = []
      for (const { reject } of waiting) reject(error)
    }
    this.assign()
  }

  /** Removes a thread and returns its tasks. */
  private dismiss(member: Member): readonly Task[] {
    clearTimeout(member.timer)
    this.members.delete(member)
    const leaving = member.thread.terminate().finally(() => this.leaving.delete(leaving))
    this.leaving.add(leaving)
    return member.tasks.splice(0)
  }
}

type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void }

const createDeferred = <T>(): Deferred<T> => {
  const deferred: Partial<Deferred<T>> = {}
  deferred.promise = new Promise<T>((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred as Deferred<T>
}

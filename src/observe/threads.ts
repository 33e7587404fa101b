import { type ChildProcess, fork } from 'node:child_process'
import { openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Threads do not inherit the TypeScript loader that was registered at run time, so each registers it again. */
const READ_TYPESCRIPT = `
  const { loader, entry } = require('node:worker_threads').workerData
  import(loader).then(({ register }) => { register(); return import(entry) })
`

export type ThreadStart = Pick<WorkerOptions, 'name' | 'resourceLimits' | 'stdout' | 'stderr'> & {
  /** The module to run, without its extension: `new URL('./thread', import.meta.url)`. */
  readonly entry: URL
  readonly workerData: object
}

/** Starts a worker thread from a module of ours: TypeScript in a clone, compiled in an installed package. docs/decisions/0002 */
export const startThread = ({ entry, workerData, ...start }: ThreadStart): Worker => {
  const extension = extname(new URL(import.meta.url).pathname)
  // Without the flags of the process, which may not apply to a thread.
  const options: WorkerOptions = { ...start, execArgv: [] }
  const module = `${entry.href}${extension}`
  if (extension !== '.ts') return new Worker(new URL(module), { ...options, workerData })
  return new Worker(READ_TYPESCRIPT, {
    ...options,
    eval: true,
    workerData: { ...workerData, loader: import.meta.resolve('tsx/esm/api'), entry: module },
  })
}

export type ProcessStart = {
  /** The module to run, without its extension: `new URL('./process', import.meta.url)`. */
  readonly entry: URL
  /** Flags of Node.js for it. */
  readonly flags: readonly string[]
  /** Starts it at a lower priority, which it lowers further by itself once it is loaded. */
  readonly isNice: boolean
  /** Gives it a pipe for bytes besides the channel for messages: {@link BYTES_FILE}. */
  readonly sendsBytes?: boolean
}

/** The file descriptor of that pipe in the process, and its place in `stdio` of the caller. */
export const BYTES_FILE = 4

/**
 * Starts a process from a module of ours, like {@link startThread}. It answers to messages and ends when the channel is closed. What it
 * prints to stderr is for the caller.
 */
export const startProcess = ({ entry, flags, isNice, sendsBytes = false }: ProcessStart): ChildProcess => {
  const extension = extname(new URL(import.meta.url).pathname)
  const loader = extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : []
  const child = fork(fileURLToPath(`${entry.href}${extension}`), {
    execArgv: [...flags, ...loader],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(sendsBytes ? ['pipe' as const] : [])],
  })
  // Its first thread, before there are others, which inherit the priority.
  if (isNice && child.pid !== undefined) setNiceness(child.pid, getPriority() + NICENESS_STEP)
  return child
}

const NICENESS_STEP = 5
const MAX_NICENESS = 19

/** The nicer a process or thread, the later its turn when all cores are busy. */
const setNiceness = (id: number, niceness: number): void => {
  try {
    setPriority(id, Math.min(MAX_NICENESS, niceness))
  } catch {
    // It has ended, or the system forbids it. All then compete as equals.
  }
}

/** Lets other processes go before this one, with all its threads, when all cores are busy. */
export const lowerProcessPriority = (): void => {
  setNiceness(process.pid, getPriority(process.pid) + NICENESS_STEP)
  sharePriority(process.pid)
}

/** Gives all threads of a process the priority of the first thread of this one. */
export const sharePriority = (id: number): void => {
  const niceness = getPriority(process.pid)
  for (const thread of listThreads(id)) setNiceness(thread, niceness)
}

/** Linux keeps a priority for each thread; other systems keep one for the process. */
const listThreads = (id: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${id}/task`).map(Number)
  } catch {
    return [id]
  }
}

/** The number that the system gave to the calling thread. Only Linux tells it. */
const findThread = (): number | undefined => {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    return Number.isInteger(thread) ? thread : undefined
  } catch {
    return undefined
  }
}

/** Lets other threads go before the calling one when all cores are busy. */
export const lowerPriority = (): void => {
  const thread = findThread()
  if (thread !== undefined) setNiceness(thread, getPriority(process.pid) + NICENESS_STEP)
}

/** CPU time of the thread that opened it. */
export type ThreadClock = {
  /** Number of the thread in the system, by which others can read its clock. */
  readonly thread: number
  /** Milliseconds since the thread began. */
  readMs(): number
}

/**
 * `undefined` where the system does not tell: only Linux does. Time limits count CPU time, because a busy machine makes any run
 * long by the clock on the wall, and then harmless code would be taken for harmful.
 */
export const openThreadClock = (): ThreadClock | undefined => {
  const thread = findThread()
  if (thread === undefined) return undefined
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const text = Buffer.alloc(64)
    const readMs = (): number => parseMs(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)))
    return readMs() >= 0 ? { thread, readMs } : undefined
  } catch {
    return undefined
  }
}

/** CPU time of another thread of this process, in milliseconds. */
export const readThreadMs = (thread: number): number | undefined => {
  try {
    return parseMs(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1'))
  } catch {
    return undefined
  }
}

const NANOSECONDS = 1e6

const parseMs = (text: string): number => Number.parseInt(text, 10) / NANOSECONDS

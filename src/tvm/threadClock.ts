import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { setPriority } from 'node:os'

/** CPU time of the thread that opened it. */
export type ThreadClock = {
  /** Number of the thread in the system, by which others can read its clock. */
  readonly thread: number
  /** Milliseconds since the thread began. */
  readMs(): number
}

const NANOSECONDS = 1e6

/**
 * `undefined` where the system does not tell: only Linux does. Time limits count CPU time, because a busy machine makes any run
 * long by the clock on the wall, and then harmless code would be taken for harmful.
 */
export const openThreadClock = (): ThreadClock | undefined => {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const text = Buffer.alloc(64)
    const readMs = (): number => parseMs(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)))
    return Number.isInteger(thread) && readMs() >= 0 ? { thread, readMs } : undefined
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

/** Lets all other threads go first. The system calls that niceness. */
export const lowerPriority = (thread: number): void => {
  try {
    setPriority(thread, 5)
  } catch {
    // Some systems do not let a process do that. Runs then compete as equals.
  }
}

const parseMs = (text: string): number => Number.parseInt(text, 10) / NANOSECONDS

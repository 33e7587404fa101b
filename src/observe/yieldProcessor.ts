import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Who has it gets a quarter of a processor that somebody else wants, too, and all of one that nobody wants. */
const NICENESS = 5

/**
 * Lets others go first where there is not enough of the processor for all: a process on this machine, or the thread that calls. It
 * cannot be taken back. Nothing happens where the system does not have it, or does not let us.
 */
export const yieldProcessor = (pid?: number): void => {
  try {
    setPriority(pid ?? ownThread(), NICENESS)
  } catch {
    // It is a courtesy.
  }
}

/** Threads have numbers like processes, and a niceness of their own, on Linux. */
const ownThread = (): number => {
  const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  // 0 is whoever calls: on other systems the process, with those in it who are not to go second.
  if (!Number.isSafeInteger(number) || number <= 0) throw new TypeError('The thread has no number.')
  return number
}

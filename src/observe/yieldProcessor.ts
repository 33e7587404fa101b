import { setPriority } from 'node:os'

/** Who has it gets a quarter of a processor that somebody else wants, too, and all of one that nobody wants. */
const NICENESS = 5

/**
 * Lets others go before a process on this machine where there is not enough of the processor for all. It cannot be taken back.
 * Nothing happens where the system does not let us.
 */
export const yieldProcessor = (pid: number): void => {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It is a courtesy.
  }
}

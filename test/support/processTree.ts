import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process started. Linux tells. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  )

/** The command line of a process, or the title that it gave itself. */
export const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'latin1')

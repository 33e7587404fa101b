import { readFileSync } from 'node:fs'
import { systemCode } from './errors.ts'

/** Whether a process is there and doing something. One that has ended and was not collected by its parent counts as gone. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false
  }
  return readStat(pid)?.state !== 'Z'
}

/** When a process started, in ticks since the system did; empty where that cannot be known. */
export const findStart = (pid: number): string => readStat(pid)?.start ?? ''

const readStat = (pid: number): { readonly state: string; readonly start: string } | undefined => {
  try {
    // The second field is a name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return { state: fields[0] ?? '', start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

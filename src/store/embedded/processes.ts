import { readFileSync } from 'node:fs'
import { systemCode } from './errors.ts'

/** Ended and not yet collected, or just being so. */
const GONE_STATES: readonly string[] = ['Z', 'X', 'x']

/** Whether a process is there and doing something. One that has ended and was not collected by its parent counts as gone. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false
  }
  const stat = readStat(pid)
  // It may have gone in between. Where there is no such file for anybody, the signal has to do.
  return stat === undefined ? process.platform !== 'linux' : !GONE_STATES.includes(stat.state)
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

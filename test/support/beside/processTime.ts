import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that a process and all that it started have used, in milliseconds; only on Linux. */
export const readCpuMs = (pid: number): number => {
  const all = [pid]
  const children = listChildren()
  for (const each of all) all.push(...(children.get(each) ?? []))
  return all.reduce((sum, each) => sum + readOwnCpuMs(each), 0)
}

export const canReadCpu = (): boolean => Number.isFinite(readOwnCpuMs(process.pid)) && readOwnCpuMs(process.pid) > 0

/** Threads have nanoseconds; the sum for a process counts hundredths of a second, which is too coarse for a short round. */
const readOwnCpuMs = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1e6
    }, 0)
  } catch {
    // A thread that ended meanwhile, or no such process.
    return readTicks(pid)
  }
}

const TICK_MS = 10

const readTicks = (pid: number): number => {
  const fields = readStat(pid)
  return fields === undefined ? 0 : TICK_MS * (Number(fields[11]) + Number(fields[12]))
}

/** The fields after the name of the program, which may hold blanks. */
const readStat = (pid: number): readonly string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const listChildren = (): ReadonlyMap<number, readonly number[]> => {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(readStat(Number(name))?.[1] ?? 0)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  return children
}

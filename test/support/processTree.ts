import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process started. Linux tells. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  )

/** The command line of a process, or the title that it gave itself. */
export const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'latin1')

/** A file of a process, which may have ended. */
export const readProcess = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Clock ticks of Linux, in ms. */
const TICK_MS = 10

/** The fields of a process behind its name, which may hold anything: its state is the first. */
const fieldsOf = (pid: number): string[] => {
  const stat = readProcess(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** The process that started another. */
export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1])

/** Processor time of a process and those that it started, ended ones too. Only Linux tells. */
export const readTreeCpuMs = (pid: number): number => {
  const ticksOf = (process: number, fields: readonly number[]): number => {
    const values = fieldsOf(process)
    return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0)
  }
  const live = childrenOf(pid).reduce((sum, child) => sum + ticksOf(child, [11, 12]), 0)
  return (ticksOf(pid, [11, 12, 13, 14]) + live) * TICK_MS
}

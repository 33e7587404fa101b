import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTENING = '0A'
const MAX_COMMAND = 80

/** The process that listens on a TCP port. Only Linux tells, and only of processes of the same user. */
export const findListener = (port: number): number | undefined => {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => listSockets(path, port)))
  if (sockets.size === 0) return undefined
  return listNames('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => listNames(`/proc/${pid}/fd`).some((name) => sockets.has(readLink(`/proc/${pid}/fd/${name}`))))
}

/** Listening sockets of a port, as the files of a process name them. */
const listSockets = (path: string, port: number): string[] => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return read(path)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === LISTENING)
    .map((fields) => `socket:[${fields[9]}]`)
}

/** A process as a person knows it: its number and, where the system tells, its command line. */
export const describeProcess = (pid: number): string => {
  const command = read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()
  const shown = command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND - 1)}…` : command
  return shown === '' ? `process ${pid}` : `process ${pid} (${shown})`
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const readLink = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { isAlive } from './processes.ts'
import type { ServerFolder } from './ServerFolder.ts'

/** A running server, as it describes itself in its data folder. */
export type Postmaster = {
  readonly pid: number
  readonly port: number
  /** Whether it listens on a socket in our folder; otherwise on a port of this machine. */
  readonly onSocket: boolean
  readonly status: string
}

const PID_LINE = 0
const PORT_LINE = 3
const SOCKETS_LINE = 4
const STATUS_LINE = 7

export const readPostmaster = (folder: ServerFolder): Postmaster | undefined => {
  const lines = readLines(folder)
  const [pid, port] = [Number(lines[PID_LINE]), Number(lines[PORT_LINE])]
  if (!Number.isSafeInteger(pid) || pid <= 1 || !Number.isSafeInteger(port) || port < 1) return undefined
  const onSocket = (lines[SOCKETS_LINE] ?? '').trim() !== ''
  return { pid, port, onSocket, status: (lines[STATUS_LINE] ?? '').trim() }
}

/**
 * The server that runs on our data, if there is one. Its number alone proves nothing: in a container the same few numbers are
 * given again and again. A server that answers on our socket counts whatever its number says: it may run in another container.
 */
export const findRunning = async (folder: ServerFolder): Promise<Postmaster | undefined> => {
  const postmaster = readPostmaster(folder)
  if (postmaster === undefined) return undefined
  if (isAlive(postmaster.pid) && worksIn(postmaster.pid, folder.data) === true) return postmaster
  return (await answers(socketOf(postmaster, folder))) ? postmaster : undefined
}

/**
 * The server on our data as far as it is a process that we can see, and signal. Where somebody has removed the folder, it can still
 * be known by the number that it had.
 */
export const findLocal = (folder: ServerFolder, formerPid?: number): { readonly pid: number } | undefined => {
  const pid = readPostmaster(folder)?.pid
  if (pid !== undefined) return isAlive(pid) && worksIn(pid, folder.data) !== false ? { pid } : undefined
  return formerPid !== undefined && worksIn(formerPid, `${folder.data} (deleted)`) ? { pid: formerPid } : undefined
}

/**
 * A stale file whose number now belongs to some other process would keep the server from starting. Another number, which no process
 * has, takes its place; the rest stays, by which the server sees whether processes of the old one are still there.
 */
export const disownStaleFile = (folder: ServerFolder): void => {
  const lines = readLines(folder)
  const pid = Number(lines[PID_LINE])
  if (lines.length < 2 || !isAlive(pid)) return
  writeFileSync(pathOf(folder), [String(NO_PROCESS), ...lines.slice(1)].join('\n'))
}

const NO_PROCESS = 2 ** 31 - 1

const pathOf = (folder: ServerFolder): string => join(folder.data, 'postmaster.pid')

const readLines = (folder: ServerFolder): string[] => {
  try {
    return readFileSync(pathOf(folder), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** A server works in its data folder. `undefined` where the system does not tell. */
const worksIn = (pid: number, data: string): boolean | undefined => {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return false
  }
}

type Address = { readonly path: string } | { readonly host: string; readonly port: number }

const socketOf = ({ onSocket, port }: Postmaster, folder: ServerFolder): Address =>
  onSocket ? { path: join(folder.sockets, `.s.PGSQL.${port}`) } : { host: '127.0.0.1', port }

const ANSWER_MS = 2000

/** Whether somebody takes a connection. On a port that may be anybody, so only our own socket counts. */
const answers = (address: Address): Promise<boolean> => {
  if (!('path' in address) && process.platform === 'linux') return Promise.resolve(false)
  return new Promise((done) => {
    const socket = connect(address, () => finish(true))
    const finish = (result: boolean): void => {
      socket.destroy()
      done(result)
    }
    socket.setTimeout(ANSWER_MS, () => finish(false)).on('error', () => finish(false))
  })
}

import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { EmbeddedServerError, reasonOf, systemCode } from '../errors.ts'
import { canReach, chooseIdentity, type Identity } from './programs.ts'

/** The paths of one embedded server, and how the server itself reaches them. */
export type ServerFolder = {
  readonly root: string
  readonly data: string
  /** A data folder that is not complete yet. */
  readonly newData: string
  readonly sockets: string
  readonly password: string
  readonly log: string
  readonly lock: string
  readonly users: string
  readonly identity: Identity | undefined
  /** Prefix of the paths that the server is given. */
  readonly serverRoot: string
  /** The opened folder, passed to the server as descriptor 3 if the server's user cannot reach its path. */
  readonly descriptors: readonly number[]
  close(): void
}

/**
 * Prepares the folder. A server that runs as another user may not be able to reach it, for example in root's home; then it is
 * given an open descriptor of the folder and reaches its contents through that.
 */
export const openServerFolder = (folder: string): ServerFolder => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const root = realpathSync(folder)
    const data = join(root, 'data')
    const identity = chooseIdentity(data)
    const sockets = join(root, 'run')
    mkdirSync(sockets, { recursive: true, mode: 0o700 })
    if (identity !== undefined) {
      chmodSync(root, 0o711)
      chownSync(sockets, identity.uid, identity.gid)
    }
    const isOpen = identity === undefined || canReach(root, identity)
    if (!isOpen && process.platform !== 'linux') {
      throw new EmbeddedServerError(
        `PostgreSQL does not run as root, and the user as whom it would run is not let through to ${root}. Choose another --data-dir, or run the program as another user.`,
      )
    }
    const descriptors = isOpen ? [] : [openSync(root, 'r')]
    return {
      root,
      data,
      newData: join(root, 'data.new'),
      sockets,
      password: join(root, 'password'),
      log: join(root, 'server.log'),
      lock: join(root, 'lock'),
      users: join(root, 'users'),
      identity,
      serverRoot: isOpen ? root : '/proc/self/fd/3',
      descriptors,
      close: () => descriptors.forEach(closeSync),
    }
  } catch (cause) {
    if (cause instanceof EmbeddedServerError) throw cause
    throw new EmbeddedServerError(`The folder ${folder} cannot be prepared for a database: ${reasonOf(cause)}.`, {
      cause,
    })
  }
}

/** Zombie or dead. */
const GONE_STATES: readonly string[] = ['Z', 'X', 'x']

/** Whether a process is running. A zombie counts as ended. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false
  }
  const stat = readStat(pid)
  // The process may have ended in between. Without /proc, the signal has to do.
  return stat === undefined ? process.platform !== 'linux' : !GONE_STATES.includes(stat.state)
}

/** Start time of a process, in ticks since boot; empty if unknown. */
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

/** A running server, as its postmaster.pid describes it. */
export type Postmaster = {
  readonly pid: number
  readonly port: number
  /** Whether it listens on a Unix socket in our folder; otherwise on a local TCP port. */
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
 * The server that runs on our data, if any. Its pid alone proves nothing: containers reuse the same few pids. A server that
 * answers on our socket counts whatever its pid: it may run in another container.
 */
export const findRunning = async (folder: ServerFolder): Promise<Postmaster | undefined> => {
  const postmaster = readPostmaster(folder)
  if (postmaster === undefined) return undefined
  if (isAlive(postmaster.pid) && worksIn(postmaster.pid, folder.data) === true) return postmaster
  return (await answers(socketOf(postmaster, folder))) ? postmaster : undefined
}

/**
 * The server on our data if it is a process that we can see and signal. If the folder was removed, its former pid still
 * identifies it.
 */
export const findLocal = (folder: ServerFolder, formerPid?: number): { readonly pid: number } | undefined => {
  const pid = readPostmaster(folder)?.pid
  if (pid !== undefined) return isAlive(pid) && worksIn(pid, folder.data) !== false ? { pid } : undefined
  return formerPid !== undefined && worksIn(formerPid, `${folder.data} (deleted)`) ? { pid: formerPid } : undefined
}

/**
 * A stale postmaster.pid whose pid now belongs to another process would keep the server from starting. The pid is replaced by an
 * unused one; the rest stays, since the server uses it to detect leftover processes.
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

/** Whether the process has the data folder as its working directory. `undefined` if the system does not tell. */
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

/** Whether the server accepts connections. A port could belong to any process, so only our own socket counts. */
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

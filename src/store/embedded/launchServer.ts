import { spawn } from 'node:child_process'
import { chmodSync, closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedServerError, reasonOf } from './errors.ts'
import { explainOutput, isLeftover } from './explainOutput.ts'
import { findFreePort } from './findFreePort.ts'
import { disownStaleFile, type Postmaster, readPostmaster } from './Postmaster.ts'
import type { Programs } from './Programs.ts'
import type { ServerFolder } from './ServerFolder.ts'
import { serverEnvironment } from './serverEnvironment.ts'
import { type Durability, serverSettings } from './serverSettings.ts'

export type LaunchOptions = {
  readonly programs: Programs
  readonly durability: Durability
  readonly signal: AbortSignal
  /** The port to listen on, where it takes one: those who use the server know it by that. */
  readonly formerPort?: number | undefined
}

const POLL_MS = 10
const LEFTOVER_WAIT_MS = 15_000
const LEFTOVER_POLL_MS = 100
const MAX_LOG_BYTES = 10_000_000
// A path of a socket has 108 bytes on Linux, 104 elsewhere, with a zero at its end.
const MAX_SOCKET_PATH = 103

/** Starts the server and waits until it takes connections, which after a crash is when it has recovered. */
export const launchServer = async (folder: ServerFolder, options: LaunchOptions): Promise<Postmaster> => {
  const deadline = performance.now() + LEFTOVER_WAIT_MS
  disownStaleFile(folder)
  for (;;) {
    const logStart = rotateLog(folder)
    const started = await tryLaunch(folder, options)
    if (started !== undefined) return started
    const output = readLog(folder, logStart)
    if (!isLeftover(output) || performance.now() > deadline) {
      throw new EmbeddedServerError(explainOutput(output, folder.root))
    }
    await delay(LEFTOVER_POLL_MS, undefined, { signal: options.signal })
  }
}

/** The running server, or `undefined` where it ended at once. */
const tryLaunch = async (
  folder: ServerFolder,
  { programs, durability, signal, formerPort }: LaunchOptions,
): Promise<Postmaster | undefined> => {
  signal.throwIfAborted()
  const settings = { ...serverSettings(durability), ...(await listenSettings(folder, formerPort)) }
  const log = openSync(folder.log, 'a', 0o600)
  // In a session of its own: a Ctrl-C of the terminal is for us, and we then stop the server when all who use it are done.
  const child = spawn(
    programs.postgres,
    [
      '-D',
      `${folder.serverRoot}/data`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...folder.identity,
      cwd: '/',
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', log, log, ...folder.descriptors],
      windowsHide: true,
    },
  )
  closeSync(log)
  let isOver = false
  let failure: unknown
  child.on('exit', () => {
    isOver = true
  })
  child.on('error', (error) => {
    failure = error
    isOver = true
  })
  child.unref()
  while (!isOver) {
    const postmaster = readPostmaster(folder)
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return postmaster
    await delay(POLL_MS, undefined, { signal }).catch((error: unknown) => {
      child.kill('SIGINT')
      throw error
    })
  }
  if (failure === undefined) return undefined
  throw new EmbeddedServerError(`The database server in ${folder.root} cannot be run: ${reasonOf(failure)}.`, {
    cause: failure,
  })
}

/** A socket that only we can open or, where there are none or its path would be too long, a port that only this machine has. */
const listenSettings = async (
  { sockets, serverRoot }: ServerFolder,
  formerPort: number | undefined,
): Promise<Readonly<Record<string, string>>> => {
  const path = `${sockets}/.s.PGSQL.${SOCKET_PORT}`
  if (process.platform !== 'win32' && Buffer.byteLength(path) <= MAX_SOCKET_PATH) {
    return { listen_addresses: '', unix_socket_directories: `${serverRoot}/run`, port: String(SOCKET_PORT) }
  }
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(formerPort ?? (await findFreePort())),
  }
}

const SOCKET_PORT = 5432

/** Keeps the log from growing for ever; what came before is in the file beside it. Tells where the next lines begin. */
const rotateLog = ({ log }: ServerFolder): number => {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0) chmodSync(log, 0o600)
  if (size <= MAX_LOG_BYTES) return size
  renameSync(log, `${log}.old`)
  return 0
}

const readLog = ({ log }: ServerFolder, start: number): string => readFileSync(log).subarray(start).toString('utf8')

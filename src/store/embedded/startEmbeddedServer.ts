import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { EmbeddedServerError, reasonOf } from '../errors.ts'
import {
  checkClusterVersion,
  createCluster,
  type Durability,
  launchServer,
  readPassword,
  SERVER_USER,
} from './cluster.ts'
import { ServerUsers, withFolderLock } from './folderLock.ts'
import { canReach, preparePrograms, runProgram } from './programs.ts'
import { findLocal, findRunning, openServerFolder, type Postmaster, type ServerFolder } from './ServerFolder.ts'

export type SupervisedServer = {
  /** A cheap check whether the server runs. */
  readonly isRunning: () => boolean
  /** Starts the server, or finds that another process has. */
  readonly start: (signal: AbortSignal) => Promise<void>
  readonly logger: Logger
}

const LOOK_MS = 500
const TELL_EVERY = 20

/** Supervises a server: restarts it if it ends. The returned function stops that. */
const keepRunning = ({ isRunning, start, logger }: SupervisedServer): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  let starting: Promise<void> | undefined
  let failures = 0
  const startAgain = async (): Promise<void> => {
    logger.warn('database server lost, restarting')
    try {
      await start(signal)
      failures = 0
    } catch (error) {
      if (!signal.aborted && failures++ % TELL_EVERY === 0) {
        logger.error('database server restart failed, retrying', { error })
      }
    }
  }
  const timer = setInterval(() => {
    if (starting !== undefined || isRunning()) return
    starting = startAgain().finally(() => {
      starting = undefined
    })
  }, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ending.abort(new Error('The database server is no longer needed.'))
    await starting
  }
}

/** Creates the database of a URL if missing. A successful query proves that the server is ours. */
const makeDatabase = async (url: string, name: string): Promise<void> => {
  const admin = new URL(url.replace('@/', '@localhost/'))
  const client = new pg.Client({
    host: admin.searchParams.get('host') ?? admin.hostname,
    port: Number(admin.searchParams.get('port') ?? admin.port),
    user: admin.username,
    password: admin.password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } catch (cause) {
    throw new EmbeddedServerError(`The database server that was started cannot be used: ${reasonOf(cause)}.`, { cause })
  } finally {
    await client.end()
  }
}

const CONNECT_MS = 10_000

/** A server that listens on this machine only. */
export interface EmbeddedServer {
  /** Connection URL, including the password. */
  readonly url: string
  /** Its pid, which changes with a restart. */
  readonly pid: number
  /** It was already running, left by a killed process or shared with a running one. */
  readonly wasRunning: boolean
  /** Stops using it. The last process that uses the server stops it. */
  stop(): Promise<void>
}

export type EmbeddedServerOptions = {
  /** Folder for the data, the socket, the password and the log. */
  readonly folder: string
  readonly logger: Logger
  /** Aborts the start. A started server is ended by `stop`. */
  readonly signal: AbortSignal
  readonly durability?: Durability
  /** Restarts the server if it ends early. */
  readonly keepRunning?: boolean
}

/**
 * Starts the bundled PostgreSQL, or uses the one that already runs on this folder. Several processes can share a server: each
 * calls this, and none needs to know of the others.
 */
export const startEmbeddedServer = async ({
  folder: path,
  logger,
  signal,
  durability = 'full',
  keepRunning: isKept = false,
}: EmbeddedServerOptions): Promise<EmbeddedServer> => {
  const folder = openServerFolder(path)
  const users = new ServerUsers(folder.users)
  try {
    return await withFolderLock(folder.lock, signal, async () => {
      const start = performance.now()
      const found = await findUsable(folder, signal)
      const running = found ?? (await launchUsable(folder, { durability, logger, signal }))
      const wasRunning = found !== undefined
      users.enter()
      const ms = Math.round(performance.now() - start)
      logger.info(wasRunning ? 'database server already running' : 'database server started', { pid: running.pid, ms })
      return createHandle({ folder, users, logger, wasRunning, durability, isKept, ...running })
    })
  } catch (error) {
    folder.close()
    throw error
  }
}

const DATABASE_NAME = 'chaincenter'
const STARTING_MS = 300_000
const STOP_MS = 8000
const POLL_MS = 20
const USABLE_TRIES = 20
const USABLE_POLL_MS = 100

/** The server that already runs, once it accepts connections. Waits for one that is shutting down. */
const findReady = async (folder: ServerFolder, signal: AbortSignal): Promise<Postmaster | undefined> => {
  const deadline = performance.now() + STARTING_MS
  for (;;) {
    const running = await findRunning(folder)
    if (running === undefined || running.status === 'ready') return running
    if (performance.now() > deadline) {
      throw new EmbeddedServerError(
        `The database server in ${folder.root}, process ${running.pid}, has been ${running.status} for ${STARTING_MS / 1000} s. Look into ${folder.log}.`,
      )
    }
    await delay(POLL_MS, undefined, { signal })
  }
}

type Usable = { readonly pid: number; readonly url: string; readonly port: number }

/** A killed server may look alive for a moment: only one that answers is used. */
const findUsable = async (folder: ServerFolder, signal: AbortSignal): Promise<Usable | undefined> => {
  for (let tries = 1; ; tries++) {
    const found = await findReady(folder, signal)
    if (found === undefined) return undefined
    const url = formatUrl(folder, found)
    try {
      await makeDatabase(url, DATABASE_NAME)
      return { pid: found.pid, url, port: found.port }
    } catch (error) {
      if (tries === USABLE_TRIES) throw error
      await delay(USABLE_POLL_MS, undefined, { signal })
    }
  }
}

type LaunchContext = {
  readonly durability: Durability
  readonly logger: Logger
  readonly signal: AbortSignal
  /** The port it had before, if it needs one. */
  readonly formerPort?: number
}

const launchUsable = async (folder: ServerFolder, context: LaunchContext): Promise<Usable> => {
  const launched = await launch(folder, context)
  try {
    const url = formatUrl(folder, launched)
    await makeDatabase(url, DATABASE_NAME)
    return { pid: launched.pid, url, port: launched.port }
  } catch (error) {
    await stopServer(folder, context.logger)
    throw error
  }
}

const launch = async (folder: ServerFolder, { durability, signal, formerPort }: LaunchContext): Promise<Postmaster> => {
  const { identity, root } = folder
  const copyFolders = identity === undefined || canReach(root, identity) ? [root, tmpdir()] : [tmpdir()]
  const programs = await preparePrograms({ identity, signal, copyFolders })
  await createCluster(folder, programs, signal)
  checkClusterVersion(folder, programs)
  return launchServer(folder, { programs, durability, signal, formerPort })
}

const formatUrl = (folder: ServerFolder, { onSocket, port }: Postmaster): string => {
  const login = `${SERVER_USER}:${readPassword(folder)}`
  return onSocket
    ? `postgres://${login}@/${DATABASE_NAME}?host=${encodeURIComponent(folder.sockets)}&port=${port}&ssl=0`
    : `postgres://${login}@127.0.0.1:${port}/${DATABASE_NAME}?ssl=0`
}

type Running = Usable & {
  readonly folder: ServerFolder
  readonly users: ServerUsers
  readonly logger: Logger
  readonly wasRunning: boolean
  readonly durability: Durability
  readonly isKept: boolean
}

const createHandle = (running: Running): EmbeddedServer => {
  const { folder, users, url, logger, wasRunning } = running
  let { pid } = running
  // A process that exits early at least signals the server, which then ends by itself.
  const endInHurry = (): void => {
    users.leave()
    const left = users.countOthers() === 0 ? findLocal(folder, pid) : undefined
    if (left !== undefined) process.kill(left.pid, 'SIGINT')
  }
  process.once('exit', endInHurry)
  const start = (signal: AbortSignal): Promise<void> =>
    withFolderLock(folder.lock, signal, async () => {
      const found = await findUsable(folder, signal)
      const again = found ?? (await launchUsable(folder, { ...running, signal, formerPort: running.port }))
      pid = again.pid
    })
  const isRunning = (): boolean => findLocal(folder) !== undefined
  // A server that another machine or container runs on this folder is not ours to supervise.
  const stopKeeping = running.isKept && isRunning() ? keepRunning({ isRunning, start, logger }) : undefined
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await stopKeeping?.()
    try {
      if (!existsSync(folder.root)) return endInHurry()
      await withFolderLock(folder.lock, new AbortController().signal, async () => {
        users.leave()
        const others = users.countOthers()
        if (others > 0) logger.debug('database server still in use by other processes', { others })
        else await stopServer(folder, logger)
      })
    } finally {
      process.off('exit', endInHurry)
      folder.close()
    }
  }
  return {
    url,
    get pid() {
      return pid
    },
    wasRunning,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Fast shutdown. A server that takes long continues on its own. */
const stopServer = async (folder: ServerFolder, logger: Logger): Promise<void> => {
  const running = findLocal(folder)
  if (running === undefined) return
  const { pid } = running
  const start = performance.now()
  if (process.platform === 'win32') await stopOnWindows(folder)
  else process.kill(pid, 'SIGINT')
  while (findLocal(folder)?.pid === pid) {
    if (performance.now() - start > STOP_MS) {
      logger.warn('database server still stopping', { pid })
      return
    }
    await delay(POLL_MS)
  }
  logger.info('database server stopped', { pid, ms: Math.round(performance.now() - start) })
}

/** Windows has no signals; pg_ctl talks to the server instead. */
const stopOnWindows = async (folder: ServerFolder): Promise<void> => {
  const { signal } = new AbortController()
  const { pgCtl } = await preparePrograms({ identity: undefined, signal, copyFolders: [] })
  await runProgram(pgCtl, ['stop', '-D', folder.data, '-m', 'fast', '-W'], { identity: undefined, signal })
}

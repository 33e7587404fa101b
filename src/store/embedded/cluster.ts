import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedServerError, reasonOf } from '../errors.ts'
import { type Programs, runProgram, serverEnvironment } from './programs.ts'
import { disownStaleFile, type Postmaster, readPostmaster, type ServerFolder } from './ServerFolder.ts'

type Explanation = { readonly sign: RegExp; readonly sentence: string }

const explanations: readonly Explanation[] = [
  {
    sign: /No space left on device|Disk quota exceeded/,
    sentence: 'There is no space left on its disk. Make room and start again.',
  },
  {
    sign: /database files are incompatible with server/,
    sentence: 'Its files were made by another version of PostgreSQL, or for another kind of machine.',
  },
  {
    sign: /could not bind|could not create any (Unix-domain|TCP\/IP) sockets|Address already in use/,
    sentence: 'It could not listen on its socket: something else holds it.',
  },
  {
    sign: /lock file "postmaster\.pid" already exists/,
    sentence: 'Another server, which this program did not start, uses its files.',
  },
  {
    sign: /could not (map anonymous|create) shared memory|Cannot allocate memory/,
    sentence: 'The system did not give it the memory that it needs.',
  },
  {
    sign: /could not look up effective user ID/,
    sentence:
      'The system does not know the name of the user as whom it runs. Give that user an entry in /etc/passwd, or name a server with --database-url.',
  },
  { sign: /Read-only file system/, sentence: 'Its folder is on a file system that cannot be written to.' },
  { sign: /Permission denied|Operation not permitted/, sentence: 'It is not allowed to use its folder.' },
  {
    sign: /could not locate a valid checkpoint record|invalid checkpoint record|could not find redo location/,
    sentence: 'Its files are damaged: part of them is missing.',
  },
]

/** One sentence on why the server did not start, from its log, followed by its own words. */
export const explainOutput = (output: string, folder: string): string => {
  const known = explanations.find(({ sign }) => sign.test(output))
  const words = findComplaint(output)
  return [
    `The database server in ${folder} did not start.`,
    ...(known === undefined ? [] : [known.sentence]),
    ...(words === undefined ? [] : [`It said: ${words}`]),
  ].join(' ')
}

/** The most severe line; in a failed start, the last of its kind. */
const findComplaint = (output: string): string | undefined => {
  const lines = output.split('\n').map((line) => line.trim())
  const line =
    lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ??
    lines.findLast((line) => /\berror:|\bERROR:/.test(line)) ??
    lines.findLast((line) => line !== '')
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').slice(0, 500)
}

/** Whether processes of a killed server are still there. They end on their own soon; then another server can start. */
export const isLeftover = (output: string): boolean =>
  /pre-existing shared memory block .* is still in use/.test(output)

export const SERVER_USER = 'chaincenter'

/** The password of the server, created with the folder. */
export const readPassword = (folder: ServerFolder): string => {
  try {
    const password = readFileSync(folder.password, 'utf8').trim()
    if (/^[0-9a-f]{48}$/.test(password)) return password
    throw new Error('it does not hold a password that this program made')
  } catch (cause) {
    throw new EmbeddedServerError(
      `The password of the database in ${folder.root} cannot be read from ${folder.password}: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/** Creates the data folder if missing. It appears complete: a process that dies while creating it leaves nothing that counts. */
export const createCluster = async (folder: ServerFolder, programs: Programs, signal: AbortSignal): Promise<void> => {
  const { identity, newData, data } = folder
  if (existsSync(data)) return
  rmSync(newData, { recursive: true, force: true })
  const password = randomBytes(24).toString('hex')
  const passwordCopy = join(folder.sockets, 'password')
  try {
    mkdirSync(newData, { mode: 0o700 })
    writeFileSync(folder.password, `${password}\n`, { mode: 0o600 })
    writeFileSync(passwordCopy, `${password}\n`, { mode: 0o600 })
    if (identity !== undefined) {
      chownSync(newData, identity.uid, identity.gid)
      chownSync(passwordCopy, identity.uid, identity.gid)
    }
    const args = [...initdbArgs, `--pgdata=${folder.serverRoot}/data.new`, `--pwfile=${folder.serverRoot}/run/password`]
    const { exitCode, output } = await runProgram(programs.initdb, args, {
      identity,
      signal,
      descriptors: folder.descriptors,
    })
    if (exitCode !== 0) throw new EmbeddedServerError(explainOutput(output, folder.root))
    renameSync(newData, data)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof EmbeddedServerError) throw cause
    throw new EmbeddedServerError(`The database folder ${data} cannot be created: ${reasonOf(cause)}.`, { cause })
  } finally {
    rmSync(passwordCopy, { force: true })
    // Children of a program that just ended may still write.
    rmSync(newData, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

// Text is ordered by its bytes on every system. The first checkpoint syncs what initdb did not.
const initdbArgs = [
  '--no-sync',
  '--no-instructions',
  `--username=${SERVER_USER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/** This version cannot open a data folder of another major version. */
export const checkClusterVersion = (folder: ServerFolder, { major, version }: Programs): void => {
  const found = readFileSync(join(folder.data, 'PG_VERSION'), 'utf8').trim()
  if (found === String(major)) return
  throw new EmbeddedServerError(
    `The database in ${folder.data} was made by PostgreSQL ${found}, and the one that comes with the program is ${version}, which cannot open it. Run the version of the program that made it, or name another --data-dir.`,
  )
}

/** A free local port. */
const findFreePort = (): Promise<number> =>
  new Promise((done, refuse) => {
    const server = createServer()
    server.on('error', (cause) => {
      refuse(new EmbeddedServerError(`No free local port for the database: ${cause.message}.`, { cause }))
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Whether commits must survive a crash of the machine. Tests do not need that. */
export type Durability = 'full' | 'none'

type ServerSettings = Readonly<Record<string, string>>

// For one writer that loads in bulk and readers of single rows, in little memory: unused pages cost nothing.
const common: ServerSettings = {
  max_connections: '64',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  huge_pages: 'off',

  // Without replication, a table filled in the transaction that created it needs no WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  // A page that changes for the first time after a checkpoint is written to the log as a whole: few checkpoints while very much is written.
  max_wal_size: '4GB',
  min_wal_size: '80MB',
  checkpoint_timeout: '10min',

  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  cluster_name: 'chaincenter',
  unix_socket_permissions: '0700',
}

// Many test files share one server.
const forTests: ServerSettings = {
  shared_buffers: '256MB',
  max_wal_size: '1GB',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}

// One syncfs call after a crash instead of one fsync for each of a thousand files. Linux only.
const onLinux: ServerSettings = { recovery_init_sync_method: 'syncfs' }

/** Memory of the machine or container. */
const findMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())

const MIB = 2 ** 20

/**
 * shared_buffers: a quarter of the memory, within bounds. The OS caches the other pages, but each page taken from there is
 * copied and its checksum verified, which for an index of a gigabyte was a sixth of the server's cost of reads. Pages that are not used
 * take no memory, and the partition that is written stays in a quarter of it: see PartitionMap.ts.
 */
export const choosePageMemory = (memory: number): string =>
  `${Math.min(8192, Math.max(256, Math.floor(memory / 4 / MIB)))}MB`

const serverSettings = (durability: Durability): ServerSettings => ({
  ...common,
  shared_buffers: choosePageMemory(findMemory()),
  ...(process.platform === 'linux' ? onLinux : {}),
  ...(durability === 'none' ? forTests : {}),
})

export type LaunchOptions = {
  readonly programs: Programs
  readonly durability: Durability
  readonly signal: AbortSignal
  /** The port to listen on if it needs one: its clients know it by that. */
  readonly formerPort?: number | undefined
}

const POLL_MS = 10
const LEFTOVER_WAIT_MS = 15_000
const LEFTOVER_POLL_MS = 100
const MAX_LOG_BYTES = 10_000_000
// A socket path has at most 108 bytes on Linux, 104 elsewhere, including a zero.
const MAX_SOCKET_PATH = 103

/** Starts the server and waits until it accepts connections; after a crash, until it has recovered. */
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

/** The running server, or `undefined` if it ended at once. */
const tryLaunch = async (
  folder: ServerFolder,
  { programs, durability, signal, formerPort }: LaunchOptions,
): Promise<Postmaster | undefined> => {
  signal.throwIfAborted()
  const settings = { ...serverSettings(durability), ...(await listenSettings(folder, formerPort)) }
  const log = openSync(folder.log, 'a', 0o600)
  // In a session of its own: Ctrl-C in the terminal reaches only us, and we stop the server when all its users are done.
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

/** A Unix socket that only we can open or, if there are none or its path is too long, a loopback port. */
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

/** Rotates the log once it is large; the previous lines are in the file beside it. Returns where new lines begin. */
const rotateLog = ({ log }: ServerFolder): number => {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0) chmodSync(log, 0o600)
  if (size <= MAX_LOG_BYTES) return size
  renameSync(log, `${log}.old`)
  return 0
}

const readLog = ({ log }: ServerFolder, start: number): string => readFileSync(log).subarray(start).toString('utf8')

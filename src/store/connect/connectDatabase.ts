import { availableParallelism } from 'node:os'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { DatabaseRefusedError, DatabaseVersionError } from '../errors.ts'
import { type ConnectionSettings, connectionConfig, describePlace } from './connectionSettings.ts'
import type { ConnectionFigures, Database } from './Database.ts'
import { OpenSockets } from './OpenSockets.ts'
import { openClient, openClientPatiently } from './openClient.ts'
import { PipelinedReader } from './PipelinedReader.ts'
import { createPlainReader } from './PlainReader.ts'
import { ReadServers, type ServerReaders } from './ReadServers.ts'
import { runTransaction } from './runTransaction.ts'
import { WirePool } from './wire/WirePool.ts'

export type DatabaseOptions = {
  readonly url: string
  /** Replicas to read from. Without any, the writer is read from. */
  readonly readerUrls?: readonly string[]
  /** A replica that is further behind the writer is not read from. */
  readonly readerLagMs?: number
  readonly logger: Logger
  /** Ends the wait for the server at the start. */
  readonly signal: AbortSignal
  /** How long to wait for a server that is not there yet. */
  readonly waitMs?: number
  readonly writeConnections?: number
  readonly listConnections?: number
  readonly pointConnections?: number
  readonly writeTimeoutMs?: number
  readonly listTimeoutMs?: number
  readonly pointTimeoutMs?: number
}

const OLDEST_MAJOR = 15

const defaults = {
  readerUrls: [] as readonly string[],
  readerLagMs: 5000,
  waitMs: 30_000,
  writeConnections: 4,
  // More than the processors can serve would only be in each other's way, and each has plans and catalogues of its own to keep at hand:
  // whoever waits here is served in turn.
  listConnections: Math.min(16, Math.max(3, availableParallelism() + 1)),
  pointConnections: availableParallelism() > 2 ? 2 : 1,
  writeTimeoutMs: 300_000,
  listTimeoutMs: 3000,
  pointTimeoutMs: 3000,
}

/** On all connections for points together. */
const MAX_IN_FLIGHT = 1000
/** Of one connection. */
const MAX_STATEMENTS = 200
const POOL_WAIT_MS = 10_000
const IDLE_MS = 60_000
const CLOSE_MS = 500

/** Connects to a server, or waits for it, and looks whether it is one that can be worked with. */
export const connectDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const given = { ...defaults, ...options }
  const { url, logger, writeTimeoutMs } = given
  const majorVersion = await checkWriter(given)
  const sockets = new OpenSockets()
  const openSocket = sockets.create
  const writers = createPool(
    { url, name: 'writer', statementTimeoutMs: writeTimeoutMs, openSocket },
    given.writeConnections,
    logger,
  )
  const readers = { ...given, openSocket }
  const writer = createReaders(url, readers)
  const replicas = given.readerUrls.map((readerUrl) => createReaders(readerUrl, readers))
  const servers = new ReadServers({
    writer,
    replicas,
    maxLagMs: given.readerLagMs,
    logger,
  })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await sockets.endWithin(CLOSE_MS, Promise.all([writers.end(), servers.close()]))
  }
  return {
    majorVersion,
    reader: () => servers.next(),
    figures: () => ({
      connections: [
        { server: 'writer', name: 'writes', ...poolFigures(writers) },
        ...writer.figures('writer'),
        ...replicas.flatMap((replica, at) => replica.figures(`replica ${at + 1}`)),
      ],
      servers: servers.figures,
    }),
    transaction: (work, signal) => runTransaction(writers, work, signal),
    openConnection: (name, onLost) => openClient({ url, name, statementTimeoutMs: writeTimeoutMs, openSocket }, onLost),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** The major version of the writer, which must be recent enough and take writes. */
const checkWriter = async ({
  url,
  logger,
  signal,
  waitMs,
}: DatabaseOptions & { readonly waitMs: number }): Promise<number> => {
  const client = await openClientPatiently(
    { url, name: 'start', statementTimeoutMs: 10_000 },
    { logger, signal, waitMs },
  )
  try {
    const { rows } = await client.query<{ version: number; standby: boolean }>(
      `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby`,
    )
    const { version, standby } = rows[0]!
    const major = Math.floor(version / 10_000)
    if (major < OLDEST_MAJOR) {
      throw new DatabaseVersionError(
        `The server at ${describePlace(url)} is PostgreSQL ${major}, and ${OLDEST_MAJOR} or newer is needed.`,
      )
    }
    if (standby) {
      throw new DatabaseRefusedError(
        `The server at ${describePlace(url)} is a replica, which takes no writes. Name the primary server with --database-url.`,
      )
    }
    return major
  } finally {
    await client.end()
  }
}

const createPool = (settings: ConnectionSettings, max: number, logger: Logger): pg.Pool => {
  const pool = new pg.Pool({
    ...connectionConfig(settings),
    max,
    connectionTimeoutMillis: POOL_WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
  })
  // One that is in use may be lost between two statements, or with the same packet that says it is ready: nobody waits then for an
  // answer that could tell, and an error that nobody listens to ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // An idle connection that is lost is replaced when the next is needed.
  pool.on('error', (error) => logger.debug('idle database connection lost', { name: settings.name, error }))
  return pool
}

type Limits = typeof defaults & Pick<ConnectionSettings, 'openSocket'>

const poolFigures = (pool: pg.Pool) => ({
  open: pool.totalCount,
  busy: pool.totalCount - pool.idleCount,
  waiting: pool.waitingCount,
})

type WatchedReaders = ServerReaders & { figures(server: string): readonly ConnectionFigures[] }

const createReaders = (url: string, limits: Limits): WatchedReaders => {
  const points = new PipelinedReader({
    url,
    name: 'points',
    openSocket: limits.openSocket,
    statementTimeoutMs: limits.pointTimeoutMs,
    plansOnce: true,
    connections: limits.pointConnections,
    maxInFlight: Math.ceil(MAX_IN_FLIGHT / limits.pointConnections),
    maxStatements: MAX_STATEMENTS,
  })
  const pool = new WirePool({
    url,
    name: 'lists',
    openSocket: limits.openSocket,
    statementTimeoutMs: limits.listTimeoutMs,
    plansOnce: true,
    connections: limits.listConnections,
    maxStatements: MAX_STATEMENTS,
  })
  return {
    points,
    lists: createPlainReader(pool),
    figures: (server) => [
      { server, name: 'points', ...points.figures },
      { server, name: 'lists', ...pool.figures },
    ],
    close: async () => {
      await Promise.all([points.close(), pool.close()])
    },
  }
}

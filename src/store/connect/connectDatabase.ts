import { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { findTracer } from '../../observe/Tracer.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import { Engine, isUnsupported, markDistributed, readDistribution } from '../distributed/engine.ts'
import { createRoutedReader } from '../distributed/routedReads.ts'
import type { Shards } from '../distributed/Shards.ts'
import {
  DatabaseConflictError,
  DatabaseRefusedError,
  DatabaseVersionError,
  DistributionChangedError,
  toDatabaseError,
} from '../errors.ts'
import type { ConnectionStats, Database, Reader } from './Database.ts'
import {
  type ConnectionSettings,
  connectionConfig,
  describeEndpoint,
  endClient,
  oneConnection,
  openClient,
  openClientWithRetry,
} from './openClient.ts'
import { ReadServers, type ServerReaders } from './ReadServers.ts'
import { createPooledReader, PipelinedReader } from './readers.ts'
import { traceReads } from './tracedReader.ts'
import { WorkerReads } from './WorkerReads.ts'
import { WirePool } from './wire/WirePool.ts'

/**
 * The sockets of all connections to a database, including those being opened. Each can be destroyed whatever the server is busy
 * with.
 */
class OpenSockets {
  readonly #open = new Set<Socket>()

  readonly create = (): Socket => {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Waits for an orderly close, with a timeout: a hung server never answers. */
  async endWithin(graceMs: number, ending: Promise<unknown>): Promise<void> {
    const cut = setTimeout(() => {
      for (const socket of this.#open) socket.destroy()
    }, graceMs)
    try {
      await ending
    } finally {
      clearTimeout(cut)
    }
  }
}

/** Work that is almost done may finish within this time after the signal. */
const GRACE_MS = 500

/**
 * Workers of a cluster keep what they have committed, whatever the settings. The coordinator has to keep its part too, or a crash
 * would leave rows on the workers that its covered ranges do not count.
 */
const DURABLE = 'SET LOCAL synchronous_commit TO on'

/** The first statement of a transaction on a cluster, with one prepared transaction on each worker, not one for each shard. */
const BEGIN_ON_CLUSTER = `BEGIN; ${DURABLE}; SET LOCAL ${oneConnection.join(' TO ')}`

/**
 * Runs work between BEGIN and COMMIT on a connection of the pool. A connection on which the rollback failed is discarded. If the
 * work does not end soon after the signal, its connection is closed, whatever the server is busy with.
 */
const runTransaction = async <T>(
  pool: pg.Pool,
  engine: Engine,
  work: (client: pg.ClientBase) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const client = await connect(pool, signal)
  if (engine.isDistributed) markDistributed(client, engine.shards)
  const forget = endAfter(client, signal)
  let failure: Error | undefined
  try {
    await client.query(engine.isDistributed ? BEGIN_ON_CLUSTER : 'BEGIN')
    const result = await work(client)
    await commit(client)
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: unknown) => {
      failure = cause instanceof Error ? cause : new Error(String(cause))
    })
    const known = toDatabaseError(error)
    if (!(await engine.hasChanged(known, client))) throw known
    throw new DatabaseConflictError('The distribution of the tables over a cluster has changed meanwhile.', {
      cause: error,
    })
  } finally {
    forget()
    client.release(failure)
  }
}

const connect = (pool: pg.Pool, signal: AbortSignal | undefined): Promise<pg.PoolClient> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const leave = signal && onAbort(signal, () => reject(signal.reason))
    pool.connect().then(
      (client) => {
        leave?.()
        if (signal?.aborted) client.release()
        resolve(client)
      },
      (error: unknown) => {
        leave?.()
        reject(toDatabaseError(error))
      },
    )
  })

/** Closes a connection some time after the signal. The returned function cancels that. */
const endAfter = (client: pg.ClientBase, signal: AbortSignal | undefined): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(() => void endClient(client, 0), GRACE_MS)
  }
  const leave = signal && onAbort(signal, begin)
  return () => {
    clearTimeout(timer)
    leave?.()
  }
}

/** If a statement failed and the work went on regardless, the server answers COMMIT with a rollback instead of an error. */
const commit = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('COMMIT')
  if (command === 'COMMIT') return
  throw new DatabaseConflictError('The transaction was rolled back because a statement in it failed.')
}

export type DatabaseOptions = {
  readonly url: string
  /** Replicas to read from. Without any, reads go to the writer. */
  readonly readerUrls?: readonly string[]
  /** A replica with more lag is not read from. */
  readonly readerLagMs?: number
  /** Whether the service runs the server itself, on this machine. */
  readonly isEmbedded?: boolean
  /** Gives the server's processes for reads the priority of this one; the server must run on this machine. */
  readonly sharesPriority?: boolean
  readonly logger: Logger
  /** Aborts the wait for the server at the start. */
  readonly signal: AbortSignal
  /** How long to wait for the server to become available. */
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
  isEmbedded: false,
  sharesPriority: false,
  waitMs: 30_000,
  writeConnections: 4,
  // More connections than processors would compete, and each has its own plan and catalogue caches: further reads wait here in
  // turn.
  listConnections: Math.min(16, Math.max(3, availableParallelism() + 1)),
  pointConnections: availableParallelism() > 2 ? 2 : 1,
  writeTimeoutMs: 300_000,
  listTimeoutMs: 3000,
  pointTimeoutMs: 3000,
}

/** On a cluster most of the time of a statement is spent with the workers: those of one answer run at the same time. */
const CLUSTER_POINT_CONNECTIONS = 3
/** Over all connections for keyed reads. */
const MAX_IN_FLIGHT = 1000
/** Per connection. */
const MAX_STATEMENTS = 200
const POOL_WAIT_MS = 10_000
const IDLE_MS = 60_000
const CLOSE_MS = 500

/** Connects to the servers, waiting for the writer to become available, and checks that they can be used. */
export const connectDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const given = { ...defaults, ...options }
  const { url, logger, writeTimeoutMs } = given
  const { majorVersion, shards } = await checkWriter(given)
  const engine = new Engine(shards)
  const sockets = new OpenSockets()
  const openSocket = sockets.create
  const writers = createPool(
    { url, name: 'writer', statementTimeoutMs: writeTimeoutMs, openSocket },
    given.writeConnections,
    logger,
  )
  const readers = { ...given, openSocket, engine, asksWorkers: true }
  const writer = createReaders(url, readers)
  const replicas = given.readerUrls.map((readerUrl) =>
    createReaders(readerUrl, { ...readers, sharesPriority: false, asksWorkers: false }),
  )
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
    source: { url, readerUrls: given.readerUrls, readerLagMs: given.readerLagMs, isEmbedded: given.isEmbedded },
    majorVersion,
    get isDistributed() {
      return engine.isDistributed
    },
    reader: () => servers.next(),
    readerAt: (seqno, options) => servers.at(seqno, options),
    stats: () => ({
      connections: [
        { server: 'writer', name: 'writes', ...poolStats(writers) },
        ...writer.stats('writer'),
        ...replicas.flatMap((replica, at) => replica.stats(`replica ${at + 1}`)),
      ],
      servers: servers.stats,
      seenReads: servers.seenReads,
    }),
    transaction: (work, signal) => runTransaction(writers, engine, work, signal),
    openConnection: async (name, onLost) => {
      const client = await openClient({ url, name, statementTimeoutMs: writeTimeoutMs, openSocket }, onLost)
      if (engine.isDistributed) markDistributed(client, engine.shards)
      return client
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

type WriterFacts = { readonly majorVersion: number; readonly shards: Shards | undefined }

/** What the writer is; it must be recent enough and accept writes. */
const checkWriter = async ({
  url,
  logger,
  signal,
  waitMs,
}: DatabaseOptions & { readonly waitMs: number }): Promise<WriterFacts> => {
  const client = await openClientWithRetry(
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
        `The server at ${describeEndpoint(url)} is PostgreSQL ${major}, and ${OLDEST_MAJOR} or newer is needed.`,
      )
    }
    if (standby) {
      throw new DatabaseRefusedError(
        `The server at ${describeEndpoint(url)} is a replica, which takes no writes. Name the primary server with --database-url.`,
      )
    }
    return { majorVersion: major, shards: await readDistribution(client) }
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
  // A connection in use may be lost between two statements, or in the packet that reports it ready: then no query is pending that
  // could report it, and an unhandled 'error' event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // A lost idle connection is replaced when the next one is needed.
  pool.on('error', (error) => logger.debug('idle database connection lost', { name: settings.name, error }))
  return pool
}

type Limits = typeof defaults &
  Pick<ConnectionSettings, 'openSocket'> & {
    readonly engine: Engine
    readonly logger: Logger
    /** Whether workers of a cluster are asked without the coordinator. */
    readonly asksWorkers: boolean
  }

const poolStats = (pool: pg.Pool) => ({
  open: pool.totalCount,
  busy: pool.totalCount - pool.idleCount,
  waiting: pool.waitingCount,
})

type WatchedReaders = ServerReaders & { stats(server: string): readonly ConnectionStats[] }

const createReaders = (url: string, limits: Limits): WatchedReaders => {
  const { engine } = limits
  let current = connectReaders(url, limits)
  /** The readers for what the tables are now: those of a cluster plan in another way. */
  const findReaders = (): ConnectedReaders => {
    if (current.isDistributed !== engine.isDistributed) {
      const old = current
      current = connectReaders(url, limits)
      // Queries under way end first.
      setTimeout(() => void old.close(), limits.listTimeoutMs).unref()
    }
    return current
  }
  const follow = (kind: 'keyedReads' | 'listReads'): Reader => ({
    get isDistributed() {
      return engine.isDistributed
    },
    read: async (query, timeoutMs) => {
      const readers = findReaders()
      try {
        return await readers[kind].read(query, timeoutMs)
      } catch (error) {
        const isNews = await engine.hasChanged(error, { query: (sql) => readers.ask(sql) })
        // Another query may have found it out first.
        const wasOneServer = !readers.isDistributed && engine.isDistributed
        if (!isNews && !wasOneServer) throw error
        const again = findReaders()[kind].read(query, timeoutMs)
        return wasOneServer ? again.catch(refuseForm) : again
      }
    },
  })
  return {
    keyedReads: follow('keyedReads'),
    listReads: follow('listReads'),
    stats: (server) => current.stats(server),
    close: () => current.close(),
  }
}

/** Most queries have one form; the caller has to choose the other form of the rest. */
const refuseForm = (error: unknown): never => {
  if (!isUnsupported(error)) throw error
  throw new DistributionChangedError('The tables were distributed over a cluster meanwhile.', { cause: error })
}

type ConnectedReaders = WatchedReaders & {
  readonly isDistributed: boolean
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<{ readonly rows: Row[] }>
}

/** The readers of one server, each with its connections. */
const openReaders = (url: string, limits: Limits, planning: 'once' | 'each', pointConnections: number) => {
  const shared = {
    url,
    openSocket: limits.openSocket,
    sharesPriority: limits.sharesPriority,
    planning,
    maxStatements: MAX_STATEMENTS,
  }
  const keyedReads = new PipelinedReader({
    ...shared,
    name: 'points',
    statementTimeoutMs: limits.pointTimeoutMs,
    connections: pointConnections,
    maxInFlight: Math.ceil(MAX_IN_FLIGHT / pointConnections),
  })
  const pool = new WirePool({
    ...shared,
    name: 'lists',
    statementTimeoutMs: limits.listTimeoutMs,
    connections: limits.listConnections,
  })
  const tracer = findTracer()
  const present = (reader: Reader): Reader => (tracer === undefined ? reader : traceReads(reader, tracer, url))
  return {
    keyedReads: present(keyedReads),
    listReads: present(createPooledReader(pool)),
    stats: (server: string): readonly ConnectionStats[] => [
      { server, name: 'points', ...keyedReads.stats },
      { server, name: 'lists', ...pool.stats },
    ],
    close: async (): Promise<void> => {
      await Promise.all([keyedReads.close(), pool.close()])
    },
  }
}

const connectReaders = (url: string, limits: Limits): ConnectedReaders => {
  const { engine } = limits
  const { isDistributed } = engine
  const pointConnections = isDistributed
    ? Math.max(CLUSTER_POINT_CONNECTIONS, limits.pointConnections)
    : limits.pointConnections
  const own = openReaders(url, limits, isDistributed ? 'each' : 'once', pointConnections)
  const ask = async <Row extends pg.QueryResultRow>(sql: string) => ({
    rows: await own.keyedReads.read(CompiledQuery.raw(sql) as CompiledQuery<Row>),
  })
  const connected = { ...own, isDistributed, ask }
  if (!isDistributed) return connected
  const workers = new WorkerReads({
    settings: {
      url,
      name: 'worker',
      statementTimeoutMs: limits.pointTimeoutMs,
      openSocket: limits.openSocket,
    },
    logger: limits.logger,
    open: (workerUrl) => openReaders(workerUrl, { ...limits, sharesPriority: false }, 'once', limits.pointConnections),
    onMoved: () => void engine.renew({ query: ask }),
  })
  const route = (kind: 'keyedReads' | 'listReads'): Reader =>
    createRoutedReader(own[kind], {
      shards: () => engine.shards,
      ...(limits.asksWorkers && {
        readDirectly: (statements, askCoordinator) => workers.read(kind, statements, askCoordinator),
      }),
    })
  return {
    ...connected,
    keyedReads: route('keyedReads'),
    listReads: route('listReads'),
    stats: (server) => [...own.stats(server), ...workers.stats()],
    close: async () => {
      await Promise.all([own.close(), workers.close()])
    },
  }
}

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { sharePriority } from '../../observe/threads.ts'
import { DatabaseRefusedError, DatabaseUnavailableError, toDatabaseError } from '../errors.ts'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231

/** Every numeric column of ours holds whole numbers: amounts of coins or tokens, an index. */
const parseWhole = (text: string): bigint => BigInt(text)

const parseWholes = (text: string): (bigint | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : BigInt(item)))

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, parseWhole],
  [NUMERIC, parseWhole],
  [INT8_ARRAY, parseWholes],
  [NUMERIC_ARRAY, parseWholes],
])

/** Parsers for the server's text values: 64-bit and decimal numbers as bigint, the rest as the driver does. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}

export type ConnectionSettings = {
  readonly url: string
  /** The application name that the server shows for the connection. */
  readonly name: string
  /** Statement timeout; 0 disables it. */
  readonly statementTimeoutMs: number
  /** Uses the planner settings of readers: plans a statement once for all values, or for each. */
  readonly planning?: 'once' | 'each'
  /** Creates the sockets, so that the owner can destroy them. */
  readonly openSocket?: (() => Socket) | undefined
  /** Gives the server's process for the connection the priority of this one; the server must run on this machine. */
  readonly sharesPriority?: boolean
}

const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 10_000
// A connection on which nothing arrives although the server should have ended the statement by now is dead.
const GRACE_MS = 5000
const IDLE_IN_TRANSACTION_MS = 120_000

/**
 * Planner settings for readers, whatever the server's own are: one plan for all values (see toStatement), no parallel workers
 * or JIT, which the server would start for what it takes for costly queries; a page of a list is not one. A page of an index in
 * memory costs what the next page of a table does: otherwise a small table is read whole for every key.
 */
export const readerPlanning: { readonly [setting: string]: string } = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  random_page_cost: '1.1',
}

const optionsOf = (settings: { readonly [setting: string]: string }): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * A setting of connections to a Citus cluster: the coordinator uses one connection to each worker for a statement. It keeps that one,
 * and would open further ones for many statements anew, which costs more than the statements.
 */
export const oneConnection = ['citus.max_adaptive_executor_pool_size', '1'] as const

const planningOptions = {
  once: optionsOf(readerPlanning),
  // Citus finds the workers of a statement by its values, and refuses most plans without them.
  each: optionsOf({ ...readerPlanning, plan_cache_mode: 'auto', ...Object.fromEntries([oneConnection]) }),
}

/** The driver's configuration of one connection. */
export const connectionConfig = ({
  url,
  name,
  statementTimeoutMs,
  planning,
  openSocket,
}: ConnectionSettings): ClientConfig => {
  checkUrl(url)
  return {
    connectionString: url,
    application_name: `chaincenter ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: valueParsers,
    ...(openSocket !== undefined && { stream: openSocket }),
    ...(planning !== undefined && { options: planningOptions[planning] }),
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS,
    }),
  }
}

// The URL is not repeated in the error: it may hold a password.
const checkUrl = (url: string): void => {
  if (/^postgres(ql)?:\/\/\S+$/.test(url) && isReadable(url)) return
  throw new DatabaseRefusedError(
    'The URL of the database cannot be read: it must look like postgres://user:password@host:5432/name.',
  )
}

const isReadable = (url: string): boolean => URL.canParse(url.replace('@/', '@localhost/'))

/** Host, port and database of a URL, without its secrets. */
export const describeEndpoint = (url: string): string => {
  const { host, port, database } = parseEndpoint(url)
  return `${host}:${port}/${database}`
}

/** The server and the database that a URL names. */
export const parseEndpoint = (url: string): { host: string; port: string; database: string } => {
  const { hostname, port, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
  return {
    host: searchParams.get('host') ?? hostname,
    port: searchParams.get('port') ?? (port || '5432'),
    database: pathname.slice(1),
  }
}

/** A dedicated connection, to be closed by the caller. `onLost` is called once when it is lost. */
export const openClient = async (
  settings: ConnectionSettings,
  onLost: (error: unknown) => void = () => {},
): Promise<pg.Client> => {
  const client = new pg.Client(connectionConfig(settings))
  let isLost = false
  const lose = (error: unknown): void => {
    if (isLost) return
    isLost = true
    onLost(toDatabaseError(error))
  }
  client.on('error', lose)
  try {
    await client.connect()
  } catch (error) {
    isLost = true
    throw toDatabaseError(error)
  }
  const { processID } = client as unknown as { readonly processID: number | null }
  if (settings.sharesPriority && processID !== null) sharePriority(processID)
  client.on('end', () => lose(new Error('Connection terminated')))
  return client
}

export type ConnectRetryOptions = { readonly logger: Logger; readonly signal: AbortSignal; readonly waitMs: number }

const RETRY_MS = 250
const TELL_MS = 1000

/** Like {@link openClient}, but retries while the server is not available yet. */
export const openClientWithRetry = async (
  settings: ConnectionSettings,
  { logger, signal, waitMs }: ConnectRetryOptions,
): Promise<pg.Client> => {
  const start = performance.now()
  let isTold = false
  for (;;) {
    signal.throwIfAborted()
    try {
      return await openClient(settings)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      const now = performance.now()
      if (now - start > waitMs) {
        throw new DatabaseUnavailableError(
          `The database at ${describeEndpoint(settings.url)} did not become available within ${Math.round(waitMs / 1000)} s. ${error.message}`,
          { cause: error },
        )
      }
      if (!isTold && now - start > TELL_MS) {
        isTold = true
        logger.warn('waiting for database', { endpoint: describeEndpoint(settings.url), reason: error.message })
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}

/** Members of the driver's connection that its types leave out. */
type OpenedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex }; end(): Promise<void> }

/** Closes a connection. If the server does not answer in time, the socket is destroyed, so that a hung server blocks nobody. */
export const endClient = async (client: pg.ClientBase, graceMs = 500): Promise<void> => {
  const opened = client as OpenedClient
  const cut = setTimeout(() => opened.connection.stream.destroy(), graceMs)
  try {
    await opened.end()
  } catch {
    // The connection was lost before.
  } finally {
    clearTimeout(cut)
  }
}

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { DatabaseRefusedError, DatabaseUnavailableError, toDatabaseError } from '../errors.ts'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231

/** Every numeric of ours is a whole number: an amount of coins or tokens, an index. */
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

/** How texts of the server become values: 64-bit and decimal numbers as bigint, the rest as the driver does. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}

export type ConnectionSettings = {
  readonly url: string
  /** Shown by the server beside the connection. */
  readonly name: string
  /** Ends a statement that takes longer; 0 lets it run. */
  readonly statementTimeoutMs: number
  /** Planned as {@link readerPlanning} says. */
  readonly plansOnce?: boolean
  /** Makes the sockets, for whoever may have to cut them. */
  readonly openSocket?: (() => Socket) | undefined
}

const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 10_000
// A connection on which nothing comes although the server should have ended the statement by now is dead.
const GRACE_MS = 5000
const IDLE_IN_TRANSACTION_MS = 120_000

/**
 * How a server plans statements of readers, whatever its own settings: once for all values (see toStatement.ts), and without what pays
 * for reports only. By default servers start helpers for, and compile, what they take for costly; a page of a list is neither.
 */
export const readerPlanning: { readonly [setting: string]: string } = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

const planningOptions = Object.entries(readerPlanning)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** What the driver needs for one connection. */
export const connectionConfig = ({
  url,
  name,
  statementTimeoutMs,
  plansOnce = false,
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
    ...(plansOnce && { options: planningOptions }),
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS,
    }),
  }
}

// What came is not repeated: it may hold a password.
const checkUrl = (url: string): void => {
  if (/^postgres(ql)?:\/\/\S+$/.test(url) && isReadable(url)) return
  throw new DatabaseRefusedError(
    'The URL of the database cannot be read: it must look like postgres://user:password@host:5432/name.',
  )
}

const isReadable = (url: string): boolean => URL.canParse(url.replace('@/', '@localhost/'))

/** The place that a URL names, without the secrets in it. */
export const describePlace = (url: string): string => {
  const { hostname, port, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
  const host = searchParams.get('host') ?? hostname
  return `${host}:${searchParams.get('port') ?? (port || '5432')}${pathname}`
}

/** A connection of its own, to be ended by whoever opened it. What befalls it is told to `onLost`, once. */
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
  client.on('end', () => lose(new Error('Connection terminated')))
  return client
}

export type PatientOptions = { readonly logger: Logger; readonly signal: AbortSignal; readonly waitMs: number }

const RETRY_MS = 250
const TELL_MS = 5000

/** The same, for a server that may still be on its way up: it is waited for. */
export const openClientPatiently = async (
  settings: ConnectionSettings,
  { logger, signal, waitMs }: PatientOptions,
): Promise<pg.Client> => {
  const start = performance.now()
  let told = start - TELL_MS + 1000
  for (;;) {
    signal.throwIfAborted()
    try {
      return await openClient(settings)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      const now = performance.now()
      if (now - start > waitMs) {
        throw new DatabaseUnavailableError(
          `The database at ${describePlace(settings.url)} did not become available within ${Math.round(waitMs / 1000)} s. ${error.message}`,
          { cause: error },
        )
      }
      if (now - told > TELL_MS) {
        told = now
        logger.warn('waiting for the database', { place: describePlace(settings.url), error })
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}

/** What the driver's connection has beyond what its types say. */
type OpenedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex }; end(): Promise<void> }

/** Ends a connection. One whose server does not say goodbye in time is cut, so that nobody waits for a server that hangs. */
export const endClient = async (client: pg.ClientBase, graceMs = 500): Promise<void> => {
  const opened = client as OpenedClient
  const cut = setTimeout(() => opened.connection.stream.destroy(), graceMs)
  try {
    await opened.end()
  } catch {
    // It was lost before.
  } finally {
    clearTimeout(cut)
  }
}

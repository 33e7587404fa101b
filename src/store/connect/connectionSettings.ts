import type { Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { DatabaseRefusedError } from '../errors.ts'
import { valueParsers } from './valueParsers.ts'

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

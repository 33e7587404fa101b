import cluster from 'node:cluster'
import type { AccessControl } from '../../api/core/AccessControl.ts'
import type { OnAnswered } from '../../api/core/Call.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import { createFindAddress, type FindAddress } from '../../gateway/clientAddress.ts'
import { type Counters, MemoryCounters } from '../../gateway/counters/MemoryCounters.ts'
import { openWorkerCounters } from '../../gateway/counters/SharedCounters.ts'
import { createAccessControl } from '../../gateway/createAccessControl.ts'
import { KeyRing } from '../../gateway/keys/KeyRing.ts'
import { selfServiceRoutes } from '../../gateway/selfService.ts'
import { UsageCounts, usageRoute } from '../../gateway/usage.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import type { CommandContext } from '../Command.ts'
import { openDatabaseAt } from '../database/openDatabase.ts'
import { loadKeySecret } from '../secrets.ts'
import { dataFolder, type GatewayOptions, gatewayOptions, type SharedKeyRing } from './gatewayOptions.ts'
import { renderStaticPage } from './pages/PageServer.ts'

export type GatewayParts = {
  /** Root hash of the zero state of the masterchain, if it is known: by it networks without a name are told apart. */
  readonly zeroState: Uint8Array | undefined
  /** The migrated database, once it is open. Without one there are no API keys. */
  readonly database: Promise<Database> | undefined
  readonly logger: Logger
}

/** Access control in front of the APIs, for the HTTP server. */
export type OpenedGateway = {
  readonly gate: AccessControl
  readonly routes: readonly PlainRoute[]
  /** Operator routes; the caller must guard them. */
  readonly operatorRoutes: readonly PlainRoute[]
  readonly onAnswered: OnAnswered
  /** Resolves when the API keys are loaded; rejects if that fails. */
  readonly ready: Promise<void>
}

/** Opens access control. Rate limits apply at once, API keys as soon as the database is open. */
export const openGateway = async (
  options: GatewayOptions,
  parts: GatewayParts,
  shutdown: Shutdown,
): Promise<OpenedGateway> => {
  // A further network waits for the first one and its database as long as it takes.
  const database = options.keyRing === undefined ? parts.database : openKeyRing(options.keyRing, parts.logger, shutdown)
  const counters = await openCounters(options, parts)
  shutdown.add('limits', () => counters.close())
  const findAddress = createFindAddress(options.trustedProxies)
  let keys: Keys | undefined
  const ready =
    database === undefined
      ? Promise.resolve()
      : database.then(async (opened) => {
          keys = await openKeys(options, opened, findAddress, parts.logger, shutdown)
        })
  // The failure is reported by the code that awaits it.
  ready.catch(() => undefined)
  const gate = createAccessControl({
    ...options,
    networks: [options.network, ...(options.keyRing === undefined ? [] : [options.keyRing.network])],
    counters,
    findAddress,
    findKey: (text) => {
      if (database === undefined) return undefined
      return keys === undefined ? new DatabaseUnavailableError(OPENING) : keys.ring.find(text)
    },
    isEnded: (id) => keys !== undefined && !keys.ring.has(id),
  })
  return {
    gate,
    routes:
      database === undefined || options.selfServiceKeys === undefined ? [] : lateRoutes(selfServiceNames, () => keys),
    operatorRoutes: database === undefined ? [] : lateRoutes(usageNames, () => keys),
    onAnswered: (answered) => keys?.usage.count(answered),
    ready,
  }
}

const OPENING = 'Keys are being read. Try again in a moment.'
const NETWORK_DIGITS = 16

/** Counters in Redis, in the primary process, or in this process. */
const openCounters = async (
  { redisUrl, network }: GatewayOptions,
  { zeroState, logger }: GatewayParts,
): Promise<Counters> => {
  if (redisUrl !== undefined) {
    const { openRedisCounters } = await import('../../gateway/counters/SharedCounters.ts')
    const isNamed = network !== 'custom' || zeroState === undefined
    const own = isNamed ? network : toHex(zeroState).slice(0, NETWORK_DIGITS)
    return openRedisCounters({ url: redisUrl, network: own, logger })
  }
  return cluster.isWorker ? openWorkerCounters(process, logger) : new MemoryCounters()
}

/** Opens the database with the keys of the first network, once that has migrated it. */
const openKeyRing = async (
  { database: location }: SharedKeyRing,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Database> => {
  const { signal } = shutdown
  const until = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || !(error instanceof CodedError)) throw error
        logger.info('waiting for API keys of the first network', { reason: error.message })
        await pause(KEY_RETRY_MS, signal)
      }
    }
  }
  const options = { writeConnections: KEY_CONNECTIONS }
  const database = await until(() => openDatabaseAt({ ...location, readerUrls: [] }, logger, shutdown, options))
  await until(async () => checkUpToDate(await database.transaction(readApplied), listMigrations()))
  return database
}

const KEY_RETRY_MS = 2000
const KEY_CONNECTIONS = 2

type Keys = { readonly ring: KeyRing; readonly usage: UsageCounts; readonly routes: readonly PlainRoute[] }

const openKeys = async (
  options: GatewayOptions,
  database: Database,
  findAddress: FindAddress,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Keys> => {
  const { network, plans, keyRing, selfServiceKeys: maxPerDay } = options
  const secret = await loadKeySecret(options.secret, database)
  const ring = await KeyRing.open({ database, secret, logger })
  // Registered after the database, so that it closes before it.
  shutdown.add('keys', () => ring.close())
  const usage = new UsageCounts(database, logger, { network: keyRing?.name })
  shutdown.add('usage of keys', () => usage.close())
  const onIssued = (): Promise<void> => ring.refresh()
  const routes = [
    usageRoute(database, () => usage.flush()),
    ...(maxPerDay === undefined
      ? []
      : selfServiceRoutes({
          database,
          secret,
          network,
          plans,
          maxPerDay,
          findAddress,
          onIssued,
          renderPage: renderStaticPage,
          logger,
        })),
  ]
  return { ring, usage, routes }
}

type RouteName = Pick<PlainRoute, 'method' | 'path'>

const usageNames: readonly RouteName[] = [{ method: 'GET', path: '/keys/usage' }]
const selfServiceNames: readonly RouteName[] = [
  { method: 'GET', path: '/keys' },
  { method: 'POST', path: '/keys' },
]

/** Routes are registered before the server listens, possibly before the database is open. */
const lateRoutes = (names: readonly RouteName[], find: () => Keys | undefined): readonly PlainRoute[] =>
  names.map((name) => ({
    ...name,
    answer: (request) => {
      const route = find()?.routes.find(({ method, path }) => method === name.method && path === name.path)
      if (route !== undefined) return route.answer(request)
      const body = JSON.stringify({ ok: false, error: OPENING, code: 503 })
      return { status: 503, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
    },
  }))

/** Access control of the configured network with its API keys loaded; `undefined` without limits. */
export const openServiceGateway = async (
  {
    config,
    beside,
    logger,
    shutdown,
    workingDir,
  }: Pick<CommandContext, 'config' | 'beside' | 'logger' | 'shutdown' | 'workingDir'>,
  { zeroState, database }: { readonly zeroState: Uint8Array | undefined; readonly database: Database | undefined },
): Promise<OpenedGateway | undefined> => {
  const options = gatewayOptions(config, {
    folder: dataFolder(config, workingDir),
    isEmbedded: false,
    workingDir,
    beside,
  })
  if (options === undefined) return undefined
  const parts = { zeroState, database: database && Promise.resolve(database), logger }
  const gateway = await openGateway(options, parts, shutdown)
  if (options.keyRing === undefined) await gateway.ready
  else
    gateway.ready.catch((error: unknown) => shutdown.signal.aborted || logger.error('api keys unavailable', { error }))
  return gateway
}

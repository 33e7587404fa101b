import cluster from 'node:cluster'
import type { Gate } from '../../api/core/AccessControl.ts'
import type { OnAnswered } from '../../api/core/Call.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import { createFindAddress, type FindAddress, type Subnet } from '../../gateway/clientAddress.ts'
import { type Counters, MemoryCounters } from '../../gateway/counters/MemoryCounters.ts'
import { openWorkerCounters } from '../../gateway/counters/SharedCounters.ts'
import { createGate, type GateOptions } from '../../gateway/createAccessControl.ts'
import { KeyRing } from '../../gateway/keys/KeyRing.ts'
import type { Plans } from '../../gateway/plans.ts'
import { selfServiceRoutes } from '../../gateway/selfService.ts'
import { UsageCounts, usageRoute } from '../../gateway/usage.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { loadKeySecret, type SecretPlace } from '../keys/loadKeySecret.ts'

export type GatewayOptions = Pick<GateOptions, 'network' | 'anonymous' | 'isLocalFree'> & {
  readonly plans: Plans
  readonly trustedProxies: readonly Subnet[]
  /** Of a server that other processes use, too. */
  readonly redisUrl: string | undefined
  readonly secret: SecretPlace
  /** How many keys a visitor may make in a day; without it, none. */
  readonly selfServiceKeys: number | undefined
}

export type GatewayParts = {
  /** Root hash of the zero state of the masterchain, if it is known: by it networks without a name are told apart. */
  readonly zeroState: Uint8Array | undefined
  /** With all tables, when it is there. Where there is none, no key is known. */
  readonly database: Promise<Database> | undefined
  readonly logger: Logger
}

/** What stands before the interfaces: all of it goes to the HTTP server. */
export type OpenedGateway = {
  readonly gate: Gate
  readonly routes: readonly PlainRoute[]
  /** For an operator; they have to be guarded. */
  readonly operatorRoutes: readonly PlainRoute[]
  readonly onAnswered: OnAnswered
  /** Resolves when the keys are known; rejects where they cannot be. */
  readonly ready: Promise<void>
}

/** Opens what stands before the interfaces. It limits at once; keys are known when the database is there. */
export const openGateway = async (
  options: GatewayOptions,
  parts: GatewayParts,
  shutdown: Shutdown,
): Promise<OpenedGateway> => {
  const { database } = parts
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
  // Whoever waits for it has something to say about it.
  ready.catch(() => undefined)
  const gate = createGate({
    ...options,
    counters,
    findAddress,
    findKey: (text) => {
      if (database === undefined) return undefined
      return keys === undefined ? new DatabaseUnavailableError(OPENING) : keys.ring.find(text)
    },
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

/** In Redis, in the process that has started this one, or here. */
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

type Keys = { readonly ring: KeyRing; readonly usage: UsageCounts; readonly routes: readonly PlainRoute[] }

const openKeys = async (
  options: GatewayOptions,
  database: Database,
  findAddress: FindAddress,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Keys> => {
  const { network, plans, selfServiceKeys: maxPerDay } = options
  const secret = await loadKeySecret(options.secret, database)
  const ring = await KeyRing.open({ database, secret, logger })
  // After the database, so that it ends before it.
  shutdown.add('keys', () => ring.close())
  const usage = new UsageCounts(database, logger)
  shutdown.add('usage of keys', () => usage.close())
  const onIssued = (): Promise<void> => ring.refresh()
  const routes = [
    usageRoute(database, () => usage.flush()),
    ...(maxPerDay === undefined
      ? []
      : selfServiceRoutes({ database, secret, network, plans, maxPerDay, findAddress, onIssued, logger })),
  ]
  return { ring, usage, routes }
}

type RouteName = Pick<PlainRoute, 'method' | 'path'>

const usageNames: readonly RouteName[] = [{ method: 'GET', path: '/keys/usage' }]
const selfServiceNames: readonly RouteName[] = [
  { method: 'GET', path: '/keys' },
  { method: 'POST', path: '/keys' },
]

/** Routes are named before the server listens, which may be before there is anything to answer with. */
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

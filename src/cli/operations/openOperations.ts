import type { OnAnswered } from '../../api/core/Call.ts'
import { createHttpServer, type HttpServer } from '../../api/core/createHttpServer.ts'
import { createLoadShedders, type LoadShedders } from '../../api/core/LoadShedder.ts'
import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { HostPort } from '../../config/Kind.ts'
import type { ComparedChain } from '../../indexer/verify/compareWithChain.ts'
import type { NodePool } from '../../node/pool/NodePool.ts'
import type { Logger } from '../../observe/Logger.ts'
import { formatMetrics, joinMetrics, type MetricFamily, type Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { deferredDatabase } from '../database/openDatabase.ts'
import { createReadiness, type Readiness } from './createReadiness.ts'
import { createRequestMetrics, measureDatabase, measureMachine, measureNode, measureWork } from './metrics.ts'
import { guardListener, operatorAccessOf } from './operatorAccess.ts'
import { watchIndexConsistency } from './watchIndexConsistency.ts'

export type OperationsRoutesOptions = {
  readonly readiness: Readiness
  /** Metrics of all processes that belong together, as text. */
  readonly readMetrics: () => string | Promise<string>
}

/** What anybody may ask of a process: whether it is alive, and whether it is of use. */
const healthRoutes = ({ readiness }: Pick<OperationsRoutesOptions, 'readiness'>): PlainRoute[] => [
  { method: 'GET', path: '/healthcheck', answer: () => json(200, { alive: true }) },
  {
    method: 'GET',
    path: '/ready',
    answer: async () => {
      const report = await readiness.check()
      return json(report.ready ? 200 : 503, report)
    },
  },
]

/** What only an operator may ask: how the process is doing. It has to be guarded: see operatorAccess.ts. */
const metricsRoutes = ({ readMetrics }: Pick<OperationsRoutesOptions, 'readMetrics'>): PlainRoute[] => [
  {
    method: 'GET',
    path: '/metrics',
    answer: async () => answer(200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics()),
  },
]

const json = (status: number, value: unknown): PlainAnswer =>
  answer(status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`)

const answer = (status: number, type: string, body: string): PlainAnswer => ({
  status,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
})

/** What those who look after a process want of it. */
export type OperationsSettings = {
  /** How old the newest block of the network may be; without it, any age is right. */
  readonly maxHeadAgeMs?: number | undefined
  readonly maxIndexLagMs?: number | undefined
}

/** The parts of a process that are watched, as far as it has them. */
type WatchedParts = {
  readonly pool?: NodePool | undefined
  /** The chain that the index is of. */
  readonly chain?: ComparedChain | undefined
  readonly vm?: OwnedVirtualMachine | undefined
  /** It may be on its way. */
  readonly database?: Promise<Database> | undefined
  /** Metrics of all processes that belong together, as text; without it, there is only this one. */
  readonly readAllMetrics?: (() => Promise<string>) | undefined
}

export type Operations = {
  readonly onAnswered: OnAnswered
  /** Accept requests while they can be answered in time. */
  readonly shedders: LoadShedders
  readonly readiness: Readiness
  /** For everybody. */
  readonly routes: readonly PlainRoute[]
  /** Operator routes; the caller must guard them. */
  readonly operatorRoutes: readonly PlainRoute[]
}

/** Metrics of a process that answers for another one, the primary, with those of both. */
export const readBothMetrics = async (
  metrics: Metrics,
  readPrimary: () => Promise<readonly MetricFamily[]>,
): Promise<string> => {
  const primary = { name: 'primary', families: await readPrimary() }
  return formatMetrics(joinMetrics('worker', [primary, { name: '0', families: metrics.read() }]))
}

/** Watches the parts of a process: whether they are of use, and how they are doing. */
export const openOperations = (
  metrics: Metrics,
  { maxHeadAgeMs, maxIndexLagMs }: OperationsSettings,
  { pool, chain, vm, database: opening, readAllMetrics }: WatchedParts,
): Operations => {
  const onAnswered = createRequestMetrics(metrics)
  const shedders = createLoadShedders()
  measureWork(metrics, shedders)
  if (pool !== undefined) measureNode(metrics, pool)
  if (vm !== undefined) measureMachine(metrics, vm)
  const database = opening && deferredDatabase(opening)
  if (database !== undefined) measureDatabase(metrics, database)
  const findDisagreement = chain && database && watchIndexConsistency(newestOf(chain, pool), database)
  const readiness = createReadiness({ pool, database, findDisagreement, maxHeadAgeMs, maxIndexLagMs })
  const readMetrics = readAllMetrics ?? (() => metrics.format())
  return {
    onAnswered,
    shedders,
    readiness,
    routes: healthRoutes({ readiness }),
    operatorRoutes: metricsRoutes({ readMetrics }),
  }
}

/** The chain with the newest head that its servers have told of, which may be newer than the one that was proven last. */
const newestOf = (chain: ComparedChain, pool: NodePool | undefined): ComparedChain => ({
  getHead: async (signal) => {
    const head = await chain.getHead(signal)
    return { ...head, seqno: Math.max(head.seqno, pool?.bestSeqno ?? 0) }
  },
  getBlockId: (seqno, signal) => chain.getBlockId(seqno, signal),
})

export type OperationsListener = {
  readonly address: HostPort
  readonly allowedHosts: readonly string[]
  /** Whether the process is alive, and whether it is of use. */
  readonly health: readonly PlainRoute[]
  /** What only an operator may ask. */
  readonly operatorRoutes: readonly PlainRoute[]
  /** Pages that show it, and what they load. */
  readonly pages?: readonly PlainRoute[]
}

/** Listens at an address that is for the operator alone. */
export const listenOperations = async (
  { address: { host, port }, allowedHosts, health, operatorRoutes, pages = [] }: OperationsListener,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<HttpServer> => {
  const routes = [...health, ...pages, ...guardListener(operatorRoutes, allowedHosts)]
  const server = await createHttpServer({ mounts: [], routes, logger, host, port })
  shutdown.add('operations listener', () => server.close())
  logger.info('operations listening', { url: server.url })
  return server
}

/** The same for a process that serves nothing else, where the settings name an address. */
export const listenOwnOperations = async (
  { config, logger, shutdown }: CommandContext,
  metrics: Metrics,
  parts: WatchedParts,
): Promise<void> => {
  if (config.operationsAddress === undefined) return
  const access = operatorAccessOf(config, { isEmbedded: false })
  if (access.mode !== 'listener' || access.address === undefined) return
  const { readyHeadAge: maxHeadAgeMs, readyIndexLag: maxIndexLagMs } = config
  const { routes: health, operatorRoutes } = openOperations(metrics, { maxHeadAgeMs, maxIndexLagMs }, parts)
  // Keeps the index metrics up to date in a process that serves no reads.
  void parts.database?.then((database) => database.reader())
  await listenOperations({ ...access, address: access.address, health, operatorRoutes }, logger, shutdown)
}

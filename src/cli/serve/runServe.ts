import cluster from 'node:cluster'
import type { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FrontLink } from '../../api/core/front.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { MetricFamily } from '../../observe/Metrics.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { Database } from '../../store/connect/Database.ts'
import { checkApplied, checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import { createVirtualMachine, defaultThreads, type OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { type CommandContext, hasConfiguredNetwork } from '../Command.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { ForeignIndexError, refuseAlso, UsageError } from '../errors.ts'
import { createMetrics } from '../operations/metrics.ts'
import { openOperations, readBothMetrics } from '../operations/openOperations.ts'
import { chainOfNode } from '../operations/watchIndexConsistency.ts'
import { sourceFolder } from './gatewayOptions.ts'
import { describeService, endpointOf, listenService, type ServedUrls } from './listenService.ts'
import { openDebug, openDebugger } from './openDebug.ts'
import { openEmulate } from './openEmulate.ts'
import { openServiceGateway } from './openGateway.ts'
import { openNamedNode, openPools } from './openNode.ts'
import { openPages } from './openPages.ts'
import { type OpenedPending, openSharedPending } from './openPending.ts'
import { openStreaming } from './openStreaming.ts'
import { createV2Proxy, type OpenedV2, openV2 } from './openV2.ts'
import { type OpenedV3, openDecoder, openV3 } from './openV3.ts'
import { openServiceWebhooks } from './openWebhooks.ts'
import { openServiceTokens } from './tokenRoutes.ts'
import { workersOf } from './workers/SharedSeqnos.ts'
import { openWorkerLink, type WorkerLink } from './workers/WorkerLink.ts'

const WAIT_MS = 60_000
const LOOK_MS = 1000

/**
 * A database written by an indexer in another process. It is not migrated here: waits for
 * the migration of this version, and checks that it belongs to the network.
 */
const openFilledDatabase = async (context: ServerContext, zeroState: Uint8Array | undefined): Promise<Database> => {
  const { logger, shutdown } = context
  const database = await openDatabase(context)
  const migrations = listMigrations()
  const begun = performance.now()
  for (;;) {
    const applied = await database.transaction(readApplied)
    checkApplied(applied, migrations)
    if (applied.length === migrations.length) break
    if (performance.now() - begun > WAIT_MS) checkUpToDate(applied, migrations)
    logger.info('waiting for migration', {
      applied: applied.length,
      of: migrations.length,
    })
    await delay(LOOK_MS, undefined, { signal: shutdown.signal })
  }
  const known = await database.transaction(findIndexState)
  if (zeroState !== undefined && known !== undefined && !bytesEqual(known.zeroState, zeroState)) {
    throw new ForeignIndexError()
  }
  return database
}

/** Serves the APIs only, in the configured number of processes, until shutdown. */
export const runServe = async (context: CommandContext): Promise<number | undefined> => {
  const { config } = context
  refuseAlso(config, 'serve')
  if (!hasConfiguredNetwork(config) && config.databaseUrl === undefined) {
    throw new UsageError(
      'Nothing to serve: no network and no --database-url is configured.',
      'Name the network with --network, --global-config or --liteserver for the live interface (v2), the database with --database-url for the indexed one (v3), or both.',
    )
  }
  if (workersOf(config) > 1 && cluster.isPrimary) return (await import('./workers/WorkerCrew.ts')).runWorkers(context)
  await runServer(context)
  return undefined
}

const runServer = async (context: CommandContext): Promise<void> => {
  const { shutdown, show } = context
  const link = openWorkerLink(shutdown)
  const { urls, ...facts } = await openServer(context, link)
  if (shutdown.signal.aborted) return
  if (link === undefined) show(describeService(urls, facts))
  else link.ready(urls)
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
}

/** What another process of the service gives to the one that answers. */
export type GivenParts = {
  readonly database: Database
  readonly port: number
  readonly front: FrontLink | undefined
  /** Listen on that port already. */
  readonly sockets: readonly Server[]
  readonly readPrimaryMetrics: () => Promise<readonly MetricFamily[]>
}

export type ServerContext = Pick<CommandContext, 'config' | 'beside' | 'logger' | 'shutdown' | 'workingDir' | 'version'>

export type OpenedServer = { readonly urls: ServedUrls; readonly hasLive: boolean; readonly hasIndex: boolean }

/** Serves the APIs over what the settings name, or what is given. */
export const openServer = async (
  context: ServerContext,
  link: WorkerLink | undefined,
  given?: GivenParts,
): Promise<OpenedServer> => {
  const { config, logger, shutdown, workingDir } = context
  const metrics = createMetrics(shutdown)
  link?.share(metrics)
  const live = hasConfiguredNetwork(config) ? await openLive(context) : undefined
  const zeroState = live?.zeroState.rootHash
  const database =
    given?.database ?? (config.databaseUrl === undefined ? undefined : await openFilledDatabase(context, zeroState))
  const redisUrl = config.redisUrl?.reveal()
  const pending =
    live &&
    database &&
    openSharedPending({ ...live, zeroState: live.zeroState.rootHash, redisUrl, logger }, database, link, shutdown)
  const v2 = live && (await serveLive(context, live, pending))
  const v3 = database && (await serveIndex(context, database, v2, pending))
  const gateway = await openServiceGateway(context, { zeroState, database })
  const operations = openOperations(
    metrics,
    { maxHeadAgeMs: config.readyHeadAge, maxIndexLagMs: config.readyIndexLag },
    {
      pool: live?.node.pool,
      chain: live && chainOfNode(live.node),
      vm: live?.vm,
      database: database && Promise.resolve(database),
      readAllMetrics: link
        ? () => link.readAllMetrics()
        : given && (() => readBothMetrics(metrics, given.readPrimaryMetrics)),
    },
  )
  const { network, dialect } = config
  const replays = live && (await openDebugger({ node: live.node, database, logger, shutdown }))
  const emulation =
    live &&
    replays &&
    (await openEmulate({
      replays,
      node: live.node,
      dialect,
      database,
      decoder: openDecoder(context),
      pending: pending?.traces,
      settings: { testOnly: network === 'test' },
      logger,
      shutdown,
    }))
  const debug =
    replays &&
    emulation &&
    openDebug({
      debugger: replays,
      database,
      decoder: openDecoder(context),
      emulation,
      sourceFolder: sourceFolder(config, workingDir),
    })
  const mounts = [v2, v3, emulation, debug].flatMap((each) => each?.mounts ?? [])
  const {
    streams,
    opened,
    mounts: streamMounts,
  } = openStreaming({
    database: database && Promise.resolve(database),
    decoder: openDecoder(context),
    dialect,
    testOnly: network === 'test',
    accessControl: gateway?.gate,
    pending,
    settings: config,
    maxHeadAgeMs: config.readyHeadAge,
    metrics,
    logger,
    shutdown,
  })
  mounts.push(...streamMounts)
  const webhooks = openServiceWebhooks(context, { database, opened, decoder: openDecoder(context), metrics })
  if (webhooks !== undefined) mounts.push(webhooks.mount)
  const tokens = openServiceTokens(context, v3 && database)
  const pages = openPages(
    { hasIndex: v3 !== undefined, hasControls: false, network: context.beside?.name ?? network, dialect, tokens },
    mounts,
  )
  const served = { mounts, pages, operations, gateway, streams }
  const endpoint = {
    ...endpointOf(config),
    ...(given && { port: given.port, sockets: given.sockets, front: given.front }),
  }
  const urls = await listenService(endpoint, served, logger, shutdown)
  webhooks?.notePort(Number(new URL(urls.url).port))
  return { urls, hasLive: v2 !== undefined, hasIndex: v3 !== undefined }
}

type Live = {
  readonly node: ProvenNode
  readonly zeroState: BlockIdExt
  readonly anchor: BlockIdExt
  readonly vm: OwnedVirtualMachine
}

const openLive = async (context: ServerContext): Promise<Live> => {
  const { config, logger, shutdown } = context
  const opened = await openNamedNode(context)
  // All workers share the cores.
  const workers = shareOf(defaultThreads(), workersOf(config))
  const vm = await createVirtualMachine({ logger, workers, checkRate: config.vmCheck / 100 })
  shutdown.add('virtual machine', () => vm.close())
  return { ...opened, vm }
}

const CACHE_BYTES = 128 * 1024 * 1024
/** Of v3: for some ten thousand transactions. */
export const TEXT_CACHE_BYTES = 64 * 1024 * 1024
/** Each worker has a slow lane of its own while it gets long requests. */
const SLOW_LANE_MIB = 2048
const MIN_SLOW_LANE_MIB = 512

const serveLive = async (
  context: ServerContext,
  live: Live,
  pending: Pick<OpenedPending, 'onSent' | 'confirmations'> | undefined,
): Promise<OpenedV2> => {
  const { config } = context
  return openV2({
    ...live,
    pools: await openPools(context, live),
    dialect: config.dialect,
    cacheBytes: shareOf(CACHE_BYTES, workersOf(config)),
    responseCache: config.responseCache,
    ...(pending !== undefined && { onSent: pending.onSent, confirmations: pending.confirmations }),
  })
}

const serveIndex = (
  context: ServerContext,
  database: Database,
  v2: OpenedV2 | undefined,
  pending: Pick<OpenedPending, 'traces'> | undefined,
): Promise<OpenedV3> => {
  const { config, logger, shutdown } = context
  return openV3({
    database,
    decoder: openDecoder(context),
    ...(pending !== undefined && { pending: pending.traces }),
    live: v2 && createV2Proxy(v2.mounts[0]!),
    dialect: config.dialect,
    settings: { testOnly: config.network === 'test' },
    textCacheBytes: config.responseCache ? shareOf(TEXT_CACHE_BYTES, workersOf(config)) : 0,
    slowLane: { logger, shutdown, heapMib: Math.max(MIN_SLOW_LANE_MIB, shareOf(SLOW_LANE_MIB, workersOf(config))) },
  })
}

const shareOf = (whole: number, workers: number): number => Math.max(1, Math.floor(whole / workers))

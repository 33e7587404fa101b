import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { Database } from '../../store/connect/Database.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { namesNetwork } from '../namesNetwork.ts'
import { createMetrics, openOperations } from '../operations/openOperations.ts'
import { chainOfNode } from '../operations/watchAgreement.ts'
import { createAskLive } from './createAskLive.ts'
import { describeService } from './describeService.ts'
import { listenService, placeOf } from './listenService.ts'
import { openDecoder } from './openDecoder.ts'
import { openFilledDatabase } from './openFilledDatabase.ts'
import { openNamedNode } from './openNamedNode.ts'
import { openPages } from './openPages.ts'
import type { OpenedPending } from './openPending.ts'
import { openPools } from './openPools.ts'
import { openServiceGateway } from './openServiceGateway.ts'
import { openSharedPending } from './openSharedPending.ts'
import { type OpenedV2, openV2 } from './openV2.ts'
import { type OpenedV3, openV3 } from './openV3.ts'
import { openWorkerLink } from './workers/WorkerLink.ts'

/** Serves the interfaces and nothing else, in as many processes as the settings say, until they are told to stop. */
export const runServe = async (context: CommandContext): Promise<number | undefined> => {
  const { config } = context
  if (!namesNetwork(config) && config.databaseUrl === undefined) {
    throw new UsageError(
      'There is nothing to serve: neither a network nor a database is named.',
      'Name the network with --network, --global-config or --liteserver for the live interface (v2), the database with --database-url for the indexed one (v3), or both.',
    )
  }
  if (config.workers > 1 && cluster.isPrimary) return (await import('./workers/runWorkers.ts')).runWorkers(context)
  await runServer(context)
  return undefined
}

const runServer = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show } = context
  const link = openWorkerLink(shutdown)
  const metrics = createMetrics(shutdown)
  link?.share(metrics)
  const live = namesNetwork(config) ? await openLive(context) : undefined
  const zeroState = live?.zeroState.rootHash
  const database = config.databaseUrl === undefined ? undefined : await openFilledDatabase(context, zeroState)
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
      readAllMetrics: link && (() => link.readAllMetrics()),
    },
  )
  const mounts = [...(v2?.mounts ?? []), ...(v3?.mounts ?? [])]
  const { network, dialect } = config
  const pages = openPages({ hasIndex: v3 !== undefined, hasControls: false, network, dialect }, mounts)
  const urls = await listenService(placeOf(config), { mounts, pages, operations, gateway }, logger, shutdown)
  if (shutdown.signal.aborted) return
  if (link === undefined) show(describeService(urls, { hasLive: v2 !== undefined, hasIndex: v3 !== undefined }))
  else link.ready(urls)
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
}

type Live = {
  readonly node: ProvenNode
  readonly zeroState: BlockIdExt
  readonly anchor: BlockIdExt
  readonly vm: OwnedVirtualMachine
}

const openLive = async (context: CommandContext): Promise<Live> => {
  const { config, logger, shutdown } = context
  const opened = await openNamedNode(context)
  // The cores are there for all workers together.
  const workers = shareOf(availableParallelism() - 1, config.workers)
  const vm = await createVirtualMachine({ logger, workers, checkRate: config.vmCheck / 100 })
  shutdown.add('virtual machine', () => vm.close())
  return { ...opened, vm }
}

const CACHE_BYTES = 128 * 1024 * 1024

const serveLive = async (
  context: CommandContext,
  live: Live,
  pending: Pick<OpenedPending, 'onSent'> | undefined,
): Promise<OpenedV2> => {
  const { dialect, workers } = context.config
  return openV2({
    ...live,
    pools: await openPools(context, live),
    dialect,
    cacheBytes: shareOf(CACHE_BYTES, workers),
    ...(pending !== undefined && { onSent: pending.onSent }),
  })
}

const serveIndex = (
  context: CommandContext,
  database: Database,
  v2: OpenedV2 | undefined,
  pending: Pick<OpenedPending, 'traces'> | undefined,
): Promise<OpenedV3> =>
  openV3({
    database,
    decoder: openDecoder(context),
    ...(pending !== undefined && { pending: pending.traces }),
    live: v2 && createAskLive(v2.mounts[0]!),
    dialect: context.config.dialect,
    settings: { testOnly: context.config.network === 'test' },
    slowLane: context,
  })

const shareOf = (whole: number, workers: number): number => Math.max(1, Math.floor(whole / workers))

import { availableParallelism } from 'node:os'
import type { Mount } from '../../api/core/Mount.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Database } from '../../store/connect/Database.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { migrate, openDatabase } from '../database/openDatabase.ts'
import { expectRange } from '../errors.ts'
import { openChainOfNode } from '../index/openChain.ts'
import { openDecoders, openIndexer } from '../index/openIndexer.ts'
import { createMetrics } from '../operations/metrics.ts'
import { openOperations } from '../operations/openOperations.ts'
import { chainOfNode } from '../operations/watchIndexConsistency.ts'
import type { ReservedPort } from '../start/ReservedPort.ts'
import { sourceFolder } from './gatewayOptions.ts'
import { describeService, endpointOf, listenService } from './listenService.ts'
import { openDebug, openDebugger } from './openDebug.ts'
import { openEmulate } from './openEmulate.ts'
import { openServiceGateway } from './openGateway.ts'
import { openNamedNode, openPools } from './openNode.ts'
import { openPages } from './openPages.ts'
import { type OpenedPending, openPending } from './openPending.ts'
import { openStreaming } from './openStreaming.ts'
import { createV2Proxy, openV2 } from './openV2.ts'
import { openDecoder, openV3 } from './openV3.ts'
import { openServiceWebhooks } from './openWebhooks.ts'
import { openServiceTokens } from './tokenRoutes.ts'

/** Serves the APIs over the configured network and runs the indexer, until shutdown. */
export const runService = async (context: CommandContext, http: ReservedPort): Promise<void> => {
  const { config, logger, shutdown, show, steps, workingDir } = context
  const { dialect, responseCache } = config
  const metrics = createMetrics(shutdown)
  // Validates the settings before anything is started.
  expectRange(config)
  const decoder = openDecoder(context)
  const { node, zeroState, anchor } = await steps.run('liteservers', openNamedNode(context))
  const pools = await openPools(context, { zeroState, anchor })
  const vm = await createVirtualMachine({ logger, checkRate: config.vmCheck / 100 })
  shutdown.add('virtual machine', () => vm.close())
  const pending = config.index
    ? openPending({ node, vm, zeroState: zeroState.rootHash, redisUrl: config.redisUrl?.reveal(), logger }, shutdown)
    : undefined
  const { mounts: live } = openV2({
    node,
    vm,
    dialect,
    pools,
    responseCache,
    ...(pending !== undefined && { onSent: pending.onSent, confirmations: pending.confirmations }),
  })
  const index =
    pending &&
    (await openIndex(context, { node, vm, zeroState: zeroState.rootHash, live: live[0]!, decoder, pending, metrics }))
  const replays = await openDebugger({ node, database: index?.database, logger, shutdown })
  const emulation = await openEmulate({
    node,
    replays,
    dialect,
    database: index?.database,
    decoder,
    pending: pending?.traces,
    settings: { testOnly: config.network === 'test' },
    logger,
    shutdown,
  })
  const debug = openDebug({
    debugger: replays,
    database: index?.database,
    decoder,
    emulation,
    sourceFolder: sourceFolder(config, workingDir),
  })
  const mounts = [...live, ...(index?.mounts ?? []), ...emulation.mounts, ...debug.mounts]
  const gateway = await openServiceGateway(context, { zeroState: zeroState.rootHash, database: index?.database })
  const operations = openOperations(
    metrics,
    { maxHeadAgeMs: config.readyHeadAge, maxIndexLagMs: config.readyIndexLag },
    { pool: node.pool, chain: chainOfNode(node), vm, database: index && Promise.resolve(index.database) },
  )
  const {
    streams,
    opened,
    mounts: streamMounts,
  } = openStreaming({
    database: index && Promise.resolve(index.database),
    decoder,
    dialect,
    testOnly: config.network === 'test',
    accessControl: gateway?.gate,
    pending,
    settings: config,
    maxHeadAgeMs: config.readyHeadAge,
    metrics,
    logger,
    shutdown,
  })
  mounts.push(...streamMounts)
  const webhooks = openServiceWebhooks(context, { database: index?.database, opened, decoder, metrics })
  if (webhooks !== undefined) mounts.push(webhooks.mount)
  const pages = openPages(
    {
      hasIndex: index !== undefined,
      hasControls: false,
      network: context.beside?.name ?? config.network,
      dialect,
      tokens: openServiceTokens(context, index?.database),
    },
    mounts,
  )
  const served = { mounts, pages, operations, gateway, streams }
  const urls = await listenService(
    { ...endpointOf(config), port: http.port, sockets: [http.socket], front: http.front },
    served,
    logger,
    shutdown,
  )
  webhooks?.notePort(Number(new URL(urls.url).port))
  if (shutdown.signal.aborted) return
  show(describeService(urls, { hasLive: true, hasIndex: index !== undefined }))
  const stopped = new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
  await (index === undefined ? stopped : Promise.race([stopped, index.failed]))
}

type IndexParts = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Root hash of the masterchain zerostate. */
  readonly zeroState: Uint8Array
  readonly live: Mount
  readonly decoder: BodyDecoder
  readonly pending: OpenedPending
  readonly metrics: Metrics
}

type OpenedIndex = { readonly mounts: readonly Mount[]; readonly database: Database; readonly failed: Promise<never> }

const openIndex = async (
  context: CommandContext,
  { node, vm, zeroState, live, decoder, pending, metrics }: IndexParts,
): Promise<OpenedIndex> => {
  const { logger, shutdown, steps, config } = context
  const decoders = openDecoders(context)
  const chain = await openChainOfNode(context, (block, signal) => decoders.checkRoot(block, signal), node, zeroState)
  const database = await steps.run('PostgreSQL', openDatabase(context))
  await steps.run('tables', migrate(database, logger, shutdown.signal))
  const vmWorkers = Math.max(1, availableParallelism() - 1)
  const indexer = openIndexer(context, { chain, database, decoders, vm, vmWorkers, metrics })
  pending.begin(Promise.resolve(database))
  const v3 = await openV3({
    database,
    decoder,
    pending: pending.traces,
    live: createV2Proxy(live),
    dialect: config.dialect,
    settings: { testOnly: config.network === 'test' },
    ...(!config.responseCache && { textCacheBytes: 0 }),
    slowLane: { logger, shutdown },
  })
  // The indexer may finish by itself (--to); the APIs keep running.
  const failed = new Promise<never>((_done, fail) => indexer.done.catch(fail))
  return { mounts: v3.mounts, database, failed }
}

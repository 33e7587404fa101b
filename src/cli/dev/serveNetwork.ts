import type { Server } from 'node:net'
import type { FrontLink } from '../../api/core/front.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { mount } from '../../api/core/Mount.ts'
import { dev } from '../../api/dev/index.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Network } from '../../devnet/network/createNetwork.ts'
import { findTransactionPosition } from '../../devnet/network/rerunTransaction.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { deferredDatabase } from '../database/openDatabase.ts'
import { createMetrics } from '../operations/metrics.ts'
import { openOperations, readBothMetrics } from '../operations/openOperations.ts'
import type { OperatorAccess } from '../operations/operatorAccess.ts'
import { chainOfNode } from '../operations/watchIndexConsistency.ts'
import type { GatewayOptions } from '../serve/gatewayOptions.ts'
import { type Drain, listenService, type ServedUrls } from '../serve/listenService.ts'
import { openDebug, openDebugger } from '../serve/openDebug.ts'
import { openEmulate } from '../serve/openEmulate.ts'
import { openGateway } from '../serve/openGateway.ts'
import { openEmbeddedNode } from '../serve/openNode.ts'
import { openPages } from '../serve/openPages.ts'
import { openPending } from '../serve/openPending.ts'
import { openStreaming, type StreamingSettings } from '../serve/openStreaming.ts'
import { createV2Proxy, type OpenedV2, openV2 } from '../serve/openV2.ts'
import { openV3, type V3Options } from '../serve/openV3.ts'
import { openWebhooks, type WebhookOptions } from '../serve/openWebhooks.ts'
import { openTokenRoutes } from '../serve/tokenRoutes.ts'
import type { StartSteps } from '../start/steps.ts'
import { ForkedNode } from './ForkedNode.ts'
import { announceSent, type NetworkFacts, type NetworkSource } from './NetworkSource.ts'

export type HttpOptions = {
  readonly host?: string
  /** 0, the default, picks a free port. */
  readonly port?: number
  /** Servers that listen there already, on copies of one socket. They are taken over. */
  readonly sockets?: readonly Server[] | undefined
  /** The front that forwards requests to it. */
  readonly front?: FrontLink | undefined
  /** Bearer token of the controls; without it, only programs on this machine may use them. */
  readonly controlsToken?: string | undefined
  /** Where operator endpoints are served; default: on the same port, for programs on this machine. */
  readonly operator?: OperatorAccess
  /** Dialect below /api; default: chain. */
  readonly dialect?: Dialect
  /** False: no v2 response or reading is reused. Default: true. */
  readonly responseCache?: boolean
  /** Maximum lag of the index before /ready answers 503. */
  readonly maxIndexLagMs?: number
  readonly drain?: Drain
  /** Name of the network on pages; default: embedded. */
  readonly name?: string | undefined
  /** API keys and rate limits; without it, there are none. */
  readonly gateway?: GatewayOptions | undefined
  /** Prefixes and bounds of streaming; without it, the defaults. */
  readonly streaming?: StreamingSettings
  /** Where the debugger keeps source maps; default: in memory. */
  readonly sourceFolder?: string | undefined
  /** Webhooks over the index; without it, there are none. */
  readonly webhooks?: Pick<WebhookOptions, 'settings' | 'secret'> | undefined
}

/** The index that v3 reads. */
export type ReadPlan = {
  /** Decoder of message bodies; default: the built-in layouts. */
  readonly decoder: BodyDecoder | undefined
  /** URL of a Redis server through which processes share pending traces. */
  readonly redisUrl: string | undefined
}

/** An index that this process writes to a database. */
export type IndexPlan = ReadPlan & {
  readonly opening: Promise<Database>
  readonly reset: boolean
  readonly steps: Pick<StartSteps, 'run'>
}

/** An index that another process writes. */
export type IndexedPlan = ReadPlan & { readonly indexed: Promise<Database> }

export type ServedNetwork = ServedUrls & {
  /** Resolves when the indexer is running, rejects if it cannot start; `undefined` without an index. */
  readonly indexed: Promise<unknown> | undefined
}

const DRAIN: Drain = { delayMs: 0, timeoutMs: 5000 }
const PRIVATE: OperatorAccess = { mode: 'private', allowedHosts: [] }

/** The network of this process. */
export const sourceOf = (network: Network, facts: NetworkFacts): NetworkSource => ({
  ...facts,
  fork: network.liteserver.fork,
  findPosition: (hash) => findTransactionPosition(network.store, hash),
  mountControls: (options, onSent) => {
    const announced = announceSent(network.controls, onSent)
    return mount(dev, () => announced, options)
  },
  watch: ({ appended, reverted }) => network.store.watch({ appended: ({ id }) => appended(id.seqno), reverted }),
})

/** The node is in this machine and answers at once: large caches would cost more memory than they save time. */
const NODE_CACHE_BYTES = 8 * 1024 * 1024
const ANSWER_CACHE_BYTES = 16 * 1024 * 1024

/**
 * Serves a network over HTTP: its controls, and the APIs, which use its liteserver like that of any other network.
 */
export const serveNetwork = async (
  source: NetworkSource,
  {
    controlsToken,
    operator = PRIVATE,
    maxIndexLagMs,
    dialect = 'chain',
    responseCache = true,
    sourceFolder,
    ...http
  }: HttpOptions,
  logger: Logger,
  shutdown: Shutdown,
  plan?: IndexPlan | IndexedPlan,
): Promise<ServedNetwork> => {
  const { zeroState, fork, findPosition, readNetworkMetrics } = source
  const metrics = createMetrics(shutdown)
  const opened = await openEmbeddedNode(source, logger, shutdown, {
    reuseReads: responseCache,
    cacheBytes: NODE_CACHE_BYTES,
  })
  const node = fork === undefined ? opened : new ForkedNode(opened, fork)
  // A separate VM, so that get-methods cannot delay block production.
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine of the interfaces', () => vm.close())
  const pending =
    plan && openPending({ node, vm, zeroState: zeroState.rootHash, redisUrl: plan.redisUrl, logger }, shutdown)
  const v2 = openV2({
    node,
    vm,
    dialect,
    responseCache,
    cacheBytes: ANSWER_CACHE_BYTES,
    ...(pending !== undefined && { onSent: pending.onSent, confirmations: pending.confirmations }),
  })
  const index =
    plan &&
    ('indexed' in plan
      ? { ready: plan.indexed, restart: () => undefined }
      : (await import('./indexNetwork.ts')).indexNetwork(
          { ...plan, node, vm, zeroState: zeroState.rootHash, logger, metrics },
          shutdown,
        ))
  const v3 = index && (await serveIndex(index.ready, plan, v2, dialect, pending?.traces, { logger, shutdown }))
  const database = index && deferredDatabase(index.ready)
  const replays = await openDebugger({ node, database, findPosition, logger, shutdown })
  const emulation = await openEmulate({
    node,
    dialect,
    database,
    replays,
    decoder: plan?.decoder,
    pending: pending?.traces,
    settings: { testOnly: false },
    logger,
    shutdown,
  })
  const debug = openDebug({
    debugger: replays,
    emulation,
    database,
    decoder: plan?.decoder,
    sourceFolder,
  })
  if (index !== undefined) pending?.begin(index.ready)
  // After a control that makes or reverts blocks, the next answer must reflect it.
  source.watch({
    appended: (seqno) => node.trust.expectNewer(seqno),
    reverted: () => {
      v2.forget()
      replays.forget()
      pending?.forget()
      index?.restart()
    },
  })
  const controls = { token: controlsToken, allowedHosts: operator.allowedHosts }
  const mounts = [
    source.mountControls(controls, (message) => pending?.onSent(message)),
    ...v2.mounts,
    ...(v3 === undefined ? [] : v3.mounts),
    ...debug.mounts,
    ...emulation.mounts,
  ]
  // The newest block may be of any age: an idle network makes no blocks, and its clock may be virtual.
  const operations = openOperations(
    metrics,
    { maxIndexLagMs },
    {
      pool: node.pool,
      chain: chainOfNode(node),
      vm,
      database: index?.ready,
      readAllMetrics: readNetworkMetrics && (() => readBothMetrics(metrics, readNetworkMetrics)),
    },
  )
  const { host = '127.0.0.1', port = 0, drain = DRAIN } = http
  const gateway =
    http.gateway &&
    (await openGateway(http.gateway, { zeroState: zeroState.rootHash, database: index?.ready, logger }, shutdown))
  gateway?.ready.catch(async (error: unknown) => {
    // An index that cannot be opened is reported by the code that awaits it.
    const isOpen = await index?.ready.then(
      () => true,
      () => false,
    )
    if (isOpen && !shutdown.signal.aborted)
      logger.warn('api keys unavailable', error instanceof CodedError ? { reason: error.message } : { error })
  })
  const {
    streams,
    opened: openedLog,
    mounts: streamMounts,
  } = openStreaming({
    database: index?.ready,
    decoder: plan?.decoder,
    dialect,
    testOnly: false,
    accessControl: gateway?.gate,
    pending,
    settings: http.streaming,
    maxHeadAgeMs: undefined,
    metrics,
    logger,
    shutdown,
  })
  mounts.push(...streamMounts)
  const webhooks =
    index &&
    openedLog &&
    http.webhooks &&
    openWebhooks({
      ...http.webhooks,
      network: 'custom',
      isEmbedded: true,
      dialect,
      testOnly: false,
      decoder: plan.decoder,
      database: index.ready,
      opened: openedLog,
      metrics,
      logger,
      shutdown,
    })
  if (webhooks !== undefined) mounts.push(webhooks.mount)
  const tokens = database && openTokenRoutes({ database, rules: undefined }, shutdown)
  const { accounts } = source
  const pages = openPages(
    { hasIndex: index !== undefined, hasControls: true, network: http.name ?? 'embedded', dialect, tokens, accounts },
    mounts,
  )
  const parts = { mounts, pages, operations, gateway, streams }
  const urls = await listenService(
    { host, port, sockets: http.sockets, front: http.front, drain, operator },
    parts,
    logger,
    shutdown,
  )
  webhooks?.notePort(Number(new URL(urls.url).port))
  return { ...urls, indexed: index?.ready }
}

/** The database may start later than everything else; requests before that get a retryable error. */
const serveIndex = (
  ready: Promise<Database>,
  { decoder }: ReadPlan,
  { mounts }: OpenedV2,
  dialect: Dialect,
  pending: PendingTraces | undefined,
  slowLane: NonNullable<V3Options['slowLane']>,
) =>
  openV3({
    database: deferredDatabase(ready),
    ...(decoder !== undefined && { decoder }),
    ...(pending !== undefined && { pending }),
    live: createV2Proxy(mounts[0]!),
    dialect,
    settings: { testOnly: false },
    slowLane,
  })

import type { Dialect } from '../../api/core/Interface.ts'
import { mount } from '../../api/core/Mount.ts'
import { dev } from '../../api/dev/index.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { FaceServer } from '../../devnet/face/listenFace.ts'
import type { Network } from '../../devnet/network/createNetwork.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { createMetrics, openOperations } from '../operations/openOperations.ts'
import type { OperatorAccess } from '../operations/operatorAccess.ts'
import { chainOfNode } from '../operations/watchAgreement.ts'
import { createAskLive } from '../serve/createAskLive.ts'
import { lateDatabase } from '../serve/lateDatabase.ts'
import { type Drain, listenService, type ServedUrls } from '../serve/listenService.ts'
import { type GatewayOptions, openGateway } from '../serve/openGateway.ts'
import { openNode } from '../serve/openNode.ts'
import { openPages } from '../serve/openPages.ts'
import { openPending } from '../serve/openPending.ts'
import { type OpenedV2, openV2 } from '../serve/openV2.ts'
import { openV3, type V3Options } from '../serve/openV3.ts'
import { indexNetwork } from './indexNetwork.ts'
import { tellSent } from './tellSent.ts'

export type HttpOptions = {
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** What callers of the controls must name; without it, they must be programs on this machine. */
  readonly controlsToken?: string | undefined
  /** Where what is for an operator is served: at the same port, to programs on this machine, unless told otherwise. */
  readonly operator?: OperatorAccess
  /** What is spoken below /api: the neutral dialect, unless this says otherwise. */
  readonly dialect?: Dialect
  /** How far the index may be behind before it is said to be. */
  readonly maxIndexLagMs?: number
  readonly drain?: Drain
  /** What may be asked, and with what keys; without it, everybody may ask as much as he likes. */
  readonly gateway?: GatewayOptions | undefined
}

/** The database that the index of the network is kept in. */
export type IndexPlan = {
  readonly opening: Promise<Database>
  readonly reset: boolean
  /** What bodies mean; without it, what is known of them without being told. */
  readonly decoder: BodyDecoder | undefined
  /** By which what is pending is shared with other processes. */
  readonly redisUrl: string | undefined
}

export type ServedNetwork = ServedUrls & {
  /** Resolves when the network is being indexed, and rejects where it cannot be; `undefined` where it is not to be. */
  readonly indexed: Promise<unknown> | undefined
}

const QUERY_TIMEOUT_MS = 10_000
const DRAIN: Drain = { delayMs: 0, timeoutMs: 5000 }
const PRIVATE: OperatorAccess = { mode: 'private', allowedHosts: [] }

/**
 * Serves a network over HTTP: its controls, and the interfaces, which reach it by its liteserver as they would any other.
 */
export const serveNetwork = async (
  { controls, store, initBlock: anchor }: Network,
  { host: liteHost, port: litePort, publicKey }: FaceServer,
  { controlsToken, operator = PRIVATE, maxIndexLagMs, dialect = 'chain', ...place }: HttpOptions,
  logger: Logger,
  shutdown: Shutdown,
  plan?: IndexPlan,
): Promise<ServedNetwork> => {
  const metrics = createMetrics(shutdown)
  const servers = [{ host: reachable(liteHost), port: litePort, publicKey }]
  const trust = { zeroState: store.zeroState, anchor, proofs: 'full' } as const
  const node = await openNode({ servers, ...trust, queryTimeoutMs: QUERY_TIMEOUT_MS, logger }, shutdown)
  // Its own, so that no get-method can keep the network from making blocks.
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine of the interfaces', () => vm.close())
  const pending =
    plan && openPending({ node, vm, zeroState: store.zeroState.rootHash, redisUrl: plan.redisUrl, logger }, shutdown)
  const v2 = openV2({ node, vm, dialect, ...(pending !== undefined && { onSent: pending.onSent }) })
  const index =
    plan && indexNetwork({ ...plan, node, vm, zeroState: store.zeroState.rootHash, logger, metrics }, shutdown)
  const v3 = index && (await serveIndex(index.ready, plan, v2, dialect, pending?.traces, { logger, shutdown }))
  if (index !== undefined) pending?.begin(index.ready)
  // Whoever has made a block, or taken some back, sees it in the next answer.
  store.watch({
    appended: ({ id }) => node.trust.expectNewer(id.seqno),
    reverted: () => {
      v2.forget()
      pending?.forget()
      index?.restart()
    },
  })
  const told = pending === undefined ? controls : tellSent(controls, pending.onSent)
  const mounts = [
    mount(dev, () => told, { token: controlsToken, allowedHosts: operator.allowedHosts }),
    ...v2.mounts,
    ...(v3 === undefined ? [] : v3.mounts),
  ]
  // Its newest block may be of any age: it stands still where nothing is to be done, and its clock is moved by hand.
  const operations = openOperations(
    metrics,
    { maxIndexLagMs },
    { pool: node.pool, chain: chainOfNode(node), vm, database: index?.ready },
  )
  const { host = '127.0.0.1', port = 0, drain = DRAIN } = place
  const gateway =
    place.gateway &&
    (await openGateway(
      place.gateway,
      { zeroState: store.zeroState.rootHash, database: index?.ready, logger },
      shutdown,
    ))
  gateway?.ready.catch((error: unknown) => {
    if (!shutdown.signal.aborted)
      logger.warn('no API key is known', error instanceof CodedError ? { reason: error.message } : { error })
  })
  const pages = openPages({ hasIndex: index !== undefined, hasControls: true, network: 'embedded', dialect }, mounts)
  const parts = { mounts, pages, operations, gateway }
  const urls = await listenService({ host, port, drain, operator }, parts, logger, shutdown)
  return { ...urls, indexed: index?.ready }
}

/** The database may take a while longer than all the rest; whoever asks before it is there is told so. */
const serveIndex = (
  ready: Promise<Database>,
  { decoder }: IndexPlan,
  { mounts }: OpenedV2,
  dialect: Dialect,
  pending: PendingTraces | undefined,
  slowLane: NonNullable<V3Options['slowLane']>,
) =>
  openV3({
    database: lateDatabase(ready),
    ...(decoder !== undefined && { decoder }),
    ...(pending !== undefined && { pending }),
    live: createAskLive(mounts[0]!),
    dialect,
    settings: { testOnly: false },
    slowLane,
  })

/** An address that means all of this machine's can be listened at, not called. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

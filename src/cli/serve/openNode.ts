import { join, resolve } from 'node:path'
import { ProvenNode } from '../../node/ProvenNode.ts'
import { NodePool } from '../../node/pool/NodePool.ts'
import { type SharedHeads, TrustedChain, type TrustMode } from '../../node/TrustedChain.ts'
import { TrustStore } from '../../node/TrustStore.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import type { CommandContext } from '../Command.ts'
import { readNetwork } from '../compose.ts'
import type { NetworkFacts } from '../dev/NetworkSource.ts'
import { NetworkSettingsError } from '../errors.ts'
import { dataFolder } from './gatewayOptions.ts'
import { openSharedSeqnos, workersOf } from './workers/SharedSeqnos.ts'

export type NodeOptions = {
  readonly servers: readonly LiteServerAddress[]
  readonly zeroState: BlockIdExt
  /** The block where trust starts. */
  readonly anchor: BlockIdExt
  readonly proofs: TrustMode
  readonly queryTimeoutMs: number
  readonly store?: TrustStore | undefined
  /** Heads shared between the processes of this service. */
  readonly shared?: SharedHeads | undefined
  /** Maximum age of the newest block before the pool polls for the next one. */
  readonly freshMs?: number
  /** False: nothing read of accounts and transactions is reused. */
  readonly reuseReads?: boolean
  /** Size of the cache for answers that never change. */
  readonly cacheBytes?: number
  readonly logger: Logger
}

const MAX_CONNECT_MS = 5000
/** Maximum backoff: reconnects soon after a long outage. */
const BACKOFF = { firstMs: 250, maxMs: 2000 }

/** Opens a node: starts health checks of its liteservers and loads the blocks proven by earlier runs. */
export const openNode = async (options: NodeOptions, shutdown: Pick<Shutdown, 'add'>): Promise<ProvenNode> => {
  const { servers, zeroState, anchor, proofs, queryTimeoutMs, store, shared, freshMs, logger } = options
  const { reuseReads, cacheBytes } = options
  const pool = new NodePool(servers, {
    logger,
    zeroStateRootHash: zeroState.rootHash,
    timeoutMs: queryTimeoutMs,
    connectTimeoutMs: Math.min(queryTimeoutMs, MAX_CONNECT_MS),
    backoff: BACKOFF,
  })
  shutdown.add('liteserver clients', () => pool.close())
  await pool.start()
  const trust = new TrustedChain(pool, {
    mode: proofs,
    anchor,
    store,
    shared,
    logger,
    ...(freshMs !== undefined && { freshMs }),
  })
  await trust.load()
  return new ProvenNode(pool, trust, {
    ...(reuseReads !== undefined && { reuseReads }),
    ...(cacheBytes !== undefined && { cacheBytes }),
  })
}

const EMBEDDED_TIMEOUT_MS = 10_000

/** The liteserver of an embedded network, asked as that of any other one. */
export const openEmbeddedNode = (
  { liteserver, zeroState, anchor }: NetworkFacts,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
  reads: Pick<NodeOptions, 'reuseReads' | 'cacheBytes'> = {},
): Promise<ProvenNode> => {
  const trust = { zeroState, anchor, proofs: 'full' } as const
  return openNode({ servers: [liteserver], ...trust, queryTimeoutMs: EMBEDDED_TIMEOUT_MS, ...reads, logger }, shutdown)
}

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

/** Opens the configured network; proven blocks are stored in the data folder. */
export const openNamedNode = async (
  context: Context,
): Promise<{ readonly node: ProvenNode; readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt }> => {
  const { config, logger, shutdown, workingDir } = context
  const { servers, origin } = await readNetwork(context)
  if (origin === undefined) {
    throw new NetworkSettingsError('Proofs cannot be checked without the global configuration of the network.')
  }
  const { zeroState, anchor } = origin
  const { proofs, queryTimeout: queryTimeoutMs, responseCache: reuseReads } = config
  const store = new TrustStore(resolve(workingDir, config.dataDir), zeroState, logger)
  const shared = openSharedSeqnos(workersOf(config))?.headsOf(0)
  const options = { servers, zeroState, anchor, proofs, queryTimeoutMs, store, shared, reuseReads, logger }
  const node = await openNode(options, shutdown)
  return { node, zeroState, anchor }
}

/** Opens the reserved liteservers, by pool name. */
export const openPools = async (
  { config, logger, shutdown, workingDir }: Context,
  origin: { readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt },
): Promise<ReadonlyMap<string, ProvenNode>> => {
  const servers = new Map<string, LiteServerAddress[]>()
  for (const { pool, server } of config.nodePools) servers.set(pool, [...(servers.get(pool) ?? []), server])
  const { proofs, queryTimeout: queryTimeoutMs, responseCache: reuseReads } = config
  const seqnos = openSharedSeqnos(workersOf(config))
  const opened = [...servers].map(async ([pool, own], at): Promise<[string, ProvenNode]> => {
    // Each pool has its own proven chain, so that no pool waits for another.
    const store = new TrustStore(join(dataFolder(config, workingDir), 'pools', pool), origin.zeroState, logger)
    const shared = seqnos?.headsOf(at + 1)
    const options = { ...origin, servers: own, proofs, queryTimeoutMs, store, shared, reuseReads, logger }
    return [pool, await openNode(options, shutdown)]
  })
  return new Map(await Promise.all(opened))
}

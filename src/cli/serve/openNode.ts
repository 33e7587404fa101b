import { ProvenNode } from '../../node/ProvenNode.ts'
import { NodePool } from '../../node/pool/NodePool.ts'
import { type SharedHeads, TrustedChain, type TrustMode } from '../../node/TrustedChain.ts'
import type { TrustStore } from '../../node/TrustStore.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'

export type NodeOptions = {
  readonly servers: readonly LiteServerAddress[]
  readonly zeroState: BlockIdExt
  /** Where trust begins. */
  readonly anchor: BlockIdExt
  readonly proofs: TrustMode
  readonly queryTimeoutMs: number
  readonly store?: TrustStore | undefined
  /** What other processes of this service have named. */
  readonly shared?: SharedHeads | undefined
  /** How old the newest block may be before the next one is looked for, where no server tells of it. */
  readonly freshMs?: number
  readonly logger: Logger
}

const MAX_CONNECT_MS = 5000
/** A network that was away for long is found again soon after it is back. */
const BACKOFF = { firstMs: 250, maxMs: 2000 }

/** Opens the way to a network: its servers are looked at, and what earlier runs have proven is taken up. */
export const openNode = async (options: NodeOptions, shutdown: Pick<Shutdown, 'add'>): Promise<ProvenNode> => {
  const { servers, zeroState, anchor, proofs, queryTimeoutMs, store, shared, freshMs, logger } = options
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
  return new ProvenNode(pool, trust)
}

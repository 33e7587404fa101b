import { BlockNotFoundError, ChainError, NodeRefusedError, NodeUnavailableError } from '../chain/errors.ts'
import type {
  BlockHeader,
  BlockPage,
  BlockTransactionKey,
  BlockTransactionPage,
  LastTransaction,
  Library,
  LiveAccount,
  LiveChain,
  LiveNode,
  LookupKey,
  MasterchainInfo,
  NodeCriteria,
  TransactionChain,
  TransactionKey,
  WholeBlockTransaction,
} from '../chain/LiveChain.ts'
import type { PreviousBlocks } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type {
  LiteServerAccountId,
  LiteServerOutMsgQueueSizes,
  LiteServerPartialBlockProof,
  LiteServerShardBlockProof,
} from '../codec/tl/liteServerTypes.ts'
import type { ConfigDict } from '../codec/tlb/config/configParams.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockId, BlockIdExt } from '../primitives/BlockId.ts'
import { deriveOnce } from '../primitives/deriveOnce.ts'
import type { ProvenNode } from './ProvenNode.ts'
import type { RunOptions, ServerSession } from './pool/runOnServers.ts'
import { verifyBlockProofChain } from './proofs/chainProofs.ts'
import { type LinkedHeader, stateHashOf } from './proofs/ProvenHeader.ts'

/** The network as v2 sees it. */
export const createLiveChain = (node: ProvenNode): LiveChain => ({
  findHead: () => node.trust.findFreshHead(),
  getConsensusSeqno: (signal) => node.trust.getConsensusSeqno(signal),
  withNode: async (criteria, work) => {
    const settle = await node.pool
      .run((session) => attempt(node, session, work), new LiveRun(criteria))
      .catch((cause: unknown) => {
        if (!(cause instanceof NodeUnavailableError)) throw cause
        throw new NodeUnavailableError(cause.message, { archivalOnly: criteria.archival ?? false, cause })
      })
    return settle()
  },
  send: (message, signal) => node.send(message, signal),
})

/** Options of one piece of work; the signal of its caller is read only if it is needed. */
class LiveRun implements RunOptions {
  readonly archival: RunOptions['archival']
  readonly believeRefusals = true
  /** No hedging: a second run would repeat all work, including the VM. */
  readonly hedge = false
  readonly isEnded: RunOptions['isEnded']
  private readonly criteria: NodeCriteria

  constructor(criteria: NodeCriteria) {
    this.criteria = criteria
    this.archival = criteria.archival === true ? 'only' : undefined
    this.isEnded = criteria.isEnded
  }

  get signal(): AbortSignal {
    return this.criteria.signal
  }
}

/** Links to the target, and for old blocks only such as an archive can make. */
const PROOF_TO_TARGET = 0x1001
const ONE_SHARD = 1

/** By the newest block, which callers ask about over and over. */
const infos = new WeakMap<BlockIdExt, MasterchainInfo>()

type ReadAccount = Awaited<ReturnType<ProvenNode['getAccountState']>>

/** The same object for all who read an account, so that what they derive from it is derived once. */
const liveAccountOf = deriveOnce((state: ReadAccount) => toLiveAccount(state))

/** A server of the pool as v2 sees it. */
class LiveSession implements LiveNode {
  readonly index: number
  private readonly node: ProvenNode
  private readonly session: ServerSession

  /** `node` is to be bound to the session. */
  constructor(node: ProvenNode, session: ServerSession) {
    this.index = session.index
    this.node = node
    this.session = session
  }

  async getHead(atLeast?: number): Promise<BlockIdExt> {
    this.session.throwIfEnded()
    return this.node.getHead(undefined, atLeast)
  }

  async getMasterchainInfo(): Promise<MasterchainInfo> {
    const last = await this.getHead()
    const known = infos.get(last)
    if (known !== undefined) return known
    const [header, zeroState] = await Promise.all([this.node.getBlockHeader(last), this.node.getZeroState()])
    const info = { last, stateRootHash: stateHashOf(header), zeroState }
    infos.set(last, info)
    return info
  }

  async lookupBlock(shard: Omit<BlockId, 'seqno'>, key: LookupKey): Promise<BlockHeader> {
    return toHeader(await this.node.lookupBlock(shard, key).catch(rethrowRefusal))
  }

  getBlockId(id: BlockId): Promise<BlockIdExt> {
    return this.node.getBlockId(id).catch(rethrowRefusal)
  }

  async getBlockHeader(id: BlockIdExt): Promise<BlockHeader> {
    return toHeader(await this.node.getBlockHeader(id))
  }

  async getBlock(id: BlockIdExt): Promise<BlockHeader & { readonly root: Cell; readonly bytes: Uint8Array }> {
    const { root, bytes, ...header } = await this.node.getBlock(id)
    return { ...toHeader(header), root, bytes }
  }

  async getShards(id: BlockIdExt): Promise<readonly BlockIdExt[]> {
    const { shards } = await this.node.getShards(id)
    return shards.map((shard) => shard.id)
  }

  async getAccountState(address: Address, at: BlockIdExt): Promise<LiveAccount> {
    return liveAccountOf(await this.node.getAccountState(toAccountId(address), at))
  }

  getLastTransaction(address: Address, at: BlockIdExt): Promise<LastTransaction> {
    return this.node.getLastTransaction(toAccountId(address), at)
  }

  getTransactions(address: Address, from: TransactionKey, count: number): Promise<TransactionChain> {
    return this.node.getTransactions(toAccountId(address), from, count)
  }

  getBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<WholeBlockTransaction>> {
    return this.node.getBlockTransactions(id, page)
  }

  listBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<BlockTransactionKey>> {
    return this.node.listBlockTransactions(id, page)
  }

  async getConfig(params: readonly number[] | undefined, at: BlockIdExt): Promise<ConfigDict> {
    const proven = await this.node.getConfig(params, at)
    return proven.params.config
  }

  getLibraries(hashes: readonly Uint8Array[]): Promise<readonly Library[]> {
    return this.node.getLibraries(hashes)
  }

  async getPublicLibraries(hashes: readonly Uint8Array[], at: BlockIdExt): Promise<readonly Library[]> {
    const { found } = await this.node.getPublicLibraries(at, hashes)
    return found.flatMap(({ hash, library }) => (library === undefined ? [] : [{ hash, library }]))
  }

  getPreviousBlocks(at: BlockIdExt): Promise<PreviousBlocks> {
    return this.node.getPreviousBlocks(at)
  }

  getFirstState(id: BlockIdExt): Promise<Cell> {
    return this.node.getFirstState(id)
  }

  getQueueSize(id: BlockIdExt): Promise<number> {
    return this.node.getQueueSize(id)
  }

  getQueueSizes({ workchain, shard }: Omit<BlockId, 'seqno'>): Promise<LiteServerOutMsgQueueSizes> {
    return this.session.query('liteServer.getOutMsgQueueSizes', { mode: ONE_SHARD, wc: workchain, shard })
  }

  async getBlockProof(from: BlockIdExt, to: BlockIdExt): Promise<LiteServerPartialBlockProof> {
    const request = { mode: PROOF_TO_TARGET, knownBlock: from, targetBlock: to }
    const answer = await this.session.query('liteServer.getBlockProof', request)
    if (this.node.trust.mode === 'full') verifyBlockProofChain(answer, from, to)
    return answer
  }

  getShardBlockProof(id: BlockIdExt): Promise<LiteServerShardBlockProof> {
    return this.node.proveShardBlock(id)
  }
}

/** Keeps the error of the server for the caller. */
const rethrowRefusal = (error: unknown): never => {
  throw error instanceof BlockNotFoundError && error.cause instanceof NodeRefusedError ? error.cause : error
}

const toLiveAccount = (state: ReadAccount): LiveAccount => {
  const { block, shardBlock, genUtime, genLt, proofs } = state
  const found =
    state.kind === 'absent'
      ? undefined
      : { account: state.account, lastTransaction: { lt: state.lastTransLt, hash: state.lastTransHash } }
  return { block, shardBlock, genUtime, genLt, found, proofs }
}

const toAccountId = ({ workchain, hash }: Address): LiteServerAccountId => ({ workchain, id: hash })

const toHeader = ({ id, info, prev, block }: LinkedHeader): BlockHeader => ({
  id,
  info,
  prev,
  globalId: block.globalId,
})

/** Only errors of the server count as failures; other errors are the result. */
const attempt = async <T>(
  node: ProvenNode,
  session: ServerSession,
  work: (node: LiveNode) => Promise<T>,
): Promise<() => T> => {
  try {
    const result = await work(new LiveSession(node.on(session), session))
    return () => result
  } catch (error) {
    if (error instanceof ChainError) throw error
    return () => {
      throw error
    }
  }
}

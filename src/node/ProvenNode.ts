import { BlockNotFoundError, NodeRefusedError } from '../chain/errors.ts'
import type { LookupKey } from '../chain/LiveChain.ts'
import type { BlockSource, PreviousBlocks } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type { LiteFunctionName } from '../codec/tl/liteQuery.ts'
import type { LiteServerAccountId, LiteServerShardBlockProof } from '../codec/tl/liteServerTypes.ts'
import type { TlArguments, TlResults } from '../codec/tl/tlTypes.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions, ServerSession } from './pool/runOnServers.ts'
import {
  type LastTransaction,
  lastTransactionOf,
  locateAccount,
  type ProvenAccountState,
  verifyAccountState,
} from './proofs/accountProofs.ts'
import {
  type ProvenBlock,
  type ProvenBlockHeader,
  type ProvenLookup,
  verifyBlockHeader,
  verifyFirstState,
  verifyLookup,
  verifyPreviousBlocks,
  verifyRawBlock,
} from './proofs/blockProofs.ts'
import {
  type ProvenBlockTransactions,
  type TransactionEntry,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  type WholeTransactionEntry,
} from './proofs/blockTransactionProofs.ts'
import {
  type FoundLibrary,
  type ProvenConfig,
  type ProvenLibraries,
  verifyConfig,
  verifyLibraries,
  verifyLibrariesWithProof,
} from './proofs/configProofs.ts'
import { verifyQueueSize } from './proofs/queueProofs.ts'
import { type ProvenShards, ShardProofs, verifyAllShards, verifyShardBlock } from './proofs/shardProofs.ts'
import { type ProvenTransactionList, type TransactionKey, verifyTransactionList } from './proofs/transactionProofs.ts'
import { SharedQueries } from './SharedQueries.ts'
import type { TrustedChain } from './TrustedChain.ts'

/** A page of the transactions of a block. */
export type BlockPage = {
  readonly count: number
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint } | undefined
  readonly reverse?: boolean | undefined
}

const WANT_PROOF = 1 << 5
const REVERSE = 1 << 6
const AFTER = 1 << 7

/** Asks for the proof of a page, which has the account, the time and the hash of each transaction, so that the answer need not state them. */
const askPage = ({ count, after, reverse = false }: BlockPage) => ({
  mode: WANT_PROOF | (reverse ? REVERSE : 0) | (after === undefined ? 0 : AFTER),
  count,
  ...(after === undefined ? {} : { after }),
})

export type ProvenNodeOptions = {
  /** Size of the cache for answers that never change. */
  readonly cacheBytes?: number
  /** False: answers about accounts and transactions are not reused; those about blocks are. For measurements. */
  readonly reuseReads?: boolean
  /** Shared with another node. */
  readonly queries?: SharedQueries
  readonly shardProofs?: ShardProofs
}

/** The raw proofs of an account state. */
export type AccountProofBytes = { readonly shard: Uint8Array; readonly account: Uint8Array; readonly state: Uint8Array }

export type ZeroState = { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

const WITH_STATE_HASH = 1
const WITH_PREVIOUS_BLOCKS = 1 << 7

/**
 * The network with proofs checked: every answer is verified against a proven block, and a request whose answer
 * fails is retried on another server. Answers that never change are cached, and concurrent equal queries share one request.
 */
export class ProvenNode implements BlockSource {
  readonly pool: NodePool
  readonly trust: TrustedChain
  protected readonly queries: SharedQueries
  private readonly shardProofs: ShardProofs
  private readonly reuseReads: boolean
  protected readonly skipProofChecks: boolean

  constructor(
    pool: NodePool,
    trust: TrustedChain,
    {
      cacheBytes = 64 * 1024 * 1024,
      reuseReads = true,
      queries,
      shardProofs = new ShardProofs(),
    }: ProvenNodeOptions = {},
  ) {
    this.pool = pool
    this.trust = trust
    this.queries = queries ?? SharedQueries.over(pool, cacheBytes)
    this.shardProofs = shardProofs
    this.reuseReads = reuseReads
    this.skipProofChecks = trust.mode === 'off'
  }

  /** What another node over the same servers can share. */
  get shared(): Pick<Required<ProvenNodeOptions>, 'queries' | 'shardProofs' | 'reuseReads'> {
    const { queries, shardProofs, reuseReads } = this
    return { queries, shardProofs, reuseReads }
  }

  /** The same, bound to one server; the cache and requests in flight are shared. */
  on(session: ServerSession): ProvenNode {
    const { pool, trust, queries, shardProofs, reuseReads } = this
    return new ProvenNode(pool, trust, { queries: queries.on(session), shardProofs, reuseReads })
  }

  /** The newest proven masterchain block; `atLeast` waits for a newer one that the caller knows of. */
  getHead(signal?: AbortSignal, atLeast?: number): Promise<BlockIdExt> {
    return this.trust.getHead(signal, atLeast)
  }

  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt> {
    return this.trust.watchHeads(signal)
  }

  async getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt> {
    const head = await this.getHead(signal, seqno)
    if (seqno === head.seqno) return head
    return this.getBlockId({ workchain: masterchain, shard: wholeShard, seqno }, { signal })
  }

  /** The id of the block with this seqno, looked up unless it is known; `shard` may also be an account prefix. */
  async getBlockId(asked: BlockId, options?: RunOptions): Promise<BlockIdExt> {
    const { workchain, shard, seqno } = asked
    const known = this.trust.known.find(asked) ?? (await this.findByNext(asked, options))
    if (known !== undefined) return known
    const { id } = await this.lookupBlock({ workchain, shard }, { seqno }, options)
    return id
  }

  /**
   * Looks up the even one of two neighbours for the odd one: its header names both. Callers that go through the blocks of a shard then need
   * one lookup for two of them, also where they ask for several at once.
   */
  private async findByNext(asked: BlockId, options?: RunOptions): Promise<BlockIdExt | undefined> {
    if (asked.seqno % 2 === 0) return undefined
    const { workchain, shard } = asked
    const seqno = asked.seqno + 1
    const { known } = this.trust
    const head = await this.getHead(options?.signal)
    if (!known.isReached({ workchain, shard, seqno }, head)) return undefined
    try {
      await this.lookupBlockFrom(head, { workchain, shard }, { seqno }, options)
    } catch (error) {
      // There is no such block yet, or this server does not have it: the caller has not asked for it.
      if (!(error instanceof BlockNotFoundError || error instanceof NodeRefusedError)) throw error
    }
    return known.find(asked)
  }

  async getRawBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array> {
    const { bytes } = await this.getBlock(id, { signal })
    return bytes
  }

  /** A whole block: its id is the proof. */
  getBlock(id: BlockIdExt, options?: RunOptions): Promise<ProvenBlock & { readonly bytes: Uint8Array }> {
    return this.queries.queryCached('liteServer.getBlock', { id }, options, (answer) => ({
      ...verifyRawBlock(id, answer),
      bytes: answer.data,
    }))
  }

  /** The header of a block with the hash of the state after it. */
  getBlockHeader(id: BlockIdExt, options?: RunOptions): Promise<ProvenBlockHeader> {
    const request = { id, mode: WITH_STATE_HASH }
    return this.queries.queryCached('liteServer.getBlockHeader', request, options, (answer) =>
      verifyBlockHeader(id, request, answer, this.skipProofChecks),
    )
  }

  /** The block of the shard that holds `shard` (or an account prefix) by its number or the first to reach a time, proven against the head. */
  async lookupBlock(shard: Omit<BlockId, 'seqno'>, key: LookupKey, options?: RunOptions): Promise<ProvenLookup> {
    const named = 'seqno' in key ? key.seqno : undefined
    const head = await this.getHead(options?.signal, shard.workchain === masterchain ? named : undefined)
    try {
      return await this.lookupBlockFrom(head, shard, key, options)
    } catch (error) {
      if (!(error instanceof BlockNotFoundError) || named === undefined) throw error
      // It may belong to a head that no server has reported yet.
      const newer = await this.getHead(options?.signal, head.seqno + 1)
      if (newer.seqno === head.seqno) throw error
      return this.lookupBlockFrom(newer, shard, key, options)
    }
  }

  private async lookupBlockFrom(
    mcBlockId: BlockIdExt,
    shard: Omit<BlockId, 'seqno'>,
    key: LookupKey,
    options?: RunOptions,
  ): Promise<ProvenLookup> {
    const seqno = 'seqno' in key ? key.seqno : 0
    const request = {
      mode: 'seqno' in key ? 1 : 'lt' in key ? 2 : 4,
      id: { ...shard, seqno },
      mcBlockId,
      ...('lt' in key ? { lt: key.lt } : {}),
      ...('utime' in key ? { utime: key.utime } : {}),
    }
    const { known } = this.trust
    try {
      const prove = (answer: TlResults['liteServer.lookupBlockWithProof']) => {
        const found = verifyLookup(mcBlockId, request, answer, this.skipProofChecks, this.shardProofs.headers)
        known.addRegistered(found.id, found.masterchainBlock)
        known.add(found.id, shard.shard)
        known.addAll(found.prev)
        return found
      }
      return await this.queries.query('liteServer.lookupBlockWithProof', request, options, prove)
    } catch (error) {
      if (!(error instanceof NodeRefusedError) || !/not in db|not found|cannot find block/.test(error.serverText))
        throw error
      throw new BlockNotFoundError({ ...shard, seqno }, { cause: error })
    }
  }

  /** The shard blocks that a masterchain block names. */
  getShards(id: BlockIdExt, options?: RunOptions): Promise<ProvenShards> {
    const { known } = this.trust
    return this.queries.queryCached('liteServer.getAllShardsInfo', { id }, options, (answer) => {
      const proven = verifyAllShards(id, answer, this.skipProofChecks)
      // A caller may ask about any block; only those of a block that is known to be of the chain are, too.
      if (known.has(id)) known.addAll(proven.shards.map((shard) => shard.id))
      return proven
    })
  }

  /** Queries what belongs to accounts and transactions. */
  private read<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    options: RunOptions | undefined,
    prove: (answer: TlResults[K]) => T,
    reading?: string,
  ): Promise<T> {
    const { queries } = this
    return this.reuseReads
      ? queries.queryCached(kind, args, options, prove, reading)
      : queries.query(kind, args, options, prove, reading)
  }

  /** An account state after a block; default: the head. */
  async getAccountState(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState & { readonly proofs: AccountProofBytes }> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.getAccountState']) => ({
      ...verifyAccountState(id, { account }, answer, this.skipProofChecks, this.shardProofs),
      proofs: { shard: answer.shardProof, account: answer.proof, state: answer.state },
    })
    return this.read('liteServer.getAccountState', { id, account }, options, prove)
  }

  /** The last transaction of an account after a block. The state in the answer is neither read nor checked: the proof names both. */
  getLastTransaction(account: LiteServerAccountId, id: BlockIdExt, options?: RunOptions): Promise<LastTransaction> {
    const prove = (answer: TlResults['liteServer.getAccountState']): LastTransaction =>
      lastTransactionOf(locateAccount(id, account, answer, this.skipProofChecks, this.shardProofs))
    return this.read('liteServer.getAccountState', { id, account }, options, prove, 'last transaction')
  }

  /** Transactions of an account, newest first, from a known one on: each is proven by the hash in the one before. */
  getTransactions(
    account: LiteServerAccountId,
    from: TransactionKey,
    count: number,
    options?: RunOptions,
  ): Promise<ProvenTransactionList> {
    const request = { count, account, ...from }
    return this.read('liteServer.getTransactions', request, options, (answer) =>
      verifyTransactionList(request, answer, this.skipProofChecks),
    )
  }

  /** A page of the transactions of a block, whole. */
  getBlockTransactions(
    id: BlockIdExt,
    page: BlockPage,
    options?: RunOptions,
  ): Promise<ProvenBlockTransactions<WholeTransactionEntry>> {
    const request = { id, ...askPage(page) }
    const prove = (answer: TlResults['liteServer.listBlockTransactionsExt']) =>
      verifyBlockTransactionsExt(id, request, answer, this.skipProofChecks)
    return this.read('liteServer.listBlockTransactionsExt', request, options, prove)
  }

  /** A page of the transaction ids of a block. */
  listBlockTransactions(
    id: BlockIdExt,
    page: BlockPage,
    options?: RunOptions,
  ): Promise<ProvenBlockTransactions<TransactionEntry>> {
    const request = { id, ...askPage(page) }
    const prove = (answer: TlResults['liteServer.listBlockTransactions']) =>
      verifyBlockTransactions(id, request, answer, this.skipProofChecks)
    return this.read('liteServer.listBlockTransactions', request, options, prove)
  }

  /** Configuration parameters after a masterchain block; default: all. */
  async getConfig(
    paramList: readonly number[] | undefined,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenConfig> {
    const id = at ?? (await this.getHead(options?.signal))
    if (paramList === undefined) {
      return this.queries.queryCached('liteServer.getConfigAll', { mode: 0, id }, options, (answer) =>
        verifyConfig(id, { mode: 0 }, answer, this.skipProofChecks),
      )
    }
    const request = { mode: 0, id, paramList }
    return this.queries.queryCached('liteServer.getConfigParams', request, options, (answer) =>
      verifyConfig(id, request, answer, this.skipProofChecks),
    )
  }

  /** Library cells by hash; missing ones are left out. */
  getLibraries(libraryList: readonly Uint8Array[], options?: RunOptions): Promise<readonly FoundLibrary[]> {
    const prove = (answer: TlResults['liteServer.getLibraries']) => verifyLibraries({ libraryList }, answer)
    return this.queries.query('liteServer.getLibraries', { libraryList }, options, prove)
  }

  /** The masterchain blocks that contracts can see after this one. */
  getPreviousBlocks(id: BlockIdExt, options?: RunOptions): Promise<PreviousBlocks> {
    const request = { mode: WITH_PREVIOUS_BLOCKS, id, paramList: [] }
    const prove = (answer: TlResults['liteServer.getConfigParams']) =>
      verifyPreviousBlocks(id, answer, this.skipProofChecks)
    return this.queries.queryCached('liteServer.getConfigParams', request, options, prove)
  }

  /** Proves that a shard block belongs to the chain, from a proven masterchain block. */
  proveShardBlock(id: BlockIdExt, options?: RunOptions): Promise<LiteServerShardBlockProof> {
    return this.queries.run(async (session) => {
      const answer = await session.query('liteServer.getShardBlockProof', { id })
      const trusted = await this.trust.prove(session, answer.masterchainId)
      verifyShardBlock(trusted, { id }, answer, this.skipProofChecks)
      return answer
    }, options)
  }

  /** Which network it is: every server must name the same zerostate, as far as one is configured. */
  getZeroState(options?: RunOptions): Promise<ZeroState> {
    const prove = ({ init }: TlResults['liteServer.getMasterchainInfo']): ZeroState => init
    return this.queries.queryCached('liteServer.getMasterchainInfo', {}, options, prove)
  }

  /** A zerostate: its id is the proof. */
  getFirstState(id: BlockIdExt, options?: RunOptions): Promise<Cell> {
    return this.queries.queryCached('liteServer.getState', { id }, options, (answer) => verifyFirstState(id, answer))
  }

  /** Size of the outbound message queue after this block. */
  getQueueSize(id: BlockIdExt, options?: RunOptions): Promise<number> {
    const prove = (answer: TlResults['liteServer.getBlockOutMsgQueueSize']) =>
      verifyQueueSize(id, answer, this.skipProofChecks)
    return this.queries.queryCached('liteServer.getBlockOutMsgQueueSize', { id, mode: 1 }, options, prove)
  }

  /** The public libraries among these after a masterchain block, with proof. */
  getPublicLibraries(
    id: BlockIdExt,
    libraryList: readonly Uint8Array[],
    options?: RunOptions,
  ): Promise<ProvenLibraries> {
    const request = { mode: 0, libraryList }
    const prove = (answer: TlResults['liteServer.getLibrariesWithProof']) =>
      verifyLibrariesWithProof(id, request, answer, this.skipProofChecks)
    return this.queries.queryCached('liteServer.getLibrariesWithProof', { id, ...request }, options, prove)
  }

  /** Sends an external message. */
  send(body: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.pool.send(body, signal)
  }
}

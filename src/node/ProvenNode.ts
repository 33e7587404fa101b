import { BlockNotFoundError, NodeRefusedError } from '../chain/errors.ts'
import type { LookupKey } from '../chain/LiveChain.ts'
import type { BlockSource, PreviousBlocks } from '../chain/ports.ts'
import { readMerkleUpdate } from '../codec/cell/merkle.ts'
import type { LiteServerAccountId, LiteServerShardBlockProof } from '../codec/tl/liteServerTypes.ts'
import type { TlResults } from '../codec/tl/tlTypes.ts'
import { openBlock } from '../codec/tlb/Block.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import { askPage, askWholePage, type BlockPage } from './BlockPage.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions, ServerSession } from './pool/runOnServers.ts'
import { ShardProofs } from './proofs/ShardProofs.ts'
import { type ProvenAccountState, verifyAccountState, verifyPrunedAccountState } from './proofs/verifyAccountState.ts'
import { type ProvenShards, verifyAllShards } from './proofs/verifyAllShards.ts'
import { type ProvenBlockHeader, verifyBlockHeader } from './proofs/verifyBlockHeader.ts'
import {
  type ProvenBlockTransactions,
  type TransactionEntry,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  type WholeTransactionEntry,
} from './proofs/verifyBlockTransactions.ts'
import { type ProvenConfig, verifyConfig } from './proofs/verifyConfig.ts'
import { type ProvenDispatchQueue, verifyDispatchQueueInfo } from './proofs/verifyDispatchQueueInfo.ts'
import { type ProvenWaitingMessages, verifyDispatchQueueMessages } from './proofs/verifyDispatchQueueMessages.ts'
import {
  type FoundLibrary,
  type ProvenLibraries,
  verifyLibraries,
  verifyLibrariesWithProof,
} from './proofs/verifyLibraries.ts'
import { type ProvenLookup, verifyLookup } from './proofs/verifyLookup.ts'
import { type ProvenMethodRun, verifyMethodRun } from './proofs/verifyMethodRun.ts'
import { verifyPreviousBlocks } from './proofs/verifyPreviousBlocks.ts'
import { verifyQueueSize } from './proofs/verifyQueueSize.ts'
import { type ProvenBlock, verifyRawBlock } from './proofs/verifyRawBlock.ts'
import { verifyShardBlock } from './proofs/verifyShardBlock.ts'
import { type ProvenShardInfo, verifyShardInfo } from './proofs/verifyShardInfo.ts'
import { type ProvenWholeState, verifyState, verifyZerostate } from './proofs/verifyState.ts'
import { type ProvenTransaction, verifyTransaction } from './proofs/verifyTransaction.ts'
import {
  type ProvenTransactionList,
  type TransactionKey,
  verifyTransactionList,
} from './proofs/verifyTransactionList.ts'
import { type ProvenValidatorStats, verifyValidatorStats } from './proofs/verifyValidatorStats.ts'
import { SharedQuestions } from './SharedQuestions.ts'
import type { TrustedChain } from './TrustedChain.ts'

export type ProvenNodeOptions = {
  /** For answers that can never change. */
  readonly cacheBytes?: number
  /** In place of ones of its own. */
  readonly questions?: SharedQuestions
  readonly shardProofs?: ShardProofs
}

/** What showed the state of an account, as it came. */
export type AccountProofBytes = { readonly shard: Uint8Array; readonly account: Uint8Array; readonly state: Uint8Array }

export type ZeroState = { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

const WITH_STATE_HASH = 1
const WITH_PREVIOUS_BLOCKS = 1 << 7
const GET_METHOD_MODE = 1 | 2 | 4

/**
 * The network as this service believes it: every answer is checked against a block that is already proven, and what a
 * server cannot prove is asked of another. What can never change is kept, and equal questions at one time are asked once.
 */
export class ProvenNode implements BlockSource {
  readonly pool: NodePool
  readonly trust: TrustedChain
  private readonly questions: SharedQuestions
  private readonly shardProofs: ShardProofs
  private readonly skipProofChecks: boolean

  constructor(
    pool: NodePool,
    trust: TrustedChain,
    { cacheBytes = 64 * 1024 * 1024, questions, shardProofs = new ShardProofs() }: ProvenNodeOptions = {},
  ) {
    this.pool = pool
    this.trust = trust
    this.questions = questions ?? SharedQuestions.over(pool, cacheBytes)
    this.shardProofs = shardProofs
    this.skipProofChecks = trust.mode === 'off'
  }

  /** The same, all questions to one server; what is kept and what is under way is shared. */
  on(session: ServerSession): ProvenNode {
    const { pool, trust, questions, shardProofs } = this
    return new ProvenNode(pool, trust, { questions: questions.on(session), shardProofs })
  }

  /** The newest masterchain block that is proven. A caller who knows of a newer one names its number. */
  getHead(signal?: AbortSignal, atLeast?: number): Promise<BlockIdExt> {
    return this.trust.getHead(signal, atLeast)
  }

  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt> {
    return this.trust.watchHeads(signal)
  }

  async getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt> {
    const head = await this.getHead(signal, seqno)
    if (seqno === head.seqno) return head
    const { id } = await this.lookupBlock({ workchain: masterchain, shard: wholeShard }, { seqno }, { signal })
    return id
  }

  async getRawBlock(id: BlockIdExt, signal?: AbortSignal): Promise<Uint8Array> {
    const { bytes } = await this.getBlock(id, { signal })
    return bytes
  }

  /** A whole block: its id is the proof. */
  getBlock(id: BlockIdExt, options?: RunOptions): Promise<ProvenBlock & { readonly bytes: Uint8Array }> {
    const prove = (answer: TlResults['liteServer.getBlock']) => ({ ...verifyRawBlock(id, answer), bytes: answer.data })
    return this.questions.askKept('liteServer.getBlock', { id }, prove, options)
  }

  /** The header of a block with the hash of the state after it. */
  getBlockHeader(id: BlockIdExt, options?: RunOptions): Promise<ProvenBlockHeader> {
    const question = { id, mode: WITH_STATE_HASH }
    return this.questions.askKept(
      'liteServer.getBlockHeader',
      question,
      (answer) => verifyBlockHeader(id, question, answer, this.skipProofChecks),
      options,
    )
  }

  /** The block of the shard that holds `shard` (or an account prefix) by its number or the first to reach a time, proven against the head. */
  async lookupBlock(place: Omit<BlockId, 'seqno'>, key: LookupKey, options?: RunOptions): Promise<ProvenLookup> {
    const named = 'seqno' in key ? key.seqno : undefined
    const head = await this.getHead(options?.signal, place.workchain === masterchain ? named : undefined)
    try {
      return await this.lookupBlockFrom(head, place, key, options)
    } catch (error) {
      if (!(error instanceof BlockNotFoundError) || named === undefined) throw error
      // It may be as new as a head that nobody has told of yet.
      const newer = await this.getHead(options?.signal, head.seqno + 1)
      if (newer.seqno === head.seqno) throw error
      return this.lookupBlockFrom(newer, place, key, options)
    }
  }

  private async lookupBlockFrom(
    mcBlockId: BlockIdExt,
    place: Omit<BlockId, 'seqno'>,
    key: LookupKey,
    options?: RunOptions,
  ): Promise<ProvenLookup> {
    const seqno = 'seqno' in key ? key.seqno : 0
    const question = {
      mode: 'seqno' in key ? 1 : 'lt' in key ? 2 : 4,
      id: { ...place, seqno },
      mcBlockId,
      ...('lt' in key ? { lt: key.lt } : {}),
      ...('utime' in key ? { utime: key.utime } : {}),
    }
    try {
      const prove = (answer: TlResults['liteServer.lookupBlockWithProof']) =>
        verifyLookup(mcBlockId, question, answer, this.skipProofChecks)
      return await this.questions.ask('liteServer.lookupBlockWithProof', question, prove, options)
    } catch (error) {
      if (!(error instanceof NodeRefusedError) || !/not in db|not found|cannot find block/.test(error.serverText))
        throw error
      throw new BlockNotFoundError({ ...place, seqno }, { cause: error })
    }
  }

  /** The shard blocks that a masterchain block names. */
  getShards(id: BlockIdExt, options?: RunOptions): Promise<ProvenShards> {
    return this.questions.askKept(
      'liteServer.getAllShardsInfo',
      { id },
      (answer) => verifyAllShards(id, answer, this.skipProofChecks),
      options,
    )
  }

  /** An account after a block, the head where none is given. */
  async getAccountState(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState & { readonly proofs: AccountProofBytes }> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.getAccountState']) => ({
      ...verifyAccountState(id, { account }, answer, this.skipProofChecks, this.shardProofs.open),
      proofs: { shard: answer.shardProof, account: answer.proof, state: answer.state },
    })
    return this.questions.askKept('liteServer.getAccountState', { id, account }, prove, options)
  }

  /** As {@link getAccountState}, without code and data. */
  async getAccountBalance(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.getAccountStatePrunned']) =>
      verifyPrunedAccountState(id, { account }, answer, this.skipProofChecks)
    return this.questions.ask('liteServer.getAccountStatePrunned', { id, account }, prove, options)
  }

  /** Transactions of an account, newest first, from a known one on: each is proven by the hash in the one before. */
  getTransactions(
    account: LiteServerAccountId,
    from: TransactionKey,
    count: number,
    options?: RunOptions,
  ): Promise<ProvenTransactionList> {
    const question = { count, account, ...from }
    return this.questions.askKept(
      'liteServer.getTransactions',
      question,
      (answer) => verifyTransactionList(question, answer, this.skipProofChecks),
      options,
    )
  }

  /** One transaction of a block, or that there is none. */
  getTransaction(
    id: BlockIdExt,
    account: LiteServerAccountId,
    lt: bigint,
    options?: RunOptions,
  ): Promise<ProvenTransaction> {
    const question = { id, account, lt }
    return this.questions.askKept(
      'liteServer.getOneTransaction',
      question,
      (answer) => verifyTransaction(id, question, answer, this.skipProofChecks),
      options,
    )
  }

  /** A page of the transactions of a block, whole. */
  getBlockTransactions(
    id: BlockIdExt,
    page: BlockPage,
    options?: RunOptions,
  ): Promise<ProvenBlockTransactions<WholeTransactionEntry>> {
    const question = { id, ...askWholePage(page) }
    const prove = (answer: TlResults['liteServer.listBlockTransactionsExt']) =>
      verifyBlockTransactionsExt(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.listBlockTransactionsExt', question, prove, options)
  }

  /** A page of the transactions of a block, only which ones they are. */
  listBlockTransactions(
    id: BlockIdExt,
    page: BlockPage,
    options?: RunOptions,
  ): Promise<ProvenBlockTransactions<TransactionEntry>> {
    const question = { id, ...askPage(page) }
    const prove = (answer: TlResults['liteServer.listBlockTransactions']) =>
      verifyBlockTransactions(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.listBlockTransactions', question, prove, options)
  }

  /** Configuration parameters after a masterchain block; all of them where none is named. */
  async getConfig(
    paramList: readonly number[] | undefined,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenConfig> {
    const id = at ?? (await this.getHead(options?.signal))
    if (paramList === undefined) {
      return this.questions.askKept(
        'liteServer.getConfigAll',
        { mode: 0, id },
        (answer) => verifyConfig(id, { mode: 0 }, answer, this.skipProofChecks),
        options,
      )
    }
    const question = { mode: 0, id, paramList }
    return this.questions.askKept(
      'liteServer.getConfigParams',
      question,
      (answer) => verifyConfig(id, question, answer, this.skipProofChecks),
      options,
    )
  }

  /** Library cells by hash; those that no server has are left out. */
  getLibraries(libraryList: readonly Uint8Array[], options?: RunOptions): Promise<readonly FoundLibrary[]> {
    const prove = (answer: TlResults['liteServer.getLibraries']) => verifyLibraries({ libraryList }, answer)
    return this.questions.ask('liteServer.getLibraries', { libraryList }, prove, options)
  }

  /** Runs a get-method on a server. The account that it ran on is proven, its result is the server's word. */
  async runGetMethod(
    call: { readonly account: LiteServerAccountId; readonly methodId: bigint; readonly params: Uint8Array },
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenMethodRun> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.runSmcMethod']) =>
      verifyMethodRun(id, call, answer, this.skipProofChecks)
    return this.questions.ask('liteServer.runSmcMethod', { mode: GET_METHOD_MODE, id, ...call }, prove, options)
  }

  /** The masterchain blocks that code running after this one may ask for. */
  getPreviousBlocks(id: BlockIdExt, options?: RunOptions): Promise<PreviousBlocks> {
    const question = { mode: WITH_PREVIOUS_BLOCKS, id, paramList: [] }
    const prove = (answer: TlResults['liteServer.getConfigParams']) =>
      verifyPreviousBlocks(id, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getConfigParams', question, prove, options)
  }

  /** Proves that a shard block belongs to the chain: some proven masterchain block leads down to it. */
  proveShardBlock(id: BlockIdExt, options?: RunOptions): Promise<LiteServerShardBlockProof> {
    return this.questions.run(async (session) => {
      const answer = await session.ask('liteServer.getShardBlockProof', { id })
      const trusted = await this.trust.prove(session, answer.masterchainId)
      verifyShardBlock(trusted, { id }, answer, this.skipProofChecks)
      return answer
    }, options)
  }

  /** The newest block of a shard after a masterchain block, or that there is no such shard. */
  getShard(
    id: BlockIdExt,
    { workchain, shard }: Omit<BlockId, 'seqno'>,
    options?: RunOptions,
  ): Promise<ProvenShardInfo> {
    const question = { workchain, shard, exact: false }
    const prove = (answer: TlResults['liteServer.getShardInfo']) =>
      verifyShardInfo(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getShardInfo', { id, ...question }, prove, options)
  }

  /** Which network it is: every server must name the same zerostate, as far as one is configured. */
  getZeroState(options?: RunOptions): Promise<ZeroState> {
    const prove = ({ init }: TlResults['liteServer.getMasterchainInfo']): ZeroState => init
    return this.questions.askKept('liteServer.getMasterchainInfo', {}, prove, options)
  }

  /** A whole state: of the first thousand blocks only, servers do not give larger ones. */
  async getState(id: BlockIdExt, options?: RunOptions): Promise<ProvenWholeState> {
    if (id.seqno === 0)
      return this.questions.ask('liteServer.getState', { id }, (answer) => verifyZerostate(id, answer), options)
    const { root } = await this.getBlock(id, options)
    const stateHash = readMerkleUpdate(openBlock(root).stateUpdate).after.hash(0)
    return this.questions.ask('liteServer.getState', { id }, (answer) => verifyState(id, stateHash, answer), options)
  }

  /** How many messages wait to leave the shard after this block. */
  getQueueSize(id: BlockIdExt, options?: RunOptions): Promise<number> {
    const prove = (answer: TlResults['liteServer.getBlockOutMsgQueueSize']) =>
      verifyQueueSize(id, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getBlockOutMsgQueueSize', { id, mode: 1 }, prove, options)
  }

  /** The accounts whose messages were put off, after this block. */
  getDispatchQueue(
    id: BlockIdExt,
    page: { readonly after?: Uint8Array; readonly count: number },
    options?: RunOptions,
  ): Promise<ProvenDispatchQueue> {
    const { after, count } = page
    const question = {
      mode: after === undefined ? 1 : 3,
      maxAccounts: count,
      ...(after === undefined ? {} : { afterAddr: after }),
    }
    const prove = (answer: TlResults['liteServer.getDispatchQueueInfo']) =>
      verifyDispatchQueueInfo(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getDispatchQueueInfo', { id, ...question }, prove, options)
  }

  /** The messages that were put off, from an account and a time on, after this block. */
  getDispatchedMessages(
    id: BlockIdExt,
    { account, afterLt, count }: { readonly account: Uint8Array; readonly afterLt: bigint; readonly count: number },
    options?: RunOptions,
  ): Promise<ProvenWaitingMessages> {
    const question = { mode: 1, addr: account, afterLt, maxMessages: count }
    const prove = (answer: TlResults['liteServer.getDispatchQueueMessages']) =>
      verifyDispatchQueueMessages(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getDispatchQueueMessages', { id, ...question }, prove, options)
  }

  /** Who made how many blocks, after a masterchain block. */
  getValidatorStats(
    id: BlockIdExt,
    page: { readonly after?: Uint8Array; readonly limit: number },
    options?: RunOptions,
  ): Promise<ProvenValidatorStats> {
    const { after, limit } = page
    const question = { mode: after === undefined ? 0 : 1, limit, ...(after === undefined ? {} : { startAfter: after }) }
    const prove = (answer: TlResults['liteServer.getValidatorStats']) =>
      verifyValidatorStats(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getValidatorStats', { id, ...question }, prove, options)
  }

  /** Which of these libraries are public after a masterchain block, and which are not. */
  getPublicLibraries(
    id: BlockIdExt,
    libraryList: readonly Uint8Array[],
    options?: RunOptions,
  ): Promise<ProvenLibraries> {
    const question = { mode: 0, libraryList }
    const prove = (answer: TlResults['liteServer.getLibrariesWithProof']) =>
      verifyLibrariesWithProof(id, question, answer, this.skipProofChecks)
    return this.questions.askKept('liteServer.getLibrariesWithProof', { id, ...question }, prove, options)
  }

  /** Hands a message to the network. */
  send(body: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.pool.send(body, signal)
  }
}

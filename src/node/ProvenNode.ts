import { BlockNotFoundError, NodeRefusedError } from '../chain/errors.ts'
import type { BlockSource } from '../chain/ports.ts'
import type { TlResults } from '../codec/tl/generated/functions.ts'
import type { LiteServerAccountId } from '../codec/tl/generated/liteServer.ts'
import type { TlArguments } from '../codec/tl/generated/objects.ts'
import { encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../codec/tl/liteQuery.ts'
import { type BlockId, type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { RunOptions } from './pool/runOnServers.ts'
import { type ProvenAccountState, verifyAccountState, verifyPrunedAccountState } from './proofs/verifyAccountState.ts'
import { type ProvenShards, verifyAllShards } from './proofs/verifyAllShards.ts'
import { type ProvenBlockHeader, verifyBlockHeader } from './proofs/verifyBlockHeader.ts'
import {
  type ProvenBlockTransactions,
  verifyBlockTransactionsExt,
  type WholeTransactionEntry,
} from './proofs/verifyBlockTransactions.ts'
import { type ProvenConfig, verifyConfig } from './proofs/verifyConfig.ts'
import { type FoundLibrary, verifyLibraries } from './proofs/verifyLibraries.ts'
import { type ProvenLookup, verifyLookup } from './proofs/verifyLookup.ts'
import { type ProvenMethodRun, verifyMethodRun } from './proofs/verifyMethodRun.ts'
import { type ProvenBlock, verifyRawBlock } from './proofs/verifyRawBlock.ts'
import { verifyShardBlock } from './proofs/verifyShardBlock.ts'
import { type ProvenTransaction, verifyTransaction } from './proofs/verifyTransaction.ts'
import {
  type ProvenTransactionList,
  type TransactionKey,
  verifyTransactionList,
} from './proofs/verifyTransactionList.ts'
import { SizedCache } from './SizedCache.ts'
import type { TrustedChain } from './TrustedChain.ts'

export type ProvenNodeOptions = { readonly cacheBytes?: number }

/** How a block is looked up: the one with this seqno, or the first to reach this logical time or time. */
export type LookupKey = { readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number }

export type BlockPage = {
  readonly count: number
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint } | undefined
  readonly reverse?: boolean | undefined
}

const GET_METHOD_MODE = 1 | 2 | 4
const WANT_PROOF = 1 << 5
const REVERSE = 1 << 6
const AFTER = 1 << 7

/**
 * The network as this service believes it: every answer is checked against a block that is already proven, and what a
 * server cannot prove is asked of another. What can never change is kept, and equal questions at one time are asked once.
 */
export class ProvenNode implements BlockSource {
  readonly pool: NodePool
  readonly trust: TrustedChain
  private readonly cache: SizedCache<unknown>
  private readonly underWay = new Map<string, Promise<unknown>>()

  constructor(pool: NodePool, trust: TrustedChain, { cacheBytes = 64 * 1024 * 1024 }: ProvenNodeOptions = {}) {
    this.pool = pool
    this.trust = trust
    this.cache = new SizedCache(cacheBytes)
  }

  /** The newest masterchain block that is proven. */
  getHead(signal?: AbortSignal): Promise<BlockIdExt> {
    return this.trust.getHead(signal)
  }

  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt> {
    return this.trust.watchHeads(signal)
  }

  async getMasterchainBlockId(seqno: number, signal?: AbortSignal): Promise<BlockIdExt> {
    const head = await this.getHead(signal)
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
    return this.askKept('liteServer.getBlock', { id }, prove, options)
  }

  getBlockHeader(id: BlockIdExt, options?: RunOptions): Promise<ProvenBlockHeader> {
    const question = { id, mode: 0 }
    return this.askKept(
      'liteServer.getBlockHeader',
      question,
      (answer) => verifyBlockHeader(id, question, answer),
      options,
    )
  }

  /** The block of the shard that holds `shard` (or an account prefix) by its number or the first to reach a time, proven against the head. */
  async lookupBlock(place: Omit<BlockId, 'seqno'>, key: LookupKey, options?: RunOptions): Promise<ProvenLookup> {
    const mcBlockId = await this.getHead(options?.signal)
    const seqno = 'seqno' in key ? key.seqno : 0
    const question = {
      mode: 'seqno' in key ? 1 : 'lt' in key ? 2 : 4,
      id: { ...place, seqno },
      mcBlockId,
      ...('lt' in key ? { lt: key.lt } : {}),
      ...('utime' in key ? { utime: key.utime } : {}),
    }
    try {
      const prove = (answer: TlResults['liteServer.lookupBlockWithProof']) => verifyLookup(mcBlockId, question, answer)
      return await this.ask('liteServer.lookupBlockWithProof', question, prove, options)
    } catch (error) {
      if (!(error instanceof NodeRefusedError) || !/not in db|not found|cannot find block/.test(error.serverText))
        throw error
      throw new BlockNotFoundError({ ...place, seqno }, { cause: error })
    }
  }

  /** The shard blocks that a masterchain block names. */
  getShards(id: BlockIdExt, options?: RunOptions): Promise<ProvenShards> {
    return this.askKept('liteServer.getAllShardsInfo', { id }, (answer) => verifyAllShards(id, answer), options)
  }

  /** An account after a block, the head where none is given. */
  async getAccountState(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.getAccountState']) => verifyAccountState(id, { account }, answer)
    return this.ask('liteServer.getAccountState', { id, account }, prove, options)
  }

  /** As {@link getAccountState}, without code and data. */
  async getAccountBalance(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.getAccountStatePrunned']) =>
      verifyPrunedAccountState(id, { account }, answer)
    return this.ask('liteServer.getAccountStatePrunned', { id, account }, prove, options)
  }

  /** Transactions of an account, newest first, from a known one on: each is proven by the hash in the one before. */
  getTransactions(
    account: LiteServerAccountId,
    from: TransactionKey,
    count: number,
    options?: RunOptions,
  ): Promise<ProvenTransactionList> {
    const question = { count, account, ...from }
    return this.askKept(
      'liteServer.getTransactions',
      question,
      (answer) => verifyTransactionList(question, answer),
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
    return this.askKept(
      'liteServer.getOneTransaction',
      question,
      (answer) => verifyTransaction(id, question, answer),
      options,
    )
  }

  /** A page of the transactions of a block, whole. */
  getBlockTransactions(
    id: BlockIdExt,
    { count, after, reverse = false }: BlockPage,
    options?: RunOptions,
  ): Promise<ProvenBlockTransactions<WholeTransactionEntry>> {
    const mode = WANT_PROOF | (reverse ? REVERSE : 0) | (after === undefined ? 0 : AFTER)
    const question = { id, mode, count, ...(after === undefined ? {} : { after }) }
    const prove = (answer: TlResults['liteServer.listBlockTransactionsExt']) =>
      verifyBlockTransactionsExt(id, question, answer)
    return this.askKept('liteServer.listBlockTransactionsExt', question, prove, options)
  }

  /** Configuration parameters after a masterchain block; all of them where none is named. */
  async getConfig(
    paramList: readonly number[] | undefined,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenConfig> {
    const id = at ?? (await this.getHead(options?.signal))
    if (paramList === undefined) {
      return this.askKept(
        'liteServer.getConfigAll',
        { mode: 0, id },
        (answer) => verifyConfig(id, { mode: 0 }, answer),
        options,
      )
    }
    const question = { mode: 0, id, paramList }
    return this.askKept('liteServer.getConfigParams', question, (answer) => verifyConfig(id, question, answer), options)
  }

  /** Library cells by hash; those that no server has are left out. */
  getLibraries(libraryList: readonly Uint8Array[], options?: RunOptions): Promise<readonly FoundLibrary[]> {
    const prove = (answer: TlResults['liteServer.getLibraries']) => verifyLibraries({ libraryList }, answer)
    return this.ask('liteServer.getLibraries', { libraryList }, prove, options)
  }

  /** Runs a get-method on a server. The account that it ran on is proven, its result is the server's word. */
  async runGetMethod(
    call: { readonly account: LiteServerAccountId; readonly methodId: bigint; readonly params: Uint8Array },
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenMethodRun> {
    const id = at ?? (await this.getHead(options?.signal))
    const prove = (answer: TlResults['liteServer.runSmcMethod']) => verifyMethodRun(id, call, answer)
    return this.ask('liteServer.runSmcMethod', { mode: GET_METHOD_MODE, id, ...call }, prove, options)
  }

  /** Proves that a shard block belongs to the chain: some proven masterchain block leads down to it. */
  async proveShardBlock(id: BlockIdExt, options?: RunOptions): Promise<void> {
    await this.pool.run(async (session) => {
      const answer = await session.ask('liteServer.getShardBlockProof', { id })
      const trusted = await this.trust.prove(session, answer.masterchainId)
      verifyShardBlock(trusted, { id }, answer)
    }, options)
  }

  /** Hands a message to the network. */
  send(body: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.pool.send(body, signal)
  }

  /** Asks once for all who want the same at the same time. */
  private ask<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    { signal, ...options }: RunOptions = {},
  ): Promise<T> {
    const key = keyOf(kind, args, options)
    let shared = this.underWay.get(key) as Promise<T> | undefined
    if (shared === undefined) {
      shared = this.pool.run(async (session) => prove(await session.ask(kind, args)), options)
      this.underWay.set(key, shared)
      const forget = (): void => void this.underWay.delete(key)
      shared.then(forget, forget)
    }
    return signal === undefined ? shared : abandonable(shared, signal)
  }

  /** For what can never change: keeps the proven answer. */
  private async askKept<K extends LiteFunctionName, T>(
    kind: K,
    args: TlArguments[K],
    prove: (answer: TlResults[K]) => T,
    options: RunOptions = {},
  ): Promise<T> {
    const key = keyOf(kind, args, {})
    const kept = this.cache.find(key) as T | undefined
    if (kept !== undefined) return kept
    let bytes = key.length
    const value = await this.ask(
      kind,
      args,
      (answer) => {
        bytes += sizeOf(answer)
        return prove(answer)
      },
      options,
    )
    if (bytes > key.length) this.cache.set(key, value, bytes)
    return value
  }
}

const keyOf = <K extends LiteFunctionName>(kind: K, args: TlArguments[K], { archival }: RunOptions): string => {
  const call = { kind, ...args } as unknown as LiteCall
  return `${archival ?? ''}${Buffer.from(encodeLiteQuery({ call })).toString('latin1')}`
}

/** What an answer takes in memory: its byte strings, and twice that again for the cells read from them. */
const sizeOf = (answer: object): number =>
  Object.values(answer).reduce(
    (sum: number, value: unknown) => sum + (value instanceof Uint8Array ? 3 * value.length : 64),
    256,
  )

const abandonable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const done = (): void => signal.removeEventListener('abort', onAbort)
    work.then(resolve, reject).finally(done)
  })

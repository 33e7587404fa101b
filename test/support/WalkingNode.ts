import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import type { LiteServerAccountId } from '../../src/codec/tl/liteServerTypes.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import type { RunOptions } from '../../src/node/pool/runOnServers.ts'
import type { ProvenAccountState } from '../../src/node/proofs/accountProofs.ts'
import type { BlockId, BlockIdExt } from '../../src/primitives/BlockId.ts'
import {
  type ProvenMethodRun,
  type ProvenTransaction,
  verifyMethodRun,
  verifyPrunedAccountState,
  verifyTransaction,
} from './proofs/accountAnswers.ts'
import {
  type ProvenShardInfo,
  type ProvenValidatorStats,
  type ProvenWholeState,
  verifyShardInfo,
  verifyState,
  verifyValidatorStats,
  verifyZerostate,
} from './proofs/blockAnswers.ts'
import {
  type ProvenDispatchQueue,
  type ProvenWaitingMessages,
  verifyDispatchQueueInfo,
  verifyDispatchQueueMessages,
} from './proofs/dispatchQueues.ts'

const GET_METHOD_MODE = 1 | 2 | 4

/** A node that also asks, with proofs, for what the service itself never asks: tests walk a chain with it. */
export class WalkingNode extends ProvenNode {
  /** As {@link getAccountState}, without code and data. */
  async getAccountBalance(
    account: LiteServerAccountId,
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenAccountState> {
    const id = at ?? (await this.getHead(options?.signal))
    return this.queries.query('liteServer.getAccountStatePrunned', { id, account }, options, (answer) =>
      verifyPrunedAccountState(id, { account }, answer, this.skipProofChecks),
    )
  }

  /** One transaction of a block, or the proof that there is none. */
  getTransaction(
    id: BlockIdExt,
    account: LiteServerAccountId,
    lt: bigint,
    options?: RunOptions,
  ): Promise<ProvenTransaction> {
    const request = { id, account, lt }
    return this.queries.queryCached('liteServer.getOneTransaction', request, options, (answer) =>
      verifyTransaction(id, request, answer, this.skipProofChecks),
    )
  }

  /** Runs a get-method on a server. The account is proven, the result is not. */
  async runGetMethod(
    call: { readonly account: LiteServerAccountId; readonly methodId: bigint; readonly params: Uint8Array },
    at?: BlockIdExt,
    options?: RunOptions,
  ): Promise<ProvenMethodRun> {
    const id = at ?? (await this.getHead(options?.signal))
    return this.queries.query('liteServer.runSmcMethod', { mode: GET_METHOD_MODE, id, ...call }, options, (answer) =>
      verifyMethodRun(id, call, answer, this.skipProofChecks),
    )
  }

  /** The newest block of a shard after a masterchain block, or the proof that there is no such shard. */
  getShard(
    id: BlockIdExt,
    { workchain, shard }: Omit<BlockId, 'seqno'>,
    options?: RunOptions,
  ): Promise<ProvenShardInfo> {
    const request = { workchain, shard, exact: false }
    return this.queries.queryCached('liteServer.getShardInfo', { id, ...request }, options, (answer) =>
      verifyShardInfo(id, request, answer, this.skipProofChecks),
    )
  }

  /** A whole state: of the first thousand blocks only, servers do not give larger ones. */
  async getState(id: BlockIdExt, options?: RunOptions): Promise<ProvenWholeState> {
    if (id.seqno === 0)
      return this.queries.query('liteServer.getState', { id }, options, (answer) => verifyZerostate(id, answer))
    const { root } = await this.getBlock(id, options)
    const stateHash = readMerkleUpdate(openBlock(root).stateUpdate).after.hash(0)
    return this.queries.query('liteServer.getState', { id }, options, (answer) => verifyState(id, stateHash, answer))
  }

  /** The accounts in the dispatch queue after this block. */
  getDispatchQueue(
    id: BlockIdExt,
    page: { readonly after?: Uint8Array; readonly count: number },
    options?: RunOptions,
  ): Promise<ProvenDispatchQueue> {
    const { after, count } = page
    const request = {
      mode: after === undefined ? 1 : 3,
      maxAccounts: count,
      ...(after === undefined ? {} : { afterAddr: after }),
    }
    return this.queries.queryCached('liteServer.getDispatchQueueInfo', { id, ...request }, options, (answer) =>
      verifyDispatchQueueInfo(id, request, answer, this.skipProofChecks),
    )
  }

  /** The messages in the dispatch queue after this block, from an account and lt on. */
  getDispatchedMessages(
    id: BlockIdExt,
    { account, afterLt, count }: { readonly account: Uint8Array; readonly afterLt: bigint; readonly count: number },
    options?: RunOptions,
  ): Promise<ProvenWaitingMessages> {
    const request = { mode: 1, addr: account, afterLt, maxMessages: count }
    return this.queries.queryCached('liteServer.getDispatchQueueMessages', { id, ...request }, options, (answer) =>
      verifyDispatchQueueMessages(id, request, answer, this.skipProofChecks),
    )
  }

  /** Validator stats after a masterchain block: blocks per creator. */
  getValidatorStats(
    id: BlockIdExt,
    page: { readonly after?: Uint8Array; readonly limit: number },
    options?: RunOptions,
  ): Promise<ProvenValidatorStats> {
    const { after, limit } = page
    const request = { mode: after === undefined ? 0 : 1, limit, ...(after === undefined ? {} : { startAfter: after }) }
    return this.queries.queryCached('liteServer.getValidatorStats', { id, ...request }, options, (answer) =>
      verifyValidatorStats(id, request, answer, this.skipProofChecks),
    )
  }
}

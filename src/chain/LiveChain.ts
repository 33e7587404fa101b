import type { Cell } from '../codec/cell/Cell.ts'
import type {
  LiteServerOutMsgQueueSizes,
  LiteServerPartialBlockProof,
  LiteServerShardBlockProof,
} from '../codec/tl/liteServerTypes.ts'
import type { BlockInfo } from '../codec/tlb/BlockInfo.ts'
import type { ConfigDict } from '../codec/tlb/config/configParams.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockId, BlockIdExt } from '../primitives/BlockId.ts'
import type { PreviousBlocks } from './ports.ts'

/** The current chain, read from liteservers with proof checks. */
export interface LiveChain {
  /** The newest proven masterchain block; absent before the first, and while a newer one is known but not proven. */
  findHead(): BlockIdExt | undefined
  /** The newest proven masterchain seqno that most nodes have reached; absent where no node is alive. */
  getConsensusSeqno(signal: AbortSignal): Promise<number | undefined>
  /** Runs work whose queries all go to one node. On failure the whole work runs again on another node. */
  withNode<T>(options: NodeCriteria, work: (node: LiveNode) => Promise<T>): Promise<T>
  /** Sends a message to several nodes at once; one acceptance is enough. */
  send(message: Uint8Array, signal: AbortSignal): Promise<void>
}

/** Which nodes may run a piece of work. */
export type NodeCriteria = {
  /** True: archival nodes only. Otherwise any node, with one retry on an archival node after a failure. */
  readonly archival?: boolean | undefined
  readonly signal: AbortSignal
  /** Says whether the signal is aborted, where it is made on first use. */
  readonly isEnded?: (() => boolean) | undefined
}

/** One node for the duration of one piece of work. Every answer is checked against a proven block. */
export interface LiveNode {
  /** Its index in the pool. */
  readonly index: number
  /** The newest proven masterchain block. A caller that knows of a newer one passes its seqno. */
  getHead(atLeast?: number): Promise<BlockIdExt>
  getMasterchainInfo(): Promise<MasterchainInfo>
  /** The block of the shard that contains `shard.shard`, which may also be an account prefix. */
  lookupBlock(shard: Omit<BlockId, 'seqno'>, key: LookupKey): Promise<BlockHeader>
  /** The id of the block with this seqno; `shard` may also be an account prefix. */
  getBlockId(id: BlockId): Promise<BlockIdExt>
  getBlockHeader(id: BlockIdExt): Promise<BlockHeader>
  getBlock(id: BlockIdExt): Promise<BlockHeader & { readonly root: Cell; readonly bytes: Uint8Array }>
  /** The newest blocks of all shards after a masterchain block, in the order of the protocol. */
  getShards(id: BlockIdExt): Promise<readonly BlockIdExt[]>
  getAccountState(address: Address, at: BlockIdExt): Promise<LiveAccount>
  /** The last transaction of an account after a masterchain block: cheaper than its state. */
  getLastTransaction(address: Address, at: BlockIdExt): Promise<LastTransaction>
  /** Transactions of an account, newest first, from a known one on. A node gives 16 at most. */
  getTransactions(address: Address, from: TransactionKey, count: number): Promise<TransactionChain>
  /** Transactions of a block by account, then by lt. A node gives 256 at most. */
  getBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<WholeBlockTransaction>>
  /** The same, only which ones they are. */
  listBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<BlockTransactionKey>>
  /** Parameters after a masterchain block, by default all. Reading one that was not requested throws. */
  getConfig(params: readonly number[] | undefined, at: BlockIdExt): Promise<ConfigDict>
  /** Library cells by hash, at most 16; the result omits those the node does not have. */
  getLibraries(hashes: readonly Uint8Array[]): Promise<readonly Library[]>
  /** Which of the libraries, at most 16, are public after a masterchain block. */
  getPublicLibraries(hashes: readonly Uint8Array[], at: BlockIdExt): Promise<readonly Library[]>
  /** The masterchain blocks that code running after this one can read. */
  getPreviousBlocks(at: BlockIdExt): Promise<PreviousBlocks>
  /** A zerostate, whole: of the masterchain or of a workchain. Its id has seqno 0. */
  getFirstState(id: BlockIdExt): Promise<Cell>
  /** How many messages wait to leave the shard after this block. */
  getQueueSize(id: BlockIdExt): Promise<number>
  /** Queue sizes of a shard and the limit on queued messages, as the node states them (not proven). */
  getQueueSizes(shard: Omit<BlockId, 'seqno'>): Promise<LiteServerOutMsgQueueSizes>
  /** Checked links from one masterchain block to another. They may end before the target: continue from their end. */
  getBlockProof(from: BlockIdExt, to: BlockIdExt): Promise<LiteServerPartialBlockProof>
  /** Links down to a shard block from a proven masterchain block, which the answer names. */
  getShardBlockProof(id: BlockIdExt): Promise<LiteServerShardBlockProof>
}

/** How a block is looked up: the one with this seqno, or the first to reach this logical time or time. */
export type LookupKey = { readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number }

export type MasterchainInfo = {
  readonly last: BlockIdExt
  readonly stateRootHash: Uint8Array
  readonly zeroState: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }
}

export type BlockHeader = {
  readonly id: BlockIdExt
  readonly info: BlockInfo
  readonly globalId: number
  /** One, or two after a merge, the left one first. */
  readonly prev: readonly BlockIdExt[]
}

/** An account after a masterchain block. */
export type LiveAccount = {
  /** The masterchain block. */
  readonly block: BlockIdExt
  /** The block whose state holds the account; absent where its workchain does not exist. */
  readonly shardBlock: BlockIdExt | undefined
  /** Time of that state. */
  readonly genUtime: number
  readonly genLt: bigint
  /** The Account and its last transaction; absent where there is no such account. */
  readonly found: { readonly account: Cell; readonly lastTransaction: TransactionKey } | undefined
  /** The proofs as received: bags of cells. */
  readonly proofs: { readonly shard: Uint8Array; readonly account: Uint8Array; readonly state: Uint8Array }
}

export type LastTransaction = Pick<LiveAccount, 'shardBlock'> & {
  /** Absent where there is no such account. */
  readonly lastTransaction: TransactionKey | undefined
}

export type TransactionKey = { readonly lt: bigint; readonly hash: Uint8Array }

export type TransactionChain = {
  /** Newest first, without gaps. */
  readonly transactions: readonly (TransactionKey & { readonly transaction: Cell })[]
  /** The transaction before the last one here; absent where that was the account's first. */
  readonly next: TransactionKey | undefined
}

export type BlockPage = {
  readonly count: number
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint } | undefined
}

/** Which transaction of a block it is. */
export type BlockTransactionKey = TransactionKey & { readonly account: Uint8Array }

export type WholeBlockTransaction = BlockTransactionKey & { readonly transaction: Cell }

export type BlockTransactionPage<T extends BlockTransactionKey> = {
  readonly transactions: readonly T[]
  /** Nothing follows. A full last page reads false: one more query gives an empty page. */
  readonly isComplete: boolean
}

export type Library = { readonly hash: Uint8Array; readonly library: Cell }

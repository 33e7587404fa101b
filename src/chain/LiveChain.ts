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

/** The chain as it stands now, asked of nodes whose answers are checked. */
export interface LiveChain {
  /** The newest masterchain block that is proven; absent as long as none is, or where a newer one is known to be there. */
  findHead(): BlockIdExt | undefined
  /** The newest masterchain seqno that most nodes have reached and that is proven; absent where no node is alive. */
  getConsensusSeqno(signal: AbortSignal): Promise<number | undefined>
  /** Does a piece of work whose questions all go to one node. What fails there is done again, whole, on another. */
  withNode<T>(options: NodeWish, work: (node: LiveNode) => Promise<T>): Promise<T>
  /** Gives a message to several nodes at once; one that takes it is enough. */
  send(message: Uint8Array, signal: AbortSignal): Promise<void>
}

/** On which nodes a piece of work may be done. */
export type NodeWish = {
  /** True: on archival ones only. Otherwise on any, and after a failure once more on an archival one. */
  readonly archival?: boolean | undefined
  readonly signal: AbortSignal
}

/** One node for the length of one piece of work. Every answer is checked against a block that is proven. */
export interface LiveNode {
  /** Its place among the nodes. */
  readonly index: number
  /** The newest masterchain block that is proven. A caller who knows of a newer one names its number. */
  getHead(atLeast?: number): Promise<BlockIdExt>
  getMasterchainInfo(): Promise<MasterchainInfo>
  /** The block of the shard that holds `place.shard`, which may also be an account prefix. */
  lookupBlock(place: Omit<BlockId, 'seqno'>, key: LookupKey): Promise<BlockHeader>
  getBlockHeader(id: BlockIdExt): Promise<BlockHeader>
  getBlock(id: BlockIdExt): Promise<BlockHeader & { readonly root: Cell; readonly bytes: Uint8Array }>
  /** The newest blocks of all shards after a masterchain block, in the order of the protocol. */
  getShards(id: BlockIdExt): Promise<readonly BlockIdExt[]>
  getAccountState(address: Address, at: BlockIdExt): Promise<LiveAccount>
  /** Transactions of an account, newest first, from a known one on. A node gives 16 at most. */
  getTransactions(address: Address, from: TransactionKey, count: number): Promise<TransactionChain>
  /** Transactions of a block by account, then by lt. A node gives 256 at most. */
  getBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<WholeBlockTransaction>>
  /** The same, only which ones they are. */
  listBlockTransactions(id: BlockIdExt, page: BlockPage): Promise<BlockTransactionPage<BlockTransactionKey>>
  /** Parameters after a masterchain block, all of them where none is named. Looking for one not asked for throws. */
  getConfig(params: readonly number[] | undefined, at: BlockIdExt): Promise<ConfigDict>
  /** Library cells by hash, at most 16; those that the node has not are left out. */
  getLibraries(hashes: readonly Uint8Array[]): Promise<readonly Library[]>
  /** Which of the libraries, at most 16, are public after a masterchain block. */
  getPublicLibraries(hashes: readonly Uint8Array[], at: BlockIdExt): Promise<readonly Library[]>
  /** Masterchain blocks that code running after this one may ask for. */
  getPreviousBlocks(at: BlockIdExt): Promise<PreviousBlocks>
  /** How many messages wait to leave the shard after this block. */
  getQueueSize(id: BlockIdExt): Promise<number>
  /** The node's own word on queues of a shard, and on how many messages it lets wait. */
  getQueueSizes(place: Omit<BlockId, 'seqno'>): Promise<LiteServerOutMsgQueueSizes>
  /** Links from one masterchain block to another, checked. They may end before the target: go on from where they end. */
  getBlockProof(from: BlockIdExt, to: BlockIdExt): Promise<LiteServerPartialBlockProof>
  /** Links from a masterchain block, which the answer names and which is proven too, down to a shard block. */
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
  /** What showed all this, as it came: bags of cells. */
  readonly proofs: { readonly shard: Uint8Array; readonly account: Uint8Array; readonly state: Uint8Array }
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
  /** Nothing follows. A full page does not know: it takes one more question, which gives an empty one. */
  readonly isComplete: boolean
}

export type Library = { readonly hash: Uint8Array; readonly library: Cell }

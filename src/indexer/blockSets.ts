import type { BlockIdExt } from '../primitives/BlockId.ts'
import { type ExtraAmounts, STORED_MESSAGE_KIND } from '../store/schema/codes.ts'
import type { CopyRow } from '../store/schema/columns.ts'
import type { tables } from '../store/schema/tables.ts'

/** Rows of a table as COPY takes them, one after another; each ends where `ends` says. */
export type EncodedRows = { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }

/**
 * How a message reached a transaction, or left one. A `system` message was made by the block in which it is received, at whose
 * start_lt it was created; the account that it names as its source, -1:00…0, can send messages too, and those are internal ones.
 * Where only some accounts are watched, `elsewhere` is an internal message whose other end is none of them.
 */
export const MESSAGE_KIND = { ...STORED_MESSAGE_KIND, elsewhere: 5 } as const

/**
 * The messages that the transactions of a unit sent, in the order of their senders. Hashes lie one after another.
 * Rows are of unreceived_messages; the trace id, their last column, is still to be filled in.
 */
export type DecodedMessages = {
  readonly count: number
  readonly kinds: Uint8Array<ArrayBuffer>
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly lts: BigInt64Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/**
 * The transactions of a unit by lt, then account, so that who sends comes before who receives. Hashes (32 bytes) and accounts
 * (33) lie one after another. Rows are of transactions; the trace id, their last 32 bytes, is still to be filled in.
 */
export type DecodedTransactions = {
  readonly count: number
  readonly lts: BigInt64Array<ArrayBuffer>
  readonly nows: Int32Array<ArrayBuffer>
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly accounts: Uint8Array<ArrayBuffer>
  readonly inKinds: Uint8Array<ArrayBuffer>
  /** Zeros where there is none. */
  readonly inHashes: Uint8Array<ArrayBuffer>
  /** Zeros where it is no other than the hash itself. */
  readonly inNormalHashes: Uint8Array<ArrayBuffer>
  /** Where the messages of each begin among those sent; one more at the end. */
  readonly outStarts: Uint32Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/** An account after the last of its transactions in a unit, as the blocks themselves show it. */
export type TouchedAccount = {
  /** 33 bytes. */
  readonly account: Uint8Array
  readonly workchain: number
  readonly blockShard: bigint
  readonly blockSeqno: number
  readonly lastLt: bigint
  readonly lastHash: Uint8Array
  readonly now: number
  readonly stateHash: Uint8Array
  readonly status: 'nonexist' | 'uninit' | 'frozen' | 'active'
  readonly balance: bigint
  /**
   * The currencies besides the coin of the network, by their numbers. A block does not show those that it took over from the state
   * before it: then they are unknown.
   */
  readonly extraCurrencies: ExtraAmounts | undefined
  readonly frozenHash: Uint8Array | undefined
  readonly codeHash: Uint8Array | undefined
  readonly dataHash: Uint8Array | undefined
}

/** A message that asks a token to move, before anybody knows whether the account is such a token. Addresses as in the store. */
export type TokenRequest = {
  /** Of the transaction that received it, among those of the unit. */
  readonly transaction: number
  readonly aborted: boolean
  readonly queryId: bigint
  readonly source: Uint8Array
  readonly responseDestination: Uint8Array
  /** Packed cells. */
  readonly customPayload: Uint8Array | undefined
} & (
  | {
      readonly kind: 'jettonTransfer'
      readonly amount: bigint
      readonly destination: Uint8Array
      readonly forwardAmount: bigint
      readonly forwardPayload: Uint8Array | undefined
    }
  | { readonly kind: 'jettonBurn'; readonly amount: bigint }
  | {
      readonly kind: 'nftTransfer'
      readonly newOwner: Uint8Array
      readonly forwardAmount: bigint
      readonly forwardPayload: Uint8Array | undefined
    }
)

/** Bodies and initial states, each once. Rows are of message_contents without the column mc_seqno. */
export type DecodedContents = {
  readonly count: number
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/** All that the blocks of a unit tell by themselves. It crosses threads: the long parts are buffers, which are handed over. */
export type DecodedUnit = {
  readonly seqno: number
  readonly genUtime: number
  /** Of the masterchain block. */
  readonly rootHash: Uint8Array
  readonly isKeyBlock: boolean
  readonly blocks: readonly CopyRow<typeof tables.blocks>[]
  /** Of each of them, in the same order: the blocks it follows, as its header names them (`listPreviousBlocks`). */
  readonly previousBlocks: readonly (readonly BlockIdExt[])[]
  readonly shardTops: readonly CopyRow<typeof tables.shard_tops>[]
  readonly transactions: DecodedTransactions
  readonly messages: DecodedMessages
  readonly contents: DecodedContents
  readonly accounts: readonly TouchedAccount[]
  readonly tokenRequests: readonly TokenRequest[]
  /** Over the rows of blocks, shard tops, transactions and messages, trace ids left out. */
  readonly digest: Uint8Array
}

export type RawBlock = { readonly id: BlockIdExt; readonly bytes: Uint8Array }

/** What is indexed at once: a masterchain block and the shard blocks that it is the first to include, as they came. */
export type RawUnit = {
  readonly seqno: number
  readonly masterchain: RawBlock
  /** Such that a block comes after those it follows. */
  readonly shards: readonly RawBlock[]
  /** The newest block of every shard as the masterchain block names them. */
  readonly tops: readonly BlockIdExt[]
  /** The bytes of the blocks are nobody else's: whoever decodes the unit may take them away. */
  readonly isOwn?: boolean
}

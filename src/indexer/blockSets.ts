import type { BlockIdExt } from '../primitives/BlockId.ts'
import { type ExtraAmounts, STORED_MESSAGE_KIND } from '../store/schema/codes.ts'
import type { CopyRow } from '../store/schema/columns.ts'
import type { tables } from '../store/schema/tables.ts'

/** Encoded rows of a table for COPY; each ends where `ends` says. */
export type EncodedRows = { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }

/**
 * How a message reached or left a transaction. A `system` message is created by the block that receives it, at its start_lt;
 * messages that the account -1:00…0 itself sends are internal. If only some accounts are watched, `elsewhere` is an internal
 * message whose other end is not watched.
 */
export const MESSAGE_KIND = { ...STORED_MESSAGE_KIND, elsewhere: 5 } as const

/**
 * The messages sent in a block set, in the order of their senders. Hashes are concatenated. Rows are of unreceived_messages;
 * their last column, the trace id, is filled in later.
 */
export type DecodedMessages = {
  readonly count: number
  readonly kinds: Uint8Array<ArrayBuffer>
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly lts: BigInt64Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/**
 * The transactions of a block set by lt, then account, so that senders precede receivers. Hashes (32 bytes) and accounts (33) are
 * concatenated. Rows are of transactions; their last 32 bytes, the trace id, are filled in later.
 */
export type DecodedTransactions = {
  readonly count: number
  readonly lts: BigInt64Array<ArrayBuffer>
  readonly nows: Int32Array<ArrayBuffer>
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly accounts: Uint8Array<ArrayBuffer>
  readonly inKinds: Uint8Array<ArrayBuffer>
  /** Zeros if there is none. */
  readonly inHashes: Uint8Array<ArrayBuffer>
  /** Zeros if equal to the hash. */
  readonly inNormalHashes: Uint8Array<ArrayBuffer>
  /** Index of each transaction's first sent message, and one more at the end. */
  readonly outStarts: Uint32Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/** An account after its last transaction in a block set, as the blocks show it. */
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
  /** Extra currencies by number. A block does not show unchanged ones: then they are unknown. */
  readonly extraCurrencies: ExtraAmounts | undefined
  readonly frozenHash: Uint8Array | undefined
  readonly codeHash: Uint8Array | undefined
  readonly dataHash: Uint8Array | undefined
}

/** A token transfer or burn request, before the account is known to be a token. Addresses as in the store. */
export type TokenRequest = {
  /** Index of the receiving transaction in the block set. */
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

/** Bodies and initial states without duplicates. Rows are of message_contents without the column mc_seqno. */
export type DecodedContents = {
  readonly count: number
  readonly hashes: Uint8Array<ArrayBuffer>
  readonly rows: EncodedRows
}

/** The decoded blocks of a block set. It crosses threads: the large parts are buffers, which are transferred. */
export type DecodedBlockSet = {
  readonly seqno: number
  readonly genUtime: number
  /** Of the masterchain block. */
  readonly rootHash: Uint8Array
  readonly isKeyBlock: boolean
  readonly blocks: readonly CopyRow<typeof tables.blocks>[]
  /** For each block, in the same order: the previous blocks of its header (`listPreviousBlocks`). */
  readonly previousBlocks: readonly (readonly BlockIdExt[])[]
  readonly shardTops: readonly CopyRow<typeof tables.shard_tops>[]
  readonly transactions: DecodedTransactions
  readonly messages: DecodedMessages
  readonly contents: DecodedContents
  readonly accounts: readonly TouchedAccount[]
  readonly tokenRequests: readonly TokenRequest[]
  /** Over the rows of blocks, shard tops, transactions and messages, without trace ids. */
  readonly digest: Uint8Array
}

export type RawBlock = { readonly id: BlockIdExt; readonly bytes: Uint8Array }

/** A block set: a masterchain block and the shard blocks that it is the first to include, undecoded. */
export type RawBlockSet = {
  readonly seqno: number
  readonly masterchain: RawBlock
  /** Ordered so that a block comes after those it follows. */
  readonly shards: readonly RawBlock[]
  /** The newest block of every shard at the masterchain block. */
  readonly tops: readonly BlockIdExt[]
  /** The bytes are not shared: the decoder may transfer them. */
  readonly isOwn?: boolean
}

import type { BlockIdExt } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import type { Block } from '../store/reader/blocks.ts'
import type { JettonWallet } from '../store/reader/jettons.ts'
import type { Finality, PendingAction, PendingTransaction } from '../store/reader/pending.ts'
import type { StateSnapshot } from '../store/reader/TransactionRecord.ts'

/** Kinds of events, in the order of the log where logical times are equal. */
export const eventKinds = ['tx', 'st', 'je', 'ac', 'tr', 'bl', 'hd'] as const
export type EventKind = (typeof eventKinds)[number]

/** What filters ask of an account, besides what its transactions show. */
export type AccountFacts = {
  readonly codeHash?: Uint8Array | undefined
  /** Of a jetton wallet. */
  readonly jettonMaster?: Uint8Array | undefined
}

/** By `keyText` of the account. Jetton wallets must have an entry; without one, a filter by master does not find them. */
export type FactsByAccount = ReadonlyMap<string, AccountFacts>

/** A trace as far as it is known: read from the index when it is finished, or emulated. */
export type StreamTrace = {
  /** `undefined` if no external message started it. */
  readonly externalHash: Uint8Array | undefined
  readonly externalHashNorm: Uint8Array | undefined
  /** Hash of the first transaction; `undefined` while that is only emulated. */
  readonly traceId: Uint8Array | undefined
  /** By logical time. */
  readonly transactions: readonly PendingTransaction[]
  /** `undefined` until the trace is classified. */
  readonly actions: readonly PendingAction[] | undefined
  readonly isIncomplete: boolean
  readonly facts?: FactsByAccount | undefined
}

type Common = {
  readonly id: string
  readonly finality: Finality
  /** Finalized: the masterchain block in which it became final. Speculative: the newest one when the event was made. */
  readonly mcSeqno: number
  /** Unix time of that block. */
  readonly utime: number
}

/** A snapshot of a whole trace: its transactions, its actions, or the tree. */
export type TraceEvent = Common & { readonly kind: 'tx' | 'ac' | 'tr'; readonly trace: StreamTrace }

/** The transactions of one account in one masterchain block, whatever became of their traces. */
export type AccountTransactionsEvent = Common & {
  readonly kind: 'tx'
  readonly account: Uint8Array
  readonly transactions: readonly PendingTransaction[]
  /** Of confirmed transactions: normalized hashes of the messages that started their traces. */
  readonly traceHashes?: readonly Uint8Array[] | undefined
  readonly facts?: FactsByAccount | undefined
}

/** The last state of an account in a masterchain block; if confirmed, in a shard block. */
export type StateEvent = Common & {
  readonly kind: 'st'
  readonly account: Uint8Array
  readonly state: StateSnapshot
  readonly previous: StateSnapshot
  readonly lt: bigint
  readonly lastTransactionHash: Uint8Array
  readonly facts?: FactsByAccount | undefined
}

/** A jetton wallet after its last transaction in a masterchain block; if confirmed, in a shard block. */
export type JettonEvent = Common & { readonly kind: 'je'; readonly lt: bigint; readonly wallet: JettonWallet }

export type BlockEvent = Common & { readonly kind: 'bl'; readonly block: Block }

/** The last event of a masterchain block: everything up to it has been sent. */
export type HeadEvent = Common & { readonly kind: 'hd'; readonly block: Block; readonly shards: readonly BlockIdExt[] }

/** Why a pending trace was invalidated. */
export type ExpiryReason = 'lifetime' | 'replaced' | 'block_discarded' | 'rejected'

/**
 * A pending or confirmed trace that did not become final. Each is two events with ids of their own: first `expired` with the reason, for
 * extended subscriptions, then `invalidated` for all.
 */
export type InvalidationEvent = Common & {
  readonly kind: 'expired' | 'invalidated'
  readonly externalHashNorm: Uint8Array
  readonly reason: ExpiryReason
  /** With `rejected`. */
  readonly exitCode?: number | undefined
}

/** A confirmed state that did not become final: its block was replaced. */
export type StateInvalidationEvent = Common & {
  readonly kind: 'stateInvalidated'
  readonly account: Uint8Array
  /** `undefined` if there was no account any more. */
  readonly hash: Uint8Array | undefined
  readonly lt: bigint
}

export type StreamEvent =
  | TraceEvent
  | AccountTransactionsEvent
  | StateEvent
  | JettonEvent
  | BlockEvent
  | HeadEvent
  | InvalidationEvent
  | StateInvalidationEvent

/** All finalized events of one masterchain block, in log order; the last is its head. */
export type BlockEvents = { readonly mcSeqno: number; readonly utime: number; readonly events: readonly StreamEvent[] }

/** The events of a block are not in the index any more, or not yet: it begins later. */
export class NotKeptError extends CodedError {
  readonly code = 'events_not_kept'
  readonly oldest: number

  constructor(oldest: number) {
    super(`since is older than what is kept: masterchain block ${oldest}`)
    this.oldest = oldest
  }
}

/** The service has no index, so there is no log, and there will be none. */
export class NoEventLogError extends CodedError {
  readonly code = 'no_event_log'
  constructor() {
    super('Streaming needs the index: start the service with an index or --database-url.')
  }
}

/** The chain was set back or replaced: the log goes on after another block. */
export class ChainSetBackError extends CodedError {
  readonly code = 'chain_set_back'
  readonly mcSeqno: number

  constructor(mcSeqno: number) {
    super(`The chain was set back to masterchain block ${mcSeqno}.`)
    this.mcSeqno = mcSeqno
  }
}

/** The finalized events of the chain, made from committed rows of the index only. */
export interface EventLog {
  /** The newest masterchain block whose events are complete (indexed and classified), as of the last time it was looked up. */
  readonly head: number | undefined
  /** The same as of now: use it unless `follow` is running. `undefined` if nothing is indexed. */
  findHead(): Promise<number | undefined>
  /** The oldest masterchain block from which on all are indexed up to the head. */
  findOldest(): Promise<number>
  /**
   * The events of a block between the oldest and the head; recent ones are in memory. Waits while the database is away or the
   * block is not classified, until the signal aborts; without one, for some seconds. Throws `NotKeptError` below the oldest, and
   * `ChainSetBackError` if the chain was set back below the block.
   */
  read(mcSeqno: number, signal?: AbortSignal): Promise<BlockEvents>
  /** The last masterchain block that is not newer than a unix time; 0 if there is none. */
  findBefore(utime: number): Promise<number>
  /**
   * Calls back for each new block, in order and without holes. The first is any block after the head that was known before: a
   * caller reads those between. `onJump` tells that the chain was set back or replaced: what was sent after this block is void,
   * and the blocks after it follow. Nothing is read while nobody listens.
   */
  follow(listener: (block: BlockEvents) => void, onJump?: (mcSeqno: number) => void): () => void
}

/** Speculative events (pending, confirmed) of this process since it was started. */
export interface Journal {
  /** 8 hexadecimal digits, new with each start. */
  readonly name: string
  /** Number of the last event; 0 before the first. */
  readonly last: number
  /** Events after number `n` that are still kept; `undefined` if some after it were dropped. */
  since(n: number): readonly StreamEvent[] | undefined
  follow(listener: (event: StreamEvent) => void): () => void
  /** Registers a subscriber to events that are not final. The returned function removes it. Liteservers are polled only while there is one. */
  demand(): () => void
}

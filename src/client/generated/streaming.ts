// Written by scripts/genClient.ts from src/api; do not edit.
import type { AccountState, Action, Address, AddressBook, Block, BlockId, Decimal, Finality, Hash, JettonWallet, Metadata, TraceNode, Transaction } from './v3.ts'

/** The last state of an account in a masterchain block; confirmed: in a shard block. */
export type AccountStateEvent = {
  type: 'account_state_change'
  finality: Finality
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  /** Account state before or after a transaction. Parts that are not in the block are null. */
  state: AccountState
  /** Decimal number. */
  lt?: Decimal
  /** A hash, base64. */
  last_transaction_hash?: Hash
  /** Unix time of the masterchain block; confirmed: of the shard block. */
  utime?: number
  mc_block_seqno?: number | null
  previous?: {
    balance: Decimal | null
    /** A hash, base64. */
    hash: Hash
  }
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** Actions of the subscribed accounts. */
export type ActionsEvent = {
  type: 'actions'
  finality: Finality
  trace_external_hash_norm: Hash | null
  /** A hash, base64. */
  trace_id?: Hash
  /** Latest first. */
  actions: Action[]
  address_book?: AddressBook | null
  metadata?: Metadata | null
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
  /** Number of this event of its trace and type. */
  revision?: number
}

export type BlockEvent = {
  type: 'block'
  finality: Finality
  block: Block
  transactions_count: number
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

export type GapEvent = {
  type: 'gap'
  /** What was not sent. */
  lost: 'speculative' | 'all'
  reason: 'slow_consumer' | 'journal_gone' | 'not_kept' | 'source'
  /** Id after which events are missing. */
  from: string
  /** Id up to which events are missing. */
  to: string
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** A jetton wallet after a transaction. */
export type JettonsEvent = {
  type: 'jettons_change'
  finality: Finality
  jetton: JettonWallet
  address_book?: AddressBook | null
  metadata?: Metadata | null
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** All finalized events up to this masterchain block have been sent: the checkpoint to store. */
export type MasterchainHeadEvent = {
  type: 'masterchain_head'
  seqno: number
  /** A hash, base64. */
  root_hash: Hash
  /** A hash, base64. */
  file_hash: Hash
  gen_utime: number
  shards: BlockId[]
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** Why a pending or confirmed trace was invalidated. */
export type MessageExpiredEvent = {
  type: 'message_expired'
  /** A hash, base64. */
  trace_external_hash_norm: Hash
  reason: 'lifetime' | 'replaced' | 'block_discarded' | 'rejected'
  /** With the reason rejected. */
  exit_code?: number
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** A confirmed state that did not become final: drop the account state or jetton wallet of this lt. */
export type StateInvalidatedEvent = {
  type: 'state_invalidated'
  /** Raw address; addr_none and similar if it is not an account. */
  account: Address
  /** A hash, base64. */
  hash: Hash
  /** Decimal number. */
  lt: Decimal
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

export type StreamEvent = TransactionsEvent | ActionsEvent | TraceEvent | AccountStateEvent | JettonsEvent | TraceInvalidatedEvent | BlockEvent | MasterchainHeadEvent | StateInvalidatedEvent | MessageExpiredEvent | GapEvent

/** All given filters must pass, with one value of each. */
export type StreamFilters = {
  /** Opcodes of incoming messages; for transactions. */
  opcodes?: (string | number)[]
  /** Jetton masters; may replace addresses. */
  jetton_masters?: string[]
  /** Hashes of the code of accounts; may replace addresses. */
  code_hashes?: string[]
  /** Kinds of incoming messages. */
  message_kinds?: ('external_in' | 'internal' | 'bounced' | 'tick_tock')[]
  /** Least value of incoming messages, in nano units. */
  min_value?: string
  /** Whether the compute phase and the action phase succeeded. */
  success?: boolean
}

export type Subscription = {
  types: ('transactions' | 'actions' | 'trace' | 'account_state_change' | 'jettons_change' | 'blocks' | 'trace_invalidated')[]
  /** Addresses in any form. Required unless all types are trace or blocks. "*" means all. */
  addresses?: string[]
  /** Normalized hashes of external-in messages; with the type trace. */
  trace_external_hash_norms?: string[]
  /** Default: finalized. */
  min_finality?: 'pending' | 'confirmed' | 'finalized'
  /** Action types to send; all if empty. */
  action_types?: string[]
  /** Action types, or shortcuts for them, that the client supports. Default: latest. */
  supported_action_types?: string[]
  include_address_book?: boolean
  include_metadata?: boolean
  id?: string | null
  /** Adds ids and times to events, and sends further types. Implied by filters, deliver and "*". */
  extended?: boolean
  /** Transactions of a whole trace once it is final, or of an account as soon as they are. Default: trace; webhooks: transaction. */
  deliver?: 'trace' | 'transaction'
  /** All given filters must pass, with one value of each. */
  filters?: StreamFilters
  /** Resumes after an event, a masterchain block or a time. Default: head. */
  since?: 'head' | string | {
    mc_seqno: number
  } | {
    utime: number
  }
  /** Ends the stream. */
  until?: 'head' | string | {
    mc_seqno: number
  } | {
    utime: number
  }
  /** If events after since are not kept any more. Default: fail. */
  on_gap?: 'fail' | 'mark'
}

/** A whole trace. */
export type TraceEvent = {
  type: 'trace'
  finality: Finality
  trace_external_hash_norm: Hash | null
  /** A hash, base64. */
  trace_id?: Hash
  trace?: TraceNode
  /** By hash. */
  transactions: { [name: string]: Transaction }
  actions?: Action[]
  /** Some transactions of the trace are missing. */
  is_incomplete?: boolean
  address_book?: AddressBook | null
  metadata?: Metadata | null
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
  /** Number of this event of its trace and type. */
  revision?: number
}

/** A trace that was sent did not happen: drop all data of this hash. */
export type TraceInvalidatedEvent = {
  type: 'trace_invalidated'
  /** A hash, base64. */
  trace_external_hash_norm: Hash
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
}

/** Transactions of the subscribed accounts. */
export type TransactionsEvent = {
  type: 'transactions'
  finality: Finality
  trace_external_hash_norm: Hash | null
  /** A hash, base64. */
  trace_id?: Hash
  /** Logical time descending. */
  transactions: Transaction[]
  address_book?: AddressBook | null
  metadata?: Metadata | null
  /** Id of the event; a stream resumes after it. */
  event_id?: string
  /** Unix time in milliseconds. */
  emitted_at?: number
  /** Newest finalized masterchain block. */
  mc_seqno?: number
  /** Number of this event of its trace and type. */
  revision?: number
}

import type { Cell } from '../codec/cell/Cell.ts'
import type { CopyRow } from '../store/schema/columns.ts'
import type { tables } from '../store/schema/tables.ts'
import type { DecodedBlockSet, TouchedAccount } from './blockSets.ts'

/** Counters of a trace. */
export type TraceNumbers = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startSeqno: number
  readonly endSeqno: number
  readonly startUtime: number
  readonly endUtime: number
  readonly transactions: number
  /** Edges: the external-in message, messages between transactions, and external-out messages. */
  readonly messages: number
}

export type Trace = TraceNumbers & {
  /** Hash of its first transaction; for an orphan, of the first known one. */
  readonly traceId: Uint8Array
}

/** A trace with pending messages, or one whose first transaction is in a block that is not indexed. */
export type OpenTrace = Trace & {
  readonly pending: number
  /** The message that the first known transaction received from an unknown one. */
  readonly orphanHash: Uint8Array | undefined
}

/** A pending message, with its key in unreceived_messages. */
export type OpenMessage = {
  readonly hash: Uint8Array
  readonly traceId: Uint8Array
  readonly account: Uint8Array
  readonly createdLt: bigint
  readonly seqno: number
}

/** The unfinished traces at the upper end of a covered range, and its orphans. */
export type OpenTraces = { readonly traces: readonly OpenTrace[]; readonly messages: readonly OpenMessage[] }

/**
 * The code and data of an account after a block set; of several entries of one account the last is the newest. `undefined` if
 * there is none, `unknown` if the source does not have it.
 */
export type ResolvedAccount = {
  readonly account: Uint8Array
  /** The logical time of this state. */
  readonly lastLt: bigint
  readonly code: Cell | undefined | 'unknown'
  readonly data: Cell | undefined | 'unknown'
  /** Known even if the block does not show them. */
  readonly extraCurrencies: TouchedAccount['extraCurrencies']
}

/** The result of linking consecutive block sets into traces. */
export type LinkedTraces = {
  readonly finished: readonly Trace[]
  /** The open traces afterwards. */
  readonly open: OpenTraces
  /** The new or changed ones of `open.traces`. Rows of finished and renamed traces are deleted as well. */
  readonly touched: OpenTraces['traces']
  /** Messages pending from before that arrived: their rows are deleted. */
  readonly arrived: OpenTraces['messages']
  /** For each block set, the sent messages that were not received: their rows are written. */
  readonly unreceived: readonly Uint32Array[]
  /** Former orphans, which get the id of their trace. */
  readonly renamed: readonly { readonly from: Uint8Array; readonly to: Uint8Array }[]
}

type ContractTable =
  | 'jetton_masters'
  | 'jetton_wallets'
  | 'nft_collections'
  | 'nft_items'
  | 'nft_sales'
  | 'dns_entries'
  | 'multisigs'
  | 'multisig_orders'
  | 'vesting_contracts'
  | 'dex_pools'

/** Detected contracts: rows by table, and the events that they confirm. */
export type InspectedContracts = {
  readonly contracts: { readonly [T in ContractTable]: readonly CopyRow<(typeof tables)[T]>[] }
  readonly codes: readonly CopyRow<typeof tables.codes>[]
  readonly jettonTransfers: readonly CopyRow<typeof tables.jetton_transfers>[]
  readonly jettonBurns: readonly CopyRow<typeof tables.jetton_burns>[]
  readonly nftTransfers: readonly CopyRow<typeof tables.nft_transfers>[]
}

/** The first and the last masterchain block of a covered range. */
type Ends = { readonly first: number; readonly last: number }

/** Consecutive block sets, ready to be written in one transaction. */
export type IndexBatch = {
  readonly blockSets: readonly DecodedBlockSet[]
  readonly linked: LinkedTraces
  readonly resolved: readonly ResolvedAccount[]
  readonly inspected: InspectedContracts
  /** The covered ranges that it was linked with. If they have changed, the batch is refused. */
  readonly neighbours?: { readonly below: Ends | undefined; readonly above: Ends | undefined }
}

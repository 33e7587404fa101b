import type { Cell } from '../codec/cell/Cell.ts'
import type { CopyRow } from '../store/schema/columns.ts'
import type { tables } from '../store/schema/tables.ts'
import type { DecodedUnit, TouchedAccount } from './blockSets.ts'

/** Numbers of a trace that grow as its transactions come. */
export type TraceNumbers = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startSeqno: number
  readonly endSeqno: number
  readonly startUtime: number
  readonly endUtime: number
  readonly transactions: number
  /** Edges: what came in from outside, messages between transactions, and those that left the chain. */
  readonly messages: number
}

export type Trace = TraceNumbers & {
  /** Hash of its first transaction; of the first that is known where the trace is an orphan. */
  readonly traceId: Uint8Array
}

/** A trace with messages under way, or one whose beginning is in a block that is not indexed yet, or never will be. */
export type OpenTrace = Trace & {
  readonly pending: number
  /** The message that the first known transaction received from one that is not known. */
  readonly orphanHash: Uint8Array | undefined
}

/** A message under way, with its row in unreceived_messages by key. */
export type OpenMessage = {
  readonly hash: Uint8Array
  readonly traceId: Uint8Array
  readonly account: Uint8Array
  readonly createdLt: bigint
  readonly seqno: number
}

/** All that is not finished at the upper end of a covered range, or begins unknown in it. */
export type OpenTraces = { readonly traces: readonly OpenTrace[]; readonly messages: readonly OpenMessage[] }

/**
 * What an account has after a unit; of several of one account the last is the newest. `undefined` where there is none, `unknown` where
 * the source does not have it.
 */
export type ResolvedAccount = {
  readonly account: Uint8Array
  /** Of the state that this belongs to. */
  readonly lastLt: bigint
  readonly code: Cell | undefined | 'unknown'
  readonly data: Cell | undefined | 'unknown'
  /** Also where the block that touched the account does not show them. */
  readonly extraCurrencies: TouchedAccount['extraCurrencies']
}

/** What the assembly of traces makes of consecutive units. */
export type LinkedTraces = {
  readonly finished: readonly Trace[]
  /** The state after it. */
  readonly open: OpenTraces
  /** Those of `open.traces` that are new or have changed. Besides them, the rows of finished and renamed ones go. */
  readonly touched: OpenTraces['traces']
  /** Messages under way from before that arrived: their rows go. */
  readonly arrived: OpenTraces['messages']
  /** Of each unit, the messages sent that nobody here has received: their rows are written. */
  readonly unreceived: readonly Uint32Array[]
  /** Traces that were known by another id, because they were orphans. */
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

/** What was found out about contracts: rows by table, and the events that they confirm. */
export type InspectedContracts = {
  readonly contracts: { readonly [T in ContractTable]: readonly CopyRow<(typeof tables)[T]>[] }
  readonly codes: readonly CopyRow<typeof tables.codes>[]
  readonly jettonTransfers: readonly CopyRow<typeof tables.jetton_transfers>[]
  readonly jettonBurns: readonly CopyRow<typeof tables.jetton_burns>[]
  readonly nftTransfers: readonly CopyRow<typeof tables.nft_transfers>[]
}

/** The first and the last masterchain block of a covered range. */
type Ends = { readonly first: number; readonly last: number }

/** Consecutive units, ready to be written in one transaction of the database. */
export type IndexBatch = {
  readonly units: readonly DecodedUnit[]
  readonly linked: LinkedTraces
  readonly resolved: readonly ResolvedAccount[]
  readonly inspected: InspectedContracts
  /** The covered ranges that it was linked with. Where they are not the same any more, it is refused. */
  readonly neighbours?: { readonly below: Ends | undefined; readonly above: Ends | undefined }
}

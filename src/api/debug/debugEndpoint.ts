import type { CodeListing } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Debugger } from '../../debug/Debugger.ts'
import type { SourceStore } from '../../debug/sources/SourceStore.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import type { AnswerBudget } from '../v3/AnswerBudget.ts'

/** What the debugger asks of the index. */
export interface DebugIndex {
  findRecord(hash: Uint8Array): Promise<TransactionRecord | undefined>
  findCode(hash: Uint8Array): Promise<Cell | undefined>
  /** Transactions of a trace, by logical time; none where the index does not have it. */
  listTrace(named: TraceName): Promise<readonly TransactionRecord[]>
}

/** A trace by its id, or by any transaction or message of it. */
export type TraceName =
  | { readonly traceId: Uint8Array }
  | { readonly hash: Uint8Array }
  | { readonly messageHash: Uint8Array }

/** Context of an endpoint. */
export type DebugContext = {
  readonly debugger: Debugger
  /** Absent without an index. */
  readonly index: DebugIndex | undefined
  readonly sources: SourceStore
  listCode(code: Cell): CodeListing
  readonly budget: AnswerBudget
  readonly call: Call
}

/** Defines an endpoint of the debugger. */
export const debugEndpoint = endpointFor<DebugContext>()

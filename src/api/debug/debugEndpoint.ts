import type { CodeListing } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Debugger } from '../../debug/Debugger.ts'
import type { SourceStore } from '../../debug/sources/SourceStore.ts'
import type { Address } from '../../primitives/Address.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import type { EmulateParts } from '../emulate/EmulateContext.ts'
import type { AnswerBudget } from '../v3/AnswerBudget.ts'

/** What the debugger asks of the index. */
export interface DebugIndex {
  findRecord(hash: Uint8Array): Promise<TransactionRecord | undefined>
  findCode(hash: Uint8Array): Promise<Cell | undefined>
  /** Positions of the newest transactions of an account within a time, newest first. */
  listAccount(address: Address, span: TimeSpan, limit: number): Promise<readonly { readonly lt: bigint }[]>
  /** Transactions of a trace, by logical time; none where the index does not have it. */
  listTrace(named: TraceName): Promise<readonly TransactionRecord[]>
}

/** Unix times, both included. */
export type TimeSpan = { readonly from: number | undefined; readonly to: number | undefined }

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
  /** Code as text; methods are named by the function. */
  writeCodeText(code: Cell, style: 'fift' | 'tasm', nameOf: (method: number) => string): string
  /** Runs messages that were not sent. */
  readonly emulation: EmulateParts
  readonly budget: AnswerBudget
  readonly call: Call
}

/** Defines an endpoint of the debugger. */
export const debugEndpoint = endpointFor<DebugContext>()

import type { Debugger } from '../../debug/Debugger.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { Call } from '../core/Call.ts'
import { endpointFor } from '../core/Endpoint.ts'
import type { AnswerBudget } from '../v3/AnswerBudget.ts'

/** Context of an endpoint. */
export type DebugContext = {
  readonly debugger: Debugger
  /** A transaction as the index has it; absent without an index. */
  readonly findRecord: ((hash: Uint8Array) => Promise<TransactionRecord | undefined>) | undefined
  readonly budget: AnswerBudget
  readonly call: Call
}

/** Defines an endpoint of the debugger. */
export const debugEndpoint = endpointFor<DebugContext>()

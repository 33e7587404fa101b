import type { ActionRecord } from '../reader/ActionRecord.ts'
import type { TransactionRecord } from '../reader/TransactionRecord.ts'

/** How sure it is that something stays: foreseen, seen in a block of a shard, or in one that the masterchain knows. */
export type Finality = 'pending' | 'confirmed' | 'finalized'

/** A transaction that is foreseen, or was seen before the index had it. */
export type PendingTransaction = Omit<TransactionRecord, 'traceId'> & {
  /** `undefined` while the first of the trace is only foreseen. */
  readonly traceId: Uint8Array | undefined
  readonly isEmulated: boolean
  readonly finality: Finality
}

export type PendingAction = Omit<ActionRecord, 'traceId'> & {
  readonly traceId: Uint8Array | undefined
  readonly finality: Finality
}

/** What a message from outside will set off, as far as it is known. */
export type PendingTrace = {
  readonly externalHash: Uint8Array
  readonly externalHashNorm: Uint8Array
  readonly traceId: Uint8Array | undefined
  readonly transactions: readonly PendingTransaction[]
  /** `undefined` until somebody has said what happens in it. */
  readonly actions: readonly PendingAction[] | undefined
  /** It goes on further than anybody has looked. */
  readonly isIncomplete: boolean
}

/** Whose traces, or which: by the hash of the first transaction, or of the message from outside, plain or normal. */
export type PendingQuestion = { readonly accounts: readonly Uint8Array[] } | { readonly hashes: readonly Uint8Array[] }

/** What is known of traces before they are in the index. */
export interface PendingTraces {
  /** Each once. Of an account are those that have a transaction or an action of it. Some may be in the index already. */
  find(question: PendingQuestion): Promise<readonly PendingTrace[]>
}

/** Where nobody looks ahead. */
export const noPendingTraces: PendingTraces = { find: async () => [] }

import type { PendingTrace, PendingTraces } from '../store/reader/pending.ts'

/** Where pending traces are kept until they are in the index. There is one for each message, by its normal hash. */
export interface PendingStore extends PendingTraces {
  /** Keeps it for so long, in place of what was known of it before. */
  put(trace: PendingTrace, lifeMs: number): Promise<void>
  remove(normalHash: Uint8Array): Promise<void>
  /** Forgets all of them: the chain was begun anew. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** How long a trace is kept when nothing is heard of it any more: by whether it has begun, and has ended. */
export const lifeOf = ({ transactions, traceId }: PendingTrace): number => {
  if (traceId === undefined) return 30_000
  return transactions.some(({ isEmulated }) => isEmulated) ? 60_000 : 30_000
}

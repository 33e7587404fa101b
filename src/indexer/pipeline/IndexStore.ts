import type { Dropped } from '../../store/retention/dropBefore.ts'
import type { Side } from '../commit/placeBatch.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import type { OpenTraces } from '../OpenTraces.ts'

/** Masterchain blocks whose rows are all there. */
export type SeqnoRange = { readonly first: number; readonly last: number }

/** A covered range and what is unfinished in it. */
export type OpenRange = SeqnoRange & { readonly open: OpenTraces }

/** What is there. */
export type StoredIndex = {
  /** The covered ranges, the lowest first. */
  readonly ranges: readonly OpenRange[]
  /** Blocks below it were dropped and are not taken again. */
  readonly retainedFrom: number
  /** History is dropped in pieces of so many blocks. */
  readonly partitionWidth: number
}

/** Keeps what was indexed. */
export interface IndexStore {
  load(): Promise<StoredIndex>
  /**
   * Writes a batch and, in the same transaction, what is covered. The next may be given before it is done: that one is there after it
   * or not at all.
   */
  commit(batch: IndexBatch, side: Side): Promise<void>
  /** Drops the history before a block, as far as whole pieces of it are before. What is there is to be loaded anew. */
  dropBefore(seqno: number): Promise<Dropped>
  /** Clears away what dropped history has left behind. Others may write meanwhile. */
  clearBefore(seqno: number, signal: AbortSignal): Promise<void>
}

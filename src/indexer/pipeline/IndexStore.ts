import type { Side } from '../commit/placeBatch.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import type { OpenTraces } from '../OpenTraces.ts'

/** Masterchain blocks whose rows are all there. */
export type SeqnoRange = { readonly first: number; readonly last: number }

/** A covered range and what is unfinished in it. */
export type OpenRange = SeqnoRange & { readonly open: OpenTraces }

/** Keeps what was indexed. */
export interface IndexStore {
  /** The covered ranges, the lowest first. */
  load(): Promise<readonly OpenRange[]>
  /** Writes a batch and, in the same transaction, what is covered. */
  commit(batch: IndexBatch, side: Side): Promise<void>
}

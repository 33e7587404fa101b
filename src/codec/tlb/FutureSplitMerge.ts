import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

/** What is planned for a shard, and the window for it: `interval` seconds from `utime` on. */
export type FutureSplitMerge =
  | { readonly kind: 'none' }
  | { readonly kind: 'split' | 'merge'; readonly utime: number; readonly interval: number }

export const NO_SPLIT_MERGE: FutureSplitMerge = { kind: 'none' }

/**
 * fsm_none$0 = FutureSplitMerge; fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
 * fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
 */
export const readFutureSplitMerge = (r: CellReader): FutureSplitMerge => {
  if (!r.readBit()) return NO_SPLIT_MERGE
  return { kind: r.readBit() ? 'merge' : 'split', utime: r.readUint(32), interval: r.readUint(32) }
}

export const writeFutureSplitMerge = (w: CellWriter, future: FutureSplitMerge): void => {
  w.writeBit(future.kind !== 'none')
  if (future.kind === 'none') return
  w.writeBit(future.kind === 'merge')
    .writeUint(future.utime, 32)
    .writeUint(future.interval, 32)
}

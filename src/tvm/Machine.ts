import type { CodeHistory } from './CodeHistory.ts'
import type { KnownConfigs } from './KnownConfigs.ts'
import type { SliceQueue } from './SliceQueue.ts'
import type { WorkerPool } from './WorkerPool.ts'

/** What all runs of one virtual machine share. */
export type Machine = {
  /** Short runs, on the calling thread. */
  readonly slices: SliceQueue
  /** Threads for runs that need more gas, or instructions that take milliseconds. */
  readonly long: WorkerPool
  readonly history: CodeHistory
  /** CPU time of a long run that the index waits for. */
  readonly shortTimeLimitMs: number
  readonly configs: KnownConfigs
}

/** What nearly every run gets by with: about a millisecond. */
export const INLINE_GAS = 20_000
/** The same for transactions of the network itself, which nobody else can have run. */
export const OWN_INLINE_GAS = 100_000
/** Gas of one slice on the calling thread: some tenths of a millisecond. */
export const SLICE_GAS = 5_000

/** Says that a run has to start again on a thread of its own. */
export class NeedsThread {}
export const needsThread = new NeedsThread()

import type { LruCache } from '../primitives/LruCache.ts'
import type { CodeHistory } from './CodeHistory.ts'
import type { PreparedConfigs } from './PreparedConfig.ts'
import type { WorkerPool } from './WorkerPool.ts'

/** What all runs of one virtual machine share. */
export type Machine = {
  /** For code that is known to be quick, and for the network's own transactions. */
  readonly usual: WorkerPool
  /** For code that has not run before: should it harm, no run of other known code waits for it. */
  readonly trial: WorkerPool
  /** For code that is known to take long. */
  readonly slow: WorkerPool
  readonly history: CodeHistory
  /** Trials under way, by code hash. Further runs of that code wait for the outcome. */
  readonly trials: Map<string, Promise<unknown>>
  /** CPU time of a run in the usual lane or on trial, where it can be run again in the slow lane. */
  readonly quickTimeLimitMs: number
  readonly configs: PreparedConfigs
  /** Methods that have looked at the configuration: code hash and number. */
  readonly configReaders: LruCache<true>
}

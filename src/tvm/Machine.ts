import type { LruCache } from '../primitives/LruCache.ts'
import type { PreparedConfigs } from './PreparedConfig.ts'
import type { SlowCode } from './SlowCode.ts'
import type { WorkerPool } from './WorkerPool.ts'

/** What all runs of one virtual machine share. */
export type Machine = {
  readonly pool: WorkerPool
  /** For runs that are known to take long, so that all others need not wait for them. */
  readonly apart: WorkerPool
  readonly slowCode: SlowCode
  readonly configs: PreparedConfigs
  /** Methods that have looked at the configuration: code hash and number. */
  readonly configReaders: LruCache<true>
}

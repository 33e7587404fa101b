import type { PreparedConfigs } from './PreparedConfig.ts'
import type { RecentMap } from './RecentMap.ts'
import type { WorkerPool } from './WorkerPool.ts'

/** What all runs of one virtual machine share. */
export type Machine = {
  readonly pool: WorkerPool
  readonly configs: PreparedConfigs
  /** Methods that have looked at the configuration: code hash and number. */
  readonly configReaders: RecentMap<true>
}

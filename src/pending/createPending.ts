import type { LiveChain } from '../chain/LiveChain.ts'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type { Logger } from '../observe/Logger.ts'
import type { Database } from '../store/connect/Database.ts'
import { indexedChannel, NotificationListener } from '../store/connect/notifications.ts'
import type { PendingTraces } from '../store/reader/pending.ts'
import type { ClassifyTrace } from './assembleTrace.ts'
import type { PendingStore } from './MemoryPendingStore.ts'
import { PendingTracker } from './PendingTracker.ts'
import { openSentMessage, TraceForecast } from './TraceForecast.ts'

export type PendingOptions = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly database: Pick<Database, 'reader' | 'openConnection'>
  readonly classify: ClassifyTrace
  readonly store: PendingStore
  readonly logger: Logger
}

export type Pending = {
  readonly traces: PendingTraces
  /** To be told of every message from outside that a node has taken. Never throws. */
  onSent(message: Cell): void
  /** Forgets everything: the chain went back in time. */
  forget(): void
  close(): Promise<void>
}

/** So long without a hint, it is looked anyway. */
const POLL_MS = 100

/** Looks ahead of the index: foresees what sent messages lead to until the index has it. */
export const createPending = (options: PendingOptions): Pending => {
  const { chain, vm, database, classify, store, logger } = options
  const forecast = new TraceForecast({ chain, vm })
  const tracker = new PendingTracker({ store, forecast, classify, reader: () => database.reader(), logger })
  const hints = new NotificationListener(database, { logger, pollMs: POLL_MS })
  const ending = new AbortController()
  const fail = (error: unknown): void => logger.error('what is pending cannot be followed', { error })
  const follow = async (): Promise<void> => {
    for await (const _hint of hints.watch(indexedChannel, ending.signal)) await tracker.step().catch(fail)
  }
  const following = follow().catch(fail)
  const add = async (cell: Cell): Promise<void> => {
    const message = openSentMessage(cell)
    if (message !== undefined) await tracker.add(message)
  }
  return {
    traces: store,
    onSent: (message) => void add(message).catch(fail),
    forget: () => void tracker.clear().catch(fail),
    close: async () => {
      ending.abort()
      await following
      await hints.close()
      await store.close()
    },
  }
}

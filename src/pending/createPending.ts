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
import { openSentMessage, TraceEmulator } from './TraceEmulator.ts'

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
  /** Call for every external-in message that a node has accepted. Never throws. */
  onSent(message: Cell): void
  /** Drops everything: the chain was reset. */
  forget(): void
  close(): Promise<void>
}

/** Polling interval without notifications. */
const POLL_MS = 100

/** Emulates sent messages until the index has their traces. */
export const createPending = (options: PendingOptions): Pending => {
  const { chain, vm, database, classify, store, logger } = options
  const emulator = new TraceEmulator({ chain, vm })
  const tracker = new PendingTracker({ store, emulator, classify, reader: () => database.reader(), logger })
  const hints = new NotificationListener(database, { logger, pollMs: POLL_MS })
  const ending = new AbortController()
  const fail = (error: unknown): void => logger.error('pending update failed', { error })
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

import type { Confirmations } from '../chain/confirmations.ts'
import type { LiveChain } from '../chain/LiveChain.ts'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type { Logger } from '../observe/Logger.ts'
import type { Database, WatchedServer } from '../store/connect/Database.ts'
import { indexedChannel, NotificationListener } from '../store/connect/notifications.ts'
import type { PendingTraces } from '../store/reader/pending.ts'
import type { ClassifyTrace } from './assembleTrace.ts'
import type { PendingStore } from './MemoryPendingStore.ts'
import { MessageWaits } from './MessageWaits.ts'
import { PendingChanges } from './PendingChanges.ts'
import { findStartedRows, PendingTracker } from './PendingTracker.ts'
import { openSentMessage, TraceEmulator } from './TraceEmulator.ts'

export type PendingOptions = {
  readonly chain: Pick<LiveChain, 'withNode'>
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly database: Pick<Database, 'reader' | 'openConnection'>
  readonly classify: ClassifyTrace
  readonly store: PendingStore
  readonly changes?: PendingChanges
  /** See `TrackerParts`. */
  readonly unstartedMs?: number
  /** Ends all waits for messages. */
  readonly signal?: AbortSignal
  readonly logger: Logger
}

export type Pending = {
  readonly traces: PendingTraces
  /** Call for every external-in message that a node has accepted. Never throws. */
  onSent(message: Cell): void
  /** Tells callers what became of their messages. */
  readonly confirmations: Confirmations
  /** Drops everything: the chain was reset. */
  forget(): void
  close(): Promise<void>
}

/** Polling interval without notifications. */
const POLL_MS = 100

/** Emulates sent messages until the index has their traces. */
export const createPending = (options: PendingOptions): Pending => {
  const { chain, vm, database, classify, store, unstartedMs, logger, changes = new PendingChanges(logger) } = options
  const emulator = new TraceEmulator({ chain, vm })
  const reader = (): WatchedServer => database.reader()
  const tracker = new PendingTracker({ store, emulator, classify, changes, reader, unstartedMs, logger })
  changes.connect(store.watchOthers)
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
  const confirmations = new MessageWaits({
    changes,
    track: ({ message }) => void add(message).catch(fail),
    forget: (normalHash) => tracker.forget(normalHash),
    isShown: (normalHash) => tracker.isShown(normalHash),
    listTransactions: async (traceId) =>
      (await findStartedRows(database.reader(), traceId)).map(({ account, lt, hash }) => ({ account, lt, hash })),
    signal: options.signal ?? ending.signal,
  })
  return {
    traces: store,
    confirmations,
    onSent: (message) => void add(message).catch(fail),
    forget: () => void tracker.clear().catch(fail),
    close: async () => {
      ending.abort()
      changes.connect(undefined)
      await following
      await hints.close()
      await store.close()
    },
  }
}

import { type Confirmations, IndexMissingError } from '../../chain/confirmations.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { classifyTraces, toActionRecord, toTraceInput } from '../../indexer/classify/classifyTraces.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import { NonFinalBlocks } from '../../node/NonFinalBlocks.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { ClassifyTrace } from '../../pending/assembleTrace.ts'
import type { ConfirmedTracker } from '../../pending/confirmed/ConfirmedTracker.ts'
import { type ConfirmedParts, createConfirmed } from '../../pending/confirmed/createConfirmed.ts'
import { createPending, type Pending } from '../../pending/createPending.ts'
import { MemoryPendingStore, type PendingStore } from '../../pending/MemoryPendingStore.ts'
import { PendingChanges } from '../../pending/PendingChanges.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { noPendingTraces, type PendingTraces } from '../../store/reader/pending.ts'
import type { WorkerLink } from './workers/WorkerLink.ts'

type PendingSetup = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Root hash of the masterchain zerostate; identifies the network. */
  readonly zeroState: Uint8Array
  /** URL of a Redis server shared with other processes. */
  readonly redisUrl?: string | undefined
  readonly logger: Logger
}

export type OpenedPending = {
  readonly traces: PendingTraces
  /** Receives every external message that a liteserver accepted. */
  onSent(message: Cell): void
  /** Tells callers what became of their messages. */
  readonly confirmations: Confirmations
  /** Starts pending emulation as soon as the index is open. */
  begin(opening: Promise<Database>): void
  /** Drops all pending traces: the chain was reverted. */
  forget(): void
  /** Changes of pending messages, as soon as emulation has started. */
  readonly changes: Pick<PendingChanges, 'listen'>
  /** Follows blocks that are confirmed and not final. */
  openConfirmed(database: Pick<Database, 'reader'>, watchFinal: ConfirmedParts['watchFinal']): ConfirmedTracker
}

/** Emulates pending traces on top of an index that may open later than v2. */
export const openPending = (setup: PendingSetup, shutdown: Shutdown): OpenedPending => {
  const { node, vm, logger } = setup
  let pending: Pending | undefined
  const changes = new PendingChanges(logger)
  const begin = async (opening: Promise<Database>): Promise<void> => {
    // The failure is reported by the code that opens the index.
    const database = await opening.catch(() => undefined)
    if (database === undefined) return
    const store = await openStore(setup)
    if (shutdown.signal.aborted) return store.close()
    pending = createPending({
      chain: createLiveChain(node),
      vm,
      database,
      classify: createClassify(database, logger),
      store,
      changes,
      signal: shutdown.signal,
      logger,
    })
    // Registered after the database, so that it closes before it.
    const { close } = pending
    shutdown.add('pending traces', close)
  }
  const getConfirmations = (): Confirmations => {
    if (pending === undefined) throw new IndexMissingError('The index is not open yet.')
    return pending.confirmations
  }
  return {
    confirmations: {
      open: (request) => getConfirmations().open(request),
      listTransactions: (traceId) => getConfirmations().listTransactions(traceId),
    },
    traces: { find: (request) => (pending?.traces ?? noPendingTraces).find(request) },
    onSent: (message) => pending?.onSent(message),
    begin: (opening) =>
      void begin(opening).catch((error: unknown) => logger.error('pending emulation disabled', { error })),
    forget: () => pending?.forget(),
    changes,
    openConfirmed: (database, watchFinal) =>
      createConfirmed({
        source: new NonFinalBlocks(node.pool),
        reader: () => database.reader(),
        classify: createClassify(database, logger),
        watchFinal,
        logger,
      }),
  }
}

/** Loaded on demand: processes that share nothing do not need the package. */
const openStore = async ({ redisUrl, zeroState, logger }: PendingSetup): Promise<PendingStore> => {
  if (redisUrl === undefined) return new MemoryPendingStore()
  const { RedisPendingStore } = await import('../../pending/RedisPendingStore.ts')
  const store = new RedisPendingStore({ url: redisUrl, network: toHex(zeroState).slice(0, NETWORK_DIGITS), logger })
  await store.ready()
  return store
}

const NETWORK_DIGITS = 16

const createClassify =
  (database: Pick<Database, 'reader'>, logger: Logger): ClassifyTrace =>
  async (trace, transactions) => {
    try {
      const [classified] = await classifyTraces(
        database.reader().listReads,
        [toTraceInput(trace, transactions)],
        () => undefined,
      )
      return classified?.actions.map((action) => toActionRecord(action, trace))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      logger.debug('pending trace classification failed', { error })
      return undefined
    }
  }

/** Pending traces in all workers: each emulates for itself, and workers exchange the messages. */
export const openSharedPending = (
  setup: PendingSetup,
  database: Database,
  link: WorkerLink | undefined,
  shutdown: Shutdown,
): Pick<OpenedPending, 'traces' | 'onSent' | 'changes' | 'confirmations' | 'openConfirmed'> => {
  const pending = openPending(setup, shutdown)
  pending.begin(Promise.resolve(database))
  // With Redis workers share traces and need not emulate them twice.
  if (link === undefined || setup.redisUrl !== undefined) return pending
  link.onSentElsewhere((boc) => pending.onSent(decodeSingleBoc(boc)))
  return {
    traces: pending.traces,
    changes: pending.changes,
    openConfirmed: pending.openConfirmed,
    confirmations: pending.confirmations,
    onSent: (message) => {
      pending.onSent(message)
      link.announceSent(encodeBoc([message]))
    },
  }
}

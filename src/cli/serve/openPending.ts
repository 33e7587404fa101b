import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { classifyTraces, toActionRecord, toTraceInput } from '../../indexer/classify/classifyTraces.ts'
import { createLiveChain } from '../../node/live/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { ClassifyTrace } from '../../pending/assembleTrace.ts'
import { createPending, type Pending } from '../../pending/createPending.ts'
import { MemoryPendingStore, type PendingStore } from '../../pending/MemoryPendingStore.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { noPendingTraces, type PendingTraces } from '../../store/reader/pending.ts'

export type PendingSetup = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Root hash of the zero state of the masterchain: by it networks are told apart. */
  readonly zeroState: Uint8Array
  /** Of a server that other processes use, too. */
  readonly redisUrl?: string | undefined
  readonly logger: Logger
}

export type OpenedPending = {
  readonly traces: PendingTraces
  /** To be told of every message from outside that a node has taken. */
  onSent(message: Cell): void
  /** Begins to look ahead, as soon as there is an index to look ahead of. */
  begin(opening: Promise<Database>): void
  /** Forgets everything: the chain went back in time. */
  forget(): void
}

/** Looks ahead of an index that may not be there yet: the live interface is there before it. */
export const openPending = (setup: PendingSetup, shutdown: Shutdown): OpenedPending => {
  const { node, vm, logger } = setup
  let pending: Pending | undefined
  const begin = async (opening: Promise<Database>): Promise<void> => {
    // Whoever opens the index says what is wrong with it.
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
      logger,
    })
    // After the database, so that it ends before it.
    const { close } = pending
    shutdown.add('pending traces', close)
  }
  return {
    traces: { find: (question) => (pending?.traces ?? noPendingTraces).find(question) },
    onSent: (message) => pending?.onSent(message),
    begin: (opening) => void begin(opening).catch((error: unknown) => logger.error('nothing is foreseen', { error })),
    forget: () => pending?.forget(),
  }
}

/** Whoever shares nothing need not have what it takes. */
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
        database.reader().lists,
        [toTraceInput(trace, transactions)],
        () => undefined,
      )
      return classified?.actions.map((action) => toActionRecord(action, trace))
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      logger.debug('a pending trace cannot be classified now', { error })
      return undefined
    }
  }

import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { classifyTraces } from '../../indexer/classify/classifyTraces.ts'
import { toActionRecord } from '../../indexer/classify/toActionRecord.ts'
import { toTraceInput } from '../../indexer/classify/toTraceInput.ts'
import { createLiveChain } from '../../node/live/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { ClassifyTrace } from '../../pending/assembleTrace.ts'
import { createPending, type Pending } from '../../pending/createPending.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import type { Database } from '../../store/connect/Database.ts'
import { noPendingTraces, type PendingTraces } from '../../store/pending/PendingTraces.ts'

export type PendingSetup = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
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
export const openPending = ({ node, vm, logger }: PendingSetup, shutdown: Shutdown): OpenedPending => {
  let pending: Pending | undefined
  const begin = async (opening: Promise<Database>): Promise<void> => {
    const database = await opening
    if (shutdown.signal.aborted) return
    pending = createPending({
      chain: createLiveChain(node),
      vm,
      database,
      classify: createClassify(database, logger),
      logger,
    })
    // After the database, so that it ends before it.
    const { close } = pending
    shutdown.add('pending traces', close)
  }
  return {
    traces: { find: (question) => (pending?.traces ?? noPendingTraces).find(question) },
    onSent: (message) => pending?.onSent(message),
    // Whoever opens the index says what is wrong with it.
    begin: (opening) => void begin(opening).catch(() => undefined),
    forget: () => pending?.forget(),
  }
}

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

import type { VirtualMachine } from '../../chain/ports.ts'
import { dnsZones } from '../../contracts/dns/domainItems.ts'
import { decodeBlockSet } from '../../indexer/decode/decodeBlockSet.ts'
import { createLiveStates } from '../../indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { clearIndex } from '../../store/maintenance/rewindIndex.ts'
import { rewindCursors } from '../../store/webhooks/endpoints.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import { knownNetworks } from '../compose.ts'
import { migrate } from '../database/openDatabase.ts'
import { ForeignIndexError } from '../errors.ts'
import { acquireIndexerLease } from '../index/standby.ts'
import { startIndexer } from '../index/startIndexer.ts'
import type { StartSteps } from '../start/steps.ts'

export type NetworkIndexParts = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** Root hash of the masterchain zerostate. */
  readonly zeroState: Uint8Array
  readonly opening: Promise<Database>
  /** Clears the index first: the network was created anew. */
  readonly reset: boolean
  readonly steps: Pick<StartSteps, 'run'>
  readonly logger: Logger
  /** Metrics of the process. */
  readonly metrics: Metrics
}

export type NetworkIndex = {
  /** The database, once the indexer is running; rejects if it cannot start. */
  readonly ready: Promise<Database>
  /** Restarts the index: the network was reverted. */
  restart(): void
}

const RETRY_MS = 500

type Run = { readonly ending: AbortController; readonly done: Promise<void>; readonly metrics: Metrics }

/** Indexes an embedded network. Blocks are small, so they are decoded in this thread. */
export const indexNetwork = (parts: NetworkIndexParts, shutdown: Shutdown): NetworkIndex => {
  const { opening, reset, zeroState, logger, steps } = parts
  let run: Run | undefined
  let working: Promise<void> = Promise.resolve()
  parts.metrics.include(() => run?.metrics)
  const stop = async (): Promise<void> => {
    run?.ending.abort()
    await working
    run?.ending.abort()
    await run?.done
  }
  const open = async (): Promise<Database> => {
    const database = await opening
    // Registered here, so that it closes before the database.
    shutdown.add('indexer', stop)
    await steps.run('tables', migrate(database, logger, shutdown.signal))
    const known = await database.transaction(findIndexState)
    if (known !== undefined && (reset || !bytesEqual(known.zeroState, zeroState))) {
      if (!reset || isPublic(known.zeroState)) throw new ForeignIndexError()
      await clear(parts, database, shutdown.signal)
      // Webhooks have seen another chain.
      await database.transaction((client) => rewindCursors(client, 0))
    }
    run = begin(parts, database)
    return database
  }
  const ready = open()
  working = ready.then(
    () => undefined,
    () => undefined,
  )
  const again = async (): Promise<void> => {
    run?.ending.abort()
    await run?.done
    const database = await ready
    // A long read may hold the tables for longer than the locks wait. Without another try there would be no index any more.
    while (!shutdown.signal.aborted) {
      try {
        await clear(parts, database, shutdown.signal)
        run = begin(parts, database)
        return
      } catch (error) {
        if (shutdown.signal.aborted) return
        logger.warn('index cannot be cleared, retrying', { error })
        await pause(RETRY_MS, shutdown.signal).catch(() => undefined)
      }
    }
  }
  return {
    ready,
    restart: () => {
      working = working.then(again).catch((error: unknown) => logger.error('index restart failed', { error }))
    },
  }
}

const isPublic = (zeroState: Uint8Array): boolean =>
  Object.values(knownNetworks).some(({ zeroStateRootHash }) => zeroStateRootHash === toBase64(zeroState))

const clear = async ({ logger }: NetworkIndexParts, database: Database, signal: AbortSignal): Promise<void> => {
  const lease = await acquireIndexerLease(database, { logger, signal })
  try {
    await clearIndex(database, lease)
  } finally {
    await lease.release()
  }
}

const begin = ({ node, vm, zeroState, logger }: NetworkIndexParts, database: Database): Run => {
  const ending = new AbortController()
  const metrics = new Metrics()
  const blockSets = createBlockSetSource(node)
  const { done } = startIndexer({
    chain: { blockSets, states: createLiveStates(createLiveChain(node), blockSets), zeroState, order: 'newestFirst' },
    database,
    vm,
    decode: async (blockSet) => decodeBlockSet(blockSet),
    dnsZones: dnsZones.main,
    from: 1,
    to: undefined,
    logger,
    metrics,
    signal: ending.signal,
  })
  return {
    ending,
    metrics,
    done: done.catch((error: unknown) => logger.error('indexer stopped', { error })),
  }
}

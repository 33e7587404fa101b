import type { VirtualMachine } from '../../chain/ports.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { DecodedBlockSet, RawBlockSet } from '../../indexer/blockSets.ts'
import { Classifier, createInlineClassifier } from '../../indexer/classify/Classifier.ts'
import { createInspector } from '../../indexer/inspect/inspectBatch.ts'
import { createStoredContracts } from '../../indexer/inspect/knownContracts.ts'
import { Indexer } from '../../indexer/pipeline/Indexer.ts'
import { type AccountStages, createIndexStore } from '../../indexer/pipeline/IndexStore.ts'
import { abortable } from '../../indexer/pipeline/queues.ts'
import { createStageMetrics } from '../../indexer/pipeline/StageMetrics.ts'
import { type Progress, StallWatchdog } from '../../indexer/pipeline/StallWatchdog.ts'
import type { AccountResolver, BlockSetSource, ChainStates } from '../../indexer/ports.ts'
import { createLatestStates, createUnchangedResolver } from '../../indexer/sources/accountStates.ts'
import { createBlocksOnlyResolver, createStateResolver } from '../../indexer/sources/resolveAccounts.ts'
import { compareWithChain, IndexAheadError } from '../../indexer/verify/compareWithChain.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import { CodedError } from '../../primitives/errors.ts'
import { pause } from '../../primitives/scheduling.ts'
import { clientReader, type Database, type Reader } from '../../store/connect/Database.ts'
import { DatabaseRefusedError, LeaseLostError } from '../../store/errors.ts'
import { noteClassifier } from '../../store/writer/actions.ts'
import type { Lease, LeaseTimes } from '../../store/writer/lease.ts'
import { compactLoose, compactNowAndThen, warnOfCompaction } from './compactNowAndThen.ts'
import type { IndexedChain } from './openChain.ts'
import { acquireIndexerLease, type StandbyParts, warmStandby } from './standby.ts'

/** A node may be a moment behind the one that the index was made from. */
const BEHIND_MS = 5000
/** A source may not answer, or not have the blocks of an old index any more. */
const FAILING_MS = 10_000
const PAUSE_MS = 250

/**
 * Compares the index with the chain before anything is added to it. Throws an `IndexAheadError` where it has blocks that the chain
 * does not have. A source that cannot tell is no reason to stop: every block is checked against the one before it when it is written.
 */
const expectConsistentIndex = async (
  database: Pick<Database, 'transaction'>,
  source: Pick<BlockSetSource, 'getHead' | 'getBlockId'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const reader: Reader = { read: (query) => database.transaction((client) => clientReader(client).read(query)) }
  const start = performance.now()
  for (;;) {
    const waitedMs = performance.now() - start
    try {
      const found = await abortable(compareWithChain(reader, source, signal), signal)
      if (found === undefined) return
      if (found.isOtherChain || waitedMs > BEHIND_MS) throw new IndexAheadError(found)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof IndexAheadError) throw error
      if (waitedMs > FAILING_MS) return logger.warn('index consistency check skipped', { error })
    }
    await pause(PAUSE_MS, signal)
  }
}

export type IndexerSetup = {
  readonly chain: IndexedChain
  readonly database: Pick<Database, 'transaction' | 'openConnection' | 'isDistributed'>
  readonly vm: VirtualMachine
  /** Threads of the machine. */
  readonly vmWorkers?: number
  /** Where only some accounts are watched, it keeps what is theirs. */
  readonly decode: (blockSet: RawBlockSet, signal: AbortSignal) => Promise<DecodedBlockSet>
  readonly dnsZones: DnsZones
  readonly from: number
  readonly to: number | undefined
  /** Their keys; without any, all accounts are. */
  readonly watchedAccounts?: readonly Uint8Array[] | undefined
  /** Says what happened in traces, too; on unless told otherwise. */
  readonly classify?: boolean
  /** How many masterchain blocks below the newest are kept at least; without it, all are. */
  readonly retention?: number | undefined
  /** Of a database that is not in use yet. */
  readonly partitionWidth?: number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly leaseTimes?: LeaseTimes
  /** How long there may be work at the head and none of it done before the alarm is raised; four times that for history. */
  readonly stalledMs?: number
  /** Who is behind the head by more masterchain blocks begins anew there, and fills the gap from above. */
  readonly maxCatchUp?: number | undefined
  readonly signal: AbortSignal
}

type Transactions = Pick<Database, 'transaction'>

export type RunningIndexer = {
  readonly progress: Progress | undefined
  /** Resolves when all that was wanted is there, or by the signal; rejects where it cannot go on. */
  readonly done: Promise<void>
}

/** Of a partition at most: about 60 days of a chain with a block every 2.5 seconds. Those of a busy chain are shorter. */
export const PARTITION_WIDTH = 1 << 21
/** What is kept is so many pieces, and up to one more that is not dropped yet. */
const RETAINED_PARTITIONS = 8
const MIN_PARTITION_WIDTH = 1000

const choosePartitionWidth = (retention: number | undefined): number =>
  retention === undefined
    ? PARTITION_WIDTH
    : Math.min(PARTITION_WIDTH, Math.max(MIN_PARTITION_WIDTH, Math.ceil(retention / RETAINED_PARTITIONS)))

/** Contracts that wait for an account while others keep the threads busy. */
const WAITING_CONTRACTS = 3

/** Indexes while this process holds the leader lease; re-acquires the lease when it is lost. */
export const startIndexer = (setup: IndexerSetup): RunningIndexer => {
  const metrics = createStageMetrics(setup.metrics)
  const watchdog = new StallWatchdog(setup.logger, metrics, setup.stalledMs)
  let indexer: Indexer | undefined
  let leading: Indexer | undefined
  const waitForLead = async (standbyParts: () => StandbyParts): Promise<Lease> => {
    const { database, logger, signal, leaseTimes } = setup
    const ending = new AbortController()
    const waiting = AbortSignal.any([signal, ending.signal])
    let isStandby = false
    const onHeld = (): void => {
      watchdog.idle()
      if (!isStandby) void warmStandby(standbyParts(), waiting)
      isStandby = true
    }
    const times = leaseTimes === undefined ? {} : { times: leaseTimes }
    try {
      return await abortable(acquireIndexerLease(database, { logger, signal, onHeld, ...times }), signal)
    } finally {
      ending.abort()
    }
  }
  const lead = async (): Promise<void> => {
    const { chain, database, vm, decode, dnsZones, from, to, logger, signal, classify = true } = setup
    const {
      maxCatchUp,
      watchedAccounts,
      retention,
      partitionWidth = choosePartitionWidth(retention),
      vmWorkers = 1,
    } = setup
    const { blockSets: source, states, zeroState, order } = chain
    const parallel = vmWorkers + WAITING_CONTRACTS
    const looksAt = (
      seen: ChainStates | undefined,
      resolver: AccountResolver,
      through: Transactions,
    ): AccountStages => {
      const known = createStoredContracts(through)
      const inspector = createInspector({ vm, states: seen, known, dnsZones, logger, parallel })
      // What a standby prepares is not indexed, and not counted.
      const report = through === database ? () => undefined : metrics.followInspector(inspector.stats)
      return { resolver, inspect: (...batch) => inspector.inspect(...batch).finally(report) }
    }
    const looksNow = (through: Transactions): AccountStages =>
      looksAt(states, states === undefined ? createBlocksOnlyResolver() : createStateResolver(states), through)
    const lease = await waitForLead(() => ({
      source,
      decode,
      looks: order === 'ascending' && states !== undefined ? undefined : looksNow(database),
      logger,
    }))
    const led = AbortSignal.any([signal, lease.signal])
    // Who does not lead any more is not to wait for a server that hangs.
    const bound: Transactions = { transaction: (work) => database.transaction(work, led) }
    try {
      await expectConsistentIndex(bound, source, logger, led)
      const store = createIndexStore(bound, lease, {
        zeroState,
        partitionWidth,
        watchedAccounts,
        classify: classify ? createInlineClassifier({ logger, onFault: () => undefined }) : undefined,
      })
      const looks = looksNow(bound)
      const historyStages = (newest: () => number): AccountStages => {
        const surviving = createLatestStates(states!, newest)
        return looksAt(surviving, createUnchangedResolver(surviving), bound)
      }
      const parts = { source, decode, store, looks, ...(states !== undefined && { historyStages }) }
      indexer = new Indexer(parts, { order, from, to, retention, maxCatchUp, logger, metrics, watchdog })
      leading = indexer
      const compaction = compactNowAndThen(database, {
        hasHistoryWork: () => leading?.listWork().includes('history') ?? false,
        signal: led,
        logger,
      })
      const classifying = classify ? classifyBeside(bound, lease, logger, led) : undefined
      if (!classify) await bound.transaction((client) => noteClassifier(client, undefined))
      try {
        await indexer.run(led)
      } finally {
        await compaction.stop()
        await classifying?.end()
      }
      // An indexer with an end block that finishes by itself is done.
      if (classify) await new Classifier({ database: bound, lease, logger, untilDone: true }).run(led)
      // It comes to an end only where it was to go up to some block: nothing more will be added for now.
      await compactLoose(database, led, logger).catch((error: unknown) => warnOfCompaction(logger, error))
    } finally {
      leading = undefined
      await lease.release()
    }
  }
  let toldAt = Number.NEGATIVE_INFINITY
  const reportAhead = (error: IndexAheadError): void => {
    if (performance.now() - toldAt < TELL_AHEAD_MS) return
    toldAt = performance.now()
    setup.logger.error('index ahead of chain', { reason: error.message, ...error.disagreement })
  }
  const run = async (): Promise<void> => {
    const { signal, logger } = setup
    while (!signal.aborted) {
      try {
        return await lead()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof IndexAheadError && setup.to === undefined) {
          // Without the lease, so that what is to be taken back can be; then it goes on by itself.
          reportAhead(error)
          await pause(AHEAD_PAUSE_MS, signal).catch(() => undefined)
          continue
        }
        if (!mayPass(error, indexer !== undefined)) throw error
        logger.warn('leadership lost, re-acquiring', { error })
        await pause(LOST_PAUSE_MS, signal).catch(() => undefined)
      }
    }
  }
  const watchOver = async (work: Promise<void>): Promise<void> => {
    const ending = new AbortController()
    // Who waits for the lead because the database is away has work, too.
    const watching = watchdog.watch(() => leading?.listWork() ?? ['head'], ending.signal)
    await work.finally(() => ending.abort())
    await watching
  }
  return {
    get progress() {
      return indexer?.progress
    },
    done: watchOver(run()),
  }
}

const LOST_PAUSE_MS = 250
const AHEAD_PAUSE_MS = 2000
const TELL_AHEAD_MS = 60_000

/** Says what happened in finished traces, beside the indexer, which does not wait for it. */
const classifyBeside = (
  database: Transactions,
  lease: Lease,
  logger: Logger,
  led: AbortSignal,
): { readonly end: () => Promise<void> } => {
  const ending = new AbortController()
  const signal = AbortSignal.any([led, ending.signal])
  const running = new Classifier({ database, lease, logger })
    .run(signal)
    .catch((error: unknown) => logger.error('action classifier stopped', { error }))
  return {
    end: () => {
      ending.abort()
      return running
    },
  }
}

/** Whether it is worth waiting. A server that let us in before and does not now may be changing places with another. */
const mayPass = (error: unknown, hasLed: boolean): boolean =>
  error instanceof LeaseLostError ||
  (error instanceof CodedError && error.retryable) ||
  (hasLed && error instanceof DatabaseRefusedError)

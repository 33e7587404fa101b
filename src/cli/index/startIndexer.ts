import { hostname } from 'node:os'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { DnsZones } from '../../contracts/dns/findDomainName.ts'
import type { DecodedUnit } from '../../indexer/DecodedUnit.ts'
import { createInspector } from '../../indexer/inspect/createInspector.ts'
import { createKnownContracts } from '../../indexer/inspect/createKnownContracts.ts'
import { createIndexStore } from '../../indexer/pipeline/createIndexStore.ts'
import { Indexer } from '../../indexer/pipeline/Indexer.ts'
import type { Looks } from '../../indexer/pipeline/IndexerParts.ts'
import { createStageMetrics } from '../../indexer/pipeline/StageMetrics.ts'
import type { Progress } from '../../indexer/pipeline/WorkClock.ts'
import type { AccountResolver, ChainStates } from '../../indexer/ports.ts'
import type { RawUnit } from '../../indexer/RawUnit.ts'
import { createSurvivingStates, createSurvivorResolver } from '../../indexer/sources/createSurvivingStates.ts'
import { createBlindResolver, createStateResolver } from '../../indexer/sources/resolveAccounts.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Database } from '../../store/connect/Database.ts'
import { LeaseLostError } from '../../store/errors.ts'
import { acquireLease } from '../../store/lease/acquireLease.ts'
import type { LeaseTimes } from '../../store/lease/Lease.ts'
import type { IndexedChain } from './openChain.ts'

export type IndexerSetup = {
  readonly chain: IndexedChain
  readonly database: Pick<Database, 'transaction' | 'openConnection'>
  readonly vm: VirtualMachine
  readonly decode: (unit: RawUnit, signal: AbortSignal) => Promise<DecodedUnit>
  readonly dnsZones: DnsZones
  readonly from: number
  readonly to: number | undefined
  readonly watchedAccounts?: readonly Uint8Array[] | undefined
  readonly partitionWidth?: number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly leaseTimes?: LeaseTimes
  readonly signal: AbortSignal
}

export type RunningIndexer = {
  readonly progress: Progress | undefined
  /** Resolves when all that was wanted is there, or by the signal; rejects where it cannot go on. */
  readonly done: Promise<void>
}

/** About 60 days of a chain with a block every 2.5 seconds: all of such a chain's first seven years are 32 of them. */
const PARTITION_WIDTH = 1 << 21

/** Indexes as soon as nobody else does. Who loses the lease waits for it again. */
export const startIndexer = (setup: IndexerSetup): RunningIndexer => {
  const metrics = createStageMetrics(setup.metrics)
  let indexer: Indexer | undefined
  const lead = async (): Promise<void> => {
    const { chain, database, vm, decode, dnsZones, from, to, logger, signal, leaseTimes } = setup
    const { watchedAccounts, partitionWidth = PARTITION_WIDTH } = setup
    const { units: source, states, zeroState, order } = chain
    const holder = `${hostname()} ${process.pid}`
    const times = leaseTimes === undefined ? {} : { times: leaseTimes }
    const lease = await acquireLease(database, { name: 'indexer', holder, logger, signal, ...times })
    try {
      const store = createIndexStore(database, lease, { zeroState, partitionWidth, watchedAccounts })
      const looksAt = (seen: ChainStates | undefined, resolver: AccountResolver): Looks => {
        const { inspect } = createInspector({ vm, states: seen, known: createKnownContracts(database), dnsZones })
        return { resolver, inspect }
      }
      const looks = looksAt(states, states === undefined ? createBlindResolver() : createStateResolver(states))
      const looksBack = (newest: () => number): Looks => {
        const surviving = createSurvivingStates(states!, newest)
        return looksAt(surviving, createSurvivorResolver(surviving))
      }
      const parts = { source, decode, store, looks, ...(states !== undefined && { looksBack }) }
      indexer = new Indexer(parts, { order, from, to, logger, metrics })
      await indexer.run(AbortSignal.any([signal, lease.signal]))
    } finally {
      await lease.release()
    }
  }
  const run = async (): Promise<void> => {
    while (!setup.signal.aborted) {
      try {
        return await lead()
      } catch (error) {
        if (setup.signal.aborted) return
        if (!(error instanceof LeaseLostError)) throw error
        setup.logger.warn('the lease is lost, it is waited for again', { error })
      }
    }
  }
  return {
    get progress() {
      return indexer?.progress
    },
    done: run(),
  }
}

import type { OnAnswered } from '../../api/core/Call.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import type { ComparedChain } from '../../indexer/verify/compareWithChain.ts'
import type { NodePool } from '../../node/pool/NodePool.ts'
import { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { readVersion } from '../readVersion.ts'
import { lateDatabase } from '../serve/lateDatabase.ts'
import { createReadiness, type Readiness } from './createReadiness.ts'
import { createRequestMetrics } from './createRequestMetrics.ts'
import { measureDatabase } from './measureDatabase.ts'
import { measureMachine } from './measureMachine.ts'
import { measureNode } from './measureNode.ts'
import { measureProcess } from './measureProcess.ts'
import { healthRoutes, metricsRoutes } from './operationsRoutes.ts'
import { watchAgreement } from './watchAgreement.ts'

/** What those who look after a process want of it. */
export type OperationsSettings = {
  /** How old the newest block of the network may be; without it, any age is right. */
  readonly maxHeadAgeMs?: number | undefined
  readonly maxIndexLagMs?: number | undefined
}

/** The parts of a process that are watched, as far as it has them. */
export type WatchedParts = {
  readonly pool?: NodePool | undefined
  /** The chain that the index is of. */
  readonly chain?: ComparedChain | undefined
  readonly vm?: OwnedVirtualMachine | undefined
  /** It may be on its way. */
  readonly database?: Promise<Database> | undefined
  /** The figures of all processes that belong together, as text; without it, there is only this one. */
  readonly readAllMetrics?: (() => Promise<string>) | undefined
}

export type Operations = {
  readonly onAnswered: OnAnswered
  readonly readiness: Readiness
  /** For everybody. */
  readonly routes: readonly PlainRoute[]
  /** For an operator; they have to be guarded. */
  readonly operatorRoutes: readonly PlainRoute[]
}

/** The numbers of a process, those of itself first. */
export const createMetrics = (shutdown: Pick<Shutdown, 'add'>): Metrics => {
  const metrics = new Metrics()
  const watch = measureProcess(metrics, readVersion())
  shutdown.add('figures', () => watch.close())
  return metrics
}

/** Watches the parts of a process: whether they are of use, and how they are doing. */
export const openOperations = (
  metrics: Metrics,
  { maxHeadAgeMs, maxIndexLagMs }: OperationsSettings,
  { pool, chain, vm, database: opening, readAllMetrics }: WatchedParts,
): Operations => {
  const onAnswered = createRequestMetrics(metrics)
  if (pool !== undefined) measureNode(metrics, pool)
  if (vm !== undefined) measureMachine(metrics, vm)
  const database = opening && lateDatabase(opening)
  if (database !== undefined) measureDatabase(metrics, database)
  const findDisagreement = chain && database && watchAgreement(newestOf(chain, pool), database)
  const readiness = createReadiness({ pool, database, findDisagreement, maxHeadAgeMs, maxIndexLagMs })
  const readMetrics = readAllMetrics ?? (() => metrics.format())
  return {
    onAnswered,
    readiness,
    routes: healthRoutes({ readiness }),
    operatorRoutes: metricsRoutes({ readMetrics }),
  }
}

/** The chain with the newest head that its servers have told of, which may be newer than the one that was proven last. */
const newestOf = (chain: ComparedChain, pool: NodePool | undefined): ComparedChain => ({
  getHead: async (signal) => {
    const head = await chain.getHead(signal)
    return { ...head, seqno: Math.max(head.seqno, pool?.bestSeqno ?? 0) }
  },
  getBlockId: (seqno, signal) => chain.getBlockId(seqno, signal),
})

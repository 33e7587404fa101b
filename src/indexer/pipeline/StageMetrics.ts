import type { Metrics } from '../../observe/Metrics.ts'
import type { InspectStats } from '../inspect/InspectStats.ts'
import { createInspectMetrics } from './createInspectMetrics.ts'

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

export const stageNames = ['fetch', 'decode', 'resolve', 'inspect', 'link', 'commit'] as const

export type StageName = (typeof stageNames)[number]

/** What the indexer tells of itself. */
export type StageMetrics = {
  /** Does the work of a stage, and notes how long it took or that it failed. */
  time<T>(stage: StageName, work: () => Promise<T> | T): Promise<T>
  committed(blocks: number, transactions: number): void
  setHead(seqno: number, covered: number | undefined): void
  setStalled(isStalled: boolean): void
  /** For an inspector, what to call whenever it has done something. */
  followInspector(stats: InspectStats): () => void
}

export const createStageMetrics = (metrics: Metrics): StageMetrics => {
  const seconds = metrics.histogram('chaincenter_indexer_stage_seconds', 'Time that a stage took.', SECONDS)
  const failures = metrics.counter('chaincenter_indexer_stage_failures_total', 'Failures of a stage.')
  const blocks = metrics.counter(
    'chaincenter_indexer_masterchain_blocks_total',
    'Masterchain blocks that were indexed.',
  )
  const transactions = metrics.counter('chaincenter_indexer_transactions_total', 'Transactions that were indexed.')
  const head = metrics.gauge('chaincenter_indexer_head_seqno', 'The newest masterchain block of the source.')
  const lag = metrics.gauge(
    'chaincenter_indexer_lag_blocks',
    'Masterchain blocks of the source that are not indexed yet.',
  )
  const stalled = metrics.gauge('chaincenter_indexer_stalled', '1 while there is work and nothing gets done.')
  stalled.set(0)
  return {
    time: async (stage, work) => {
      const start = performance.now()
      try {
        return await work()
      } catch (error) {
        failures.add(1, { stage })
        throw error
      } finally {
        seconds.observe((performance.now() - start) / 1000, { stage })
      }
    },
    committed: (blockCount, transactionCount) => {
      blocks.add(blockCount)
      transactions.add(transactionCount)
    },
    setHead: (seqno, covered) => {
      head.set(seqno)
      lag.set(covered === undefined ? seqno : Math.max(0, seqno - covered))
    },
    setStalled: (isStalled) => stalled.set(isStalled ? 1 : 0),
    followInspector: createInspectMetrics(metrics),
  }
}

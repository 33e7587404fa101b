import type { Labels, Metrics } from '../../observe/Metrics.ts'
import { findTracer, runChildSpan } from '../../observe/Tracer.ts'
import type { InspectStats } from '../inspect/Detector.ts'

/** Creates metrics of inspectors. For each, returns a function that adds its newest counts. */
export const createInspectMetrics = (metrics: Metrics): ((stats: InspectStats) => () => void) => {
  const name = (what: string): string => `chaincenter_indexer_${what}_total`
  const counters = {
    accounts: metrics.counter(name('inspected_accounts'), 'Inspected accounts with code, by result.'),
    runs: metrics.counter(name('method_runs'), 'Runs of get-methods, and cached results.'),
    failures: metrics.counter(name('method_failures'), 'Runs of get-methods without a result.'),
    contracts: metrics.counter(name('detected_contracts'), 'Detected contracts, by table.'),
    refused: metrics.counter(
      name('refused_contracts'),
      'Contracts with the methods of a kind but without valid results.',
    ),
    events: metrics.counter(name('token_events'), 'Transfers and burns of tokens.'),
  }
  return (stats) => {
    const told = new Map<string, number>()
    return () => {
      for (const { counter, labels, value } of listNumbers(stats)) {
        const key = JSON.stringify([counter, labels])
        counters[counter].add(value - (told.get(key) ?? 0), labels)
        told.set(key, value)
      }
    }
  }
}

type CounterName = 'accounts' | 'runs' | 'failures' | 'contracts' | 'refused' | 'events'
type StatNumber = { readonly counter: CounterName; readonly labels: Labels; readonly value: number }

const listNumbers = (stats: InspectStats): StatNumber[] => {
  const of = (counter: CounterName, label: string, values: Readonly<Record<string, number>>): StatNumber[] =>
    Object.entries(values).map(([name, value]) => ({ counter, labels: { [label]: name }, value }))
  return [
    ...of('accounts', 'kind', { read: stats.accounts, candidate: stats.candidates, unknown: stats.unknown }),
    ...of('runs', 'outcome', {
      run: stats.runs,
      cached: stats.cachedRuns,
      vouched: stats.vouchedBefore,
      stored: stats.storedNewer,
    }),
    ...of('failures', 'reason', stats.failedRuns),
    ...of('contracts', 'table', stats.detected),
    ...of('refused', 'kind', stats.refused),
    { counter: 'events', labels: {}, value: stats.events },
  ]
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

export const stageNames = ['fetch', 'decode', 'resolve', 'inspect', 'link', 'commit'] as const

export type StageName = (typeof stageNames)[number]

/** The metrics of the indexer. */
export type StageMetrics = {
  /** Runs a stage and records its duration or failure. */
  time<T>(stage: StageName, work: () => Promise<T> | T): Promise<T>
  committed(blocks: number, transactions: number): void
  setHead(seqno: number, covered: number | undefined): void
  setStalled(isStalled: boolean): void
  /** For an inspector, returns a function to call after each batch. */
  followInspector(stats: InspectStats): () => void
}

export const createStageMetrics = (metrics: Metrics): StageMetrics => {
  const seconds = metrics.histogram('chaincenter_indexer_stage_seconds', 'Duration of a stage in seconds.', SECONDS)
  const failures = metrics.counter('chaincenter_indexer_stage_failures_total', 'Failures of a stage.')
  const blocks = metrics.counter('chaincenter_indexer_masterchain_blocks_total', 'Indexed masterchain blocks.')
  const transactions = metrics.counter('chaincenter_indexer_transactions_total', 'Indexed transactions.')
  const head = metrics.gauge('chaincenter_indexer_head_seqno', 'The newest masterchain block of the source.')
  const lag = metrics.gauge('chaincenter_indexer_lag_blocks', 'Masterchain blocks of the source not indexed yet.')
  const stalled = metrics.gauge('chaincenter_indexer_stalled', '1 while there is work and nothing gets done.')
  stalled.set(0)
  const tracer = findTracer()
  return {
    time: async (stage, work) => {
      const start = performance.now()
      try {
        return await (tracer === undefined ? work() : runChildSpan(tracer, stage, {}, async () => work()))
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

import type { Metrics } from '../observe/Metrics.ts'
import type { TaskEnd } from '../store/metadata/metadataTasks.ts'

const SECONDS = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30]

export type TaskResult = 'found' | 'failed' | 'retry' | 'postponed'

/** What the fetcher tells of itself. */
export type MetadataMetrics = {
  ended(end: TaskEnd): void
  queued(tokens: number): void
  fetched(seconds: number, result: 'found' | 'failed'): void
  setActive(fetches: number): void
  /** How many tasks ended in each way so far. */
  readonly totals: Readonly<Record<TaskResult, number>>
}

export const createMetadataMetrics = (metrics: Metrics): MetadataMetrics => {
  const tasks = metrics.counter(
    'chaincenter_metadata_tasks_total',
    'Looks at the metadata of a token, by how they ended.',
  )
  const tokens = metrics.counter('chaincenter_metadata_tokens_queued_total', 'Tokens whose metadata became due.')
  const seconds = metrics.histogram('chaincenter_metadata_fetch_seconds', 'Time that a document took.', SECONDS)
  const active = metrics.gauge('chaincenter_metadata_fetches', 'Documents that are being fetched.')
  const totals = { found: 0, failed: 0, retry: 0, postponed: 0 }
  return {
    ended: (end) => {
      const result = resultOf(end)
      totals[result]++
      tasks.add(1, { result })
    },
    queued: (count) => tokens.add(count),
    fetched: (took, result) => seconds.observe(took, { result }),
    setActive: (count) => active.set(count),
    totals,
  }
}

const resultOf = (end: TaskEnd): TaskResult => {
  if (end.kind === 'found') return end.tries === 0 ? 'found' : 'failed'
  return end.error === undefined ? 'postponed' : 'retry'
}

import type { Labels } from '../../observe/MetricFamily.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { InspectStats } from '../inspect/InspectStats.ts'

/** Makes metrics of what inspectors have done. Of each it gives what is to be called to add the newest. */
export const createInspectMetrics = (metrics: Metrics): ((stats: InspectStats) => () => void) => {
  const name = (what: string): string => `chaincenter_indexer_${what}_total`
  const counters = {
    accounts: metrics.counter(
      name('inspected_accounts'),
      'Accounts with code that were looked at, by how far that went.',
    ),
    runs: metrics.counter(name('method_runs'), 'Runs of get-methods, and those that were not needed.'),
    failures: metrics.counter(name('method_failures'), 'Runs of get-methods without a result.'),
    contracts: metrics.counter(name('detected_contracts'), 'Contracts that were recognised, by table.'),
    refused: metrics.counter(
      name('refused_contracts'),
      'Contracts that have the methods of a kind but not the answers.',
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

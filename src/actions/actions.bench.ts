import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { formatTable } from '../../test/support/formatTable.ts'
import { classifyPlainly, classifyTrace } from './classifyTrace.ts'
import { parseRecordedTrace, type RecordedTrace } from './conformance/RecordedTrace.ts'
import { AccountFacts } from './trace/AccountFacts.ts'

const folder = join(import.meta.dirname, '../../../shared/fixtures/actions/traces')
const WARM_UP_MS = 1500
const MEASURED_MS = 5000

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Does the work over and over, and returns how often in a second of CPU. */
const rateOf = (work: () => void): number => {
  for (const end = cpuMs() + WARM_UP_MS; cpuMs() < end; ) work()
  const start = cpuMs()
  let rounds = 0
  for (; cpuMs() - start < MEASURED_MS; rounds++) work()
  return (1000 * rounds) / (cpuMs() - start)
}

/** Speed of classifying recorded traces in one thread, with and without patterns. */
export const run = (): Record<string, number> => {
  if (!existsSync(folder)) throw new Error('There are no recorded traces at ../shared/fixtures/actions.')
  const traces: RecordedTrace[] = readdirSync(folder).map((file) =>
    parseRecordedTrace(JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8'))),
  )
  const transactions = traces.reduce((sum, { trace }) => sum + trace.transactions.length, 0)
  const rates = {
    'all patterns': rateOf(() => {
      for (const { trace, accounts } of traces) classifyTrace(trace, new AccountFacts(accounts))
    }),
    'plain facts only': rateOf(() => {
      for (const { trace } of traces) classifyPlainly(trace)
    }),
  }
  console.log(`${traces.length} traces, ${transactions} transactions`)
  console.log(
    formatTable(
      Object.entries(rates).map(([what, rounds]) => ({
        what,
        'traces per cpu-s': rounds * traces.length,
        'transactions per cpu-s': rounds * transactions,
      })),
    ),
  )
  return { tx_per_s: rates['all patterns'] * transactions }
}

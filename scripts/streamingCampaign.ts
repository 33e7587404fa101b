// node --import tsx scripts/streamingCampaign.ts [--minutes 10] [--connections 2000] [--rate 60] [--seed 1]
// Streams the events of an embedded network to many clients. All the time connections are cut at random and resume, and 1 % of the
// clients stop reading; service and database are killed and started again. In the end every client must have exactly the events of its
// filter, in order, none twice. Prints the time from the commit of a block to its clients, and the memory of the service. The last line
// is JSON.
import { parseArgs } from 'node:util'
import { runStreamCampaign } from '../test/support/streamCampaign/campaign.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    connections: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
})
process.setMaxListeners(0)
const endings: (() => unknown)[] = []
const minutes = Number(values.minutes)
const connections = Number(values.connections)
try {
  const report = await runStreamCampaign(
    { after: (ending) => void endings.push(ending) },
    {
      durationMs: minutes * 60_000,
      connections,
      transactionsPerSecond: Number(values.rate),
      serviceKills: Math.max(1, Math.round(minutes / 5)),
      databaseKills: Math.max(1, Math.round(minutes / 8)),
      stall: minutes < 3 ? '5s' : '60s',
      stopMs: minutes < 3 ? 10_000 : 80_000,
      seed: Number(values.seed),
      say: (line) => console.log(line),
    },
  )
  const { faults, lags, startBytes, peakBytes, served, ...counts } = report
  for (const fault of faults.slice(0, 20)) console.log(fault)
  const mib = (bytes: number): number => Math.round(bytes / (1 << 20))
  console.log(`seconds from block to write, share of events: ${JSON.stringify(served)}`)
  const slowest = lags.slowest.map(([ms, calm]) => `${ms} (${calm} s after a kill)`)
  console.log(`slowest blocks, ms: ${slowest.join(', ')}`)
  console.log(`memory of the service: ${mib(startBytes)} MiB before the clients, at most ${mib(peakBytes)} MiB`)
  console.log(
    JSON.stringify({
      connections,
      minutes,
      ...counts,
      faults: faults.length,
      p50_ms: lags.p50,
      p95_ms: lags.p95,
      p99_ms: lags.p99,
      max_ms: lags.max,
      measured: lags.count,
      start_mib: mib(startBytes),
      peak_mib: mib(peakBytes),
    }),
  )
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}

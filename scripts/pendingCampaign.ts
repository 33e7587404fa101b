// node --import tsx scripts/pendingCampaign.ts [--sends 1000] [--shards 2] [--interval 400] [--seed 1]
// Sends messages at random to an embedded network, and asks every 50 ms what is pending and what is final of them: none may be lost
// in between, none be seen twice. The last line is JSON.
import { parseArgs } from 'node:util'
import { createTestDatabase, startTestServer } from '../test/support/databaseServer.ts'
import { median } from '../test/support/measure.ts'
import { runPendingCampaign } from '../test/support/pendingCampaign.ts'
import { startPendingNetwork } from '../test/support/pendingNetwork.ts'

const { values } = parseArgs({
  options: {
    sends: { type: 'string', default: '1000' },
    shards: { type: 'string', default: '2' },
    interval: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
  },
})
const endings: (() => unknown)[] = []
const server = await startTestServer()
endings.push(() => server.stop())
try {
  const { url, drop } = await createTestDatabase(server.url, 'migrated')
  endings.push(drop)
  const network = await startPendingNetwork({ after: (ending) => void endings.push(ending) }, url, {
    shards: Number(values.shards),
    mining: { mode: 'interval', intervalMs: Number(values.interval), emptyBlocks: true },
    trafficSeed: Number(values.seed),
  })
  const report = await runPendingCampaign(network, { sends: Number(values.sends), onProgress: console.log })
  const { delays, lost, twice, unfinished, ...counts } = report
  for (const line of [...lost, ...twice, ...unfinished]) console.log(line)
  const seen = {
    seen_p50_ms: Math.round(median(delays)),
    seen_p95_ms: Math.round([...delays].sort((a, b) => a - b)[Math.floor(0.95 * delays.length)] ?? 0),
  }
  console.log(
    JSON.stringify({ ...counts, lost: lost.length, twice: twice.length, unfinished: unfinished.length, ...seen }),
  )
  process.exitCode = lost.length + twice.length + unfinished.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}

// node --import tsx scripts/pendingCampaign.ts [--sends 1000] [--shards 2] [--interval 400] [--seed 1] [--redis]
// Sends messages at random to an embedded network, and asks every 50 ms what is pending and what is final of them: none may be lost
// in between, none be seen twice, and what comes otherwise than it was foreseen must have a cause. With --redis two processes are
// sent to and asked in turn, with a Redis server between them. The last line is JSON.
import { parseArgs } from 'node:util'
import { createTestDatabase, startTestServer } from '../test/support/databaseServer.ts'
import { startOtherProcess } from '../test/support/otherProcess.ts'
import { runPendingCampaign } from '../test/support/pendingCampaign.ts'
import { startPendingNetwork } from '../test/support/pendingNetwork.ts'
import { startRedis } from '../test/support/redisServer.ts'
import { untilIndexed } from '../test/support/untilIndexed.ts'

const { values } = parseArgs({
  options: {
    sends: { type: 'string', default: '1000' },
    shards: { type: 'string', default: '2' },
    interval: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    redis: { type: 'boolean', default: false },
  },
})
const endings: (() => unknown)[] = []
const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
const server = await startTestServer()
endings.push(() => server.stop())
try {
  const { url: databaseUrl, drop } = await createTestDatabase(server.url, 'migrated')
  endings.push(drop)
  const redisUrl = values.redis ? (await startRedis(cleanup)).url : undefined
  const network = await startPendingNetwork(cleanup, databaseUrl, {
    shards: Number(values.shards),
    mining: { mode: 'interval', intervalMs: Number(values.interval), emptyBlocks: true },
    trafficSeed: Number(values.seed),
    ...(redisUrl !== undefined && { index: { databaseUrl, redisUrl } }),
  })
  if (redisUrl !== undefined) {
    const other = await startOtherProcess(cleanup, network, { databaseUrl, redisUrl })
    await untilIndexed(`${other}/api/v3`, 1)
    network.urls.push(other)
  }
  const report = await runPendingCampaign(network, { sends: Number(values.sends), onProgress: console.log })
  const { delays, lost, twice, unfinished, unexplained, ...counts } = report
  const faults = [...lost, ...twice, ...unfinished, ...unexplained]
  for (const line of faults) console.log(line)
  const sorted = [...delays].sort((a, b) => a - b)
  const seenAfter = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  const seen = { seen_p50_ms: seenAfter(0.5), seen_p95_ms: seenAfter(0.95), seen_p99_ms: seenAfter(0.99) }
  const faultCounts = { lost: lost.length, twice: twice.length, unfinished: unfinished.length }
  console.log(
    JSON.stringify({
      ...counts,
      ...faultCounts,
      unexplained: unexplained.length,
      processes: network.urls.length,
      ...seen,
    }),
  )
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}

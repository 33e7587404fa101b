// node --import tsx scripts/webhookCampaign.ts [--minutes 1] [--accounts 6] [--interval 250]
// Sends webhooks from two processes, which are killed in turn, to receivers that fail, hang, close, redirect to a private address and
// answer slowly. Every event must arrive at least once, in order in its lane, and nothing at a private address. The last line is JSON.
import { parseArgs } from 'node:util'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import { createTestDatabase, silentLogger, startTestServer } from '../test/support/databaseServer.ts'
import { runWebhookCampaign } from '../test/support/webhookCampaign.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '6' },
    interval: { type: 'string', default: '250' },
  },
})
const KILL_EVERY_MS = 6000
const endings: (() => unknown)[] = []
const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
const server = await startTestServer()
endings.push(() => server.stop())
try {
  const { url: databaseUrl, drop } = await createTestDatabase(server.url, 'migrated')
  endings.push(drop)
  const { signal } = new AbortController()
  const database = await connectDatabase({ url: databaseUrl, logger: silentLogger, signal })
  endings.push(() => database.close())
  const stepMs = Number(values.interval)
  const blocks = Math.ceil((Number(values.minutes) * 60_000) / stepMs)
  const { faults, ...counts } = await runWebhookCampaign(cleanup, {
    databaseUrl,
    database,
    blocks,
    stepMs,
    accounts: Number(values.accounts),
    kills: Math.max(1, Math.floor((blocks * stepMs) / KILL_EVERY_MS)),
    onProgress: console.log,
  })
  for (const line of faults.slice(0, 100)) console.log(line)
  const passed = counts.deliveries
  console.log(`${passed} passed, ${faults.length} failed`)
  console.log(JSON.stringify({ campaign: 'webhooks', ...counts, passed, failed: faults.length }))
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}

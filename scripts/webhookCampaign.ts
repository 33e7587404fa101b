// node --import tsx scripts/webhookCampaign.ts [--minutes 2] [--accounts 4] [--interval 800]
// Sends webhooks over the index of a busy embedded network, from two processes, to receivers that fail, hang, close, redirect to a
// private address and answer slowly. All the time something is killed: a sending process, a backend of PostgreSQL (kill -9), or the
// PostgreSQL server (kill -9, started again). Every event of the index must arrive at least once, in order in its lane, and nothing at a
// private address. The last line is JSON.
import { parseArgs } from 'node:util'
import { runWebhookCampaign, type Victim } from '../test/support/webhookCampaign.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '4' },
    interval: { type: 'string', default: '800' },
  },
})
const KILL_EVERY_MS = 6000
const turn: readonly Victim[] = ['sender', 'server', 'sender', 'backend']
const durationMs = Number(values.minutes) * 60_000
const endings: (() => unknown)[] = []
try {
  const { faults, ...counts } = await runWebhookCampaign(
    { after: (ending) => void endings.push(ending) },
    {
      durationMs,
      intervalMs: Number(values.interval),
      accounts: Number(values.accounts),
      kills: Array.from({ length: Math.max(4, Math.floor(durationMs / KILL_EVERY_MS)) }, (_, k) => turn[k % 4]!),
      onProgress: console.log,
    },
  )
  for (const line of faults.slice(0, 100)) console.log(line)
  const passed = counts.deliveries
  console.log(`${passed} passed, ${faults.length} failed`)
  console.log(JSON.stringify({ campaign: 'webhooks', ...counts, passed, failed: faults.length }))
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const ending of endings.reverse()) await ending()
}

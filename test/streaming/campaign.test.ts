import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase } from '../support/database.ts'
import { runStreamCampaign } from '../support/streamCampaign/campaign.ts'
import { isLong } from '../support/testLength.ts'

test('every client gets exactly the events of its filter, whatever is cut, stopped or killed', {
  timeout: isLong ? 1_200_000 : 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { faults, events, reconnects, lags, served, ...counts } = await runStreamCampaign(t, {
    durationMs: isLong ? 180_000 : 10_000,
    connections: isLong ? 1000 : 60,
    transactionsPerSecond: isLong ? 60 : 20,
    serviceKills: 1,
    databaseKills: isLong ? 1 : 0,
    stall: '2s',
    stopMs: 4000,
    seed: 1,
    say: (line) => t.diagnostic(line),
  })
  t.diagnostic(`${events} events, ${reconnects} reconnects, ${JSON.stringify({ ...lags, ...counts })}`)
  assert.deepEqual(faults, [])
  assert.ok(events > 100 && reconnects > 10)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { median } from '../support/measure.ts'
import { runPendingCampaign } from '../support/pendingCampaign.ts'
import { startPendingNetwork } from '../support/pendingNetwork.ts'
import { isLong } from '../support/testLength.ts'

test('whoever looks all the time sees every trace, and never twice', {
  timeout: isLong ? 900_000 : 400_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const mining = { mode: 'interval', intervalMs: 400, emptyBlocks: true } as const
  const network = await startPendingNetwork(t, await freshDatabase(t), { shards: 2, mining })
  const report = await runPendingCampaign(network, { sends: isLong ? 200 : 24 })
  const { sends, polls, foreseen, first, last, delays, ...faults } = report
  t.diagnostic(
    `${sends} sent, ${polls} polls, ${foreseen} foreseen, seen after ${Math.round(median(delays))} ms, ${JSON.stringify(first)}`,
  )
  assert.deepEqual(faults, { lost: [], twice: [], unfinished: [], unexplained: [] })
  // Who looks rarely, on a busy machine, sees few of them before they are final, and not the last of what was foreseen.
  if (polls < sends) return
  assert.ok(foreseen > 0.25 * sends, `only ${foreseen} of ${sends} were foreseen`)
  assert.ok(last.none > 0.8 * foreseen, `only ${last.none} of ${foreseen} came as they were foreseen`)
})

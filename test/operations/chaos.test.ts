import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runChaos } from '../support/chaos/chaosRun.ts'
import { haveDatabase } from '../support/database.ts'
import { haveRedis } from '../support/redisServer.ts'
import { isLong } from '../support/testLength.ts'

test('node, database and Redis may be away for a while, one after the other', {
  timeout: isLong ? 900_000 : 180_000,
}, async (t) => {
  if (!haveDatabase(t) || !haveRedis(t)) return
  const awayMs = { least: 500, most: 1500 }
  const report = await runChaos(t, {
    seed: 1,
    durationMs: isLong ? 120_000 : 0,
    awayMs,
    withRedis: true,
    say: (line) => t.diagnostic(line),
  })
  const { answers, refused, recoveryMs, readyMs, transactions, wrong, unexpected } = report
  t.diagnostic(`${answers} answers, ${transactions} transactions, refused ${JSON.stringify(refused)}`)
  t.diagnostic(`last failures after a return, in ms: ${JSON.stringify(recoveryMs)}; ready: ${JSON.stringify(readyMs)}`)
  assert.deepEqual({ wrong, unexpected }, { wrong: [], unexpected: [] })
  assert.ok(answers > 100)
})

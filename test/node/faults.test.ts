import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultRunSettings, runFaults } from '../support/faultRun.ts'

test('reads stay right and never fail while one honest server is up', { timeout: 120_000 }, async (t) => {
  const { seconds, seed } = faultRunSettings(process.env)
  const report = await runFaults(seconds, seed)
  t.diagnostic(`seed ${seed}: ${JSON.stringify(report)}`)
  assert.equal(report.wrong, 0)
  assert.deepEqual(report.failed, [])
  assert.ok(report.reads > 5 * seconds, `only ${report.reads} reads were made`)
  assert.ok(report.putAside > 0, 'no untruth was noticed, so none was told')
  assert.equal(report.leakedConnections, 0)
  assert.equal(report.leakedTimers, 0)
})

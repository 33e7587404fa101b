import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKills } from '../support/killRun.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { isLong } from '../support/testLength.ts'

const KILLS = isLong ? 20 : 1

test('a network that is killed under load goes on with all its blocks and all its money', async (t) => {
  const report = await runKills({
    folder: tempFolder(t),
    kills: KILLS,
    seed: 3,
    arguments: ['--block-interval', '200ms', '--shards', '2', '--port', '0'],
    onKill: (line) => t.diagnostic(line),
  })
  assert.equal(report.heads.length, KILLS + 1)
  assert.ok(report.sent > 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { haveDatabase } from '../support/database.ts'
import { KilledIndex } from '../support/killedIndex.ts'
import { tempFolder } from '../support/tempFolder.ts'

// Many more kills: scripts/killIndexer.ts.
test('indexers and their database are killed, and in the end everything is there once', {
  timeout: 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const run = await KilledIndex.start({ folder: tempFolder(t), seed: 3, say: (line) => t.diagnostic(line) })
  t.after(() => run.close())
  run.startIndexer()
  run.startIndexer()
  await run.waitForMore()
  const leader = await run.findLeader()
  const other = run.processes.find((each) => each !== leader)!
  while (!other.lines.some((line) => line.includes('waiting for the lease'))) await delay(50)
  await delay(run.random.below(500))
  await run.killIndexer(leader)
  const start = performance.now()
  run.startIndexer()
  assert.equal(await run.findLeader(leader), other)
  const takeoverMs = Math.round(performance.now() - start)
  assert.ok(takeoverMs < 20_000, `It took ${takeoverMs} ms until the other one led.`)
  await run.waitForMore()
  // Those who index have to find it again by themselves.
  for (let kill = 0; kill < 2; kill++) {
    await delay(run.random.below(500))
    await run.killDatabase()
    await run.waitForMore()
  }
  t.diagnostic(JSON.stringify({ takeoverMs, ...(await run.finish()) }))
})

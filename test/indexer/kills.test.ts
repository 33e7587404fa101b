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
  const first = run.startIndexer()
  await run.waitForMore()
  await run.killIndexer(first)
  // From now on there are two.
  run.startIndexer()
  run.startIndexer()
  await run.waitForMore()
  await run.killDatabase()
  await run.waitForMore()
  const leader = await run.findLeader()
  const other = run.processes.find((each) => each !== leader)!
  while (!other.lines.some((line) => line.includes('waiting for the lease'))) await delay(50)
  await run.killIndexer(leader)
  const start = performance.now()
  assert.equal(await run.findLeader(leader), other)
  const takeoverMs = Math.round(performance.now() - start)
  assert.ok(takeoverMs < 20_000, `It took ${takeoverMs} ms until the other one led.`)
  await run.waitForMore()
  t.diagnostic(JSON.stringify({ takeoverMs, ...(await run.finish()) }))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { haveDatabase } from '../support/database.ts'
import { startKilledIndex } from '../support/killedIndex.ts'
import { isLong } from '../support/testLength.ts'
import { waitUntil } from '../support/waitUntil.ts'

/** Within which the next one writes when the leader is killed. */
const TAKEOVER_MS = 3000

// Many more kills: scripts/killIndexer.ts.
test('indexers and their database are killed, and in the end everything is there once', {
  timeout: isLong ? 1_200_000 : 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const run = await startKilledIndex(t, 3)
  run.startIndexer()
  run.startIndexer()
  await run.waitForMore()
  const leader = await run.findLeader()
  const other = run.processes.find((each) => each !== leader)!
  // It has prepared a block as the leader does: nothing is left to be started when leadership comes.
  await waitUntil('standby in sync', () => other.lines.some((line) => line.includes('standby in sync')))
  await delay(run.random.below(500))
  const cpuBefore = other.cpuMs
  const start = performance.now()
  await run.killIndexer(leader)
  await run.waitForMore()
  const writtenMs = Math.round(performance.now() - start)
  const cpuMs = other.cpuMs - cpuBefore
  // On a machine that is busy with other things, too, what it had to do counts, and not how long it waited for its turn.
  assert.ok(
    writtenMs < TAKEOVER_MS || cpuMs < TAKEOVER_MS,
    `The next one had written after ${writtenMs} ms, ${cpuMs} of them at work.`,
  )
  assert.equal(await run.findLeader(leader), other)
  if (isLong) run.startIndexer()
  // Those who index have to find it again by themselves.
  for (let kill = 0; kill < (isLong ? 10 : 1); kill++) {
    await delay(run.random.below(500))
    await run.killDatabase()
    await run.waitForMore()
  }
  t.diagnostic(JSON.stringify({ writtenMs, cpuMs, ...(await run.finish()) }))
})

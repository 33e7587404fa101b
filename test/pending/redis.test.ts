import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { median } from '../support/measure.ts'
import { startOtherProcess } from '../support/otherProcess.ts'
import { runPendingCampaign } from '../support/pendingCampaign.ts'
import { startPendingNetwork } from '../support/pendingNetwork.ts'
import { haveRedis, startRedis } from '../support/redisServer.ts'
import { isLong } from '../support/testLength.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { getV3 } from '../support/v3Client.ts'

test('two processes with a Redis server between them are as one', {
  timeout: isLong ? 900_000 : 240_000,
}, async (t) => {
  if (!haveDatabase(t) || !haveRedis(t)) return
  const redis = await startRedis(t)
  const databaseUrl = await freshDatabase(t)
  const network = await startPendingNetwork(t, databaseUrl, {
    shards: 2,
    mining: { mode: 'interval', intervalMs: 400, emptyBlocks: true },
    index: { databaseUrl, redisUrl: redis.url },
  })
  const other = await startOtherProcess(t, network, { databaseUrl, redisUrl: redis.url })
  await untilIndexed(`${other}/api/v3`, 1)
  network.urls.push(other)
  const { sends, polls, foreseen, first, last, delays, ...faults } = await runPendingCampaign(network, {
    sends: isLong ? 100 : 60,
  })
  t.diagnostic(
    `${sends} sent, ${polls} polls, ${foreseen} foreseen, seen after ${Math.round(median(delays))} ms, ${JSON.stringify([first, last])}`,
  )
  assert.deepEqual(faults, { lost: [], twice: [], unfinished: [], unexplained: [] })
  // Who looks rarely, on a busy machine, sees few of them before they are final.
  if (polls >= sends) assert.ok(foreseen > 0.25 * sends, `only ${foreseen} of ${sends} were foreseen`)

  // Without the server each shows what was sent through it; with it, all of it again.
  await network.network.controls.setMining({ mode: 'manual' })
  await redis.kill()
  network.urls.pop()
  await network.traffic.step()
  const { hash } = network.sent.at(-1)!
  const look = async (url: string): Promise<number> => {
    const { status, body } = await getV3(`${url}/api/v3`, 'pendingTraces', { ext_msg_hash: hash })
    assert.equal(status, 200, JSON.stringify(body))
    return body.traces.length
  }
  for (let tries = 0; (await look(network.urls[0]!)) === 0; tries++) {
    assert.ok(tries < 200, 'pending emulation disabled without Redis')
    await delay(25)
  }
  assert.equal(await look(other), 0)
  await redis.start()
  await network.traffic.step()
  const { hash: next } = network.sent.at(-1)!
  for (let tries = 0; ; tries++) {
    const { body } = await getV3(`${other}/api/v3`, 'pendingTraces', { ext_msg_hash: next })
    if (body.traces.length > 0) break
    assert.ok(tries < 400, 'nothing is shared with a Redis server that came back')
    await delay(25)
  }
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { median } from '../support/measure.ts'
import { runPendingCampaign } from '../support/pendingCampaign.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import { haveRedis, startRedis } from '../support/redisServer.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { getV3 } from '../support/v3Oracle.ts'

const launcher = join(import.meta.dirname, '../../bin/chaincenter.js')

/** Another process over the same network, database and Redis. */
const startOther = async (t: TestContext, { network }: PendingNetwork, urls: readonly string[]): Promise<string> => {
  const [databaseUrl, redisUrl] = urls as [string, string]
  const args = ['start', '--global-config', network.globalConfig.path, '--port', '0', '--json', '--log-level', 'warn']
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    [launcher, ...args, '--database-url', databaseUrl, '--redis-url', redisUrl, '--no-metadata'],
    { cwd: tempFolder(t), stdio: ['ignore', 'pipe', 'inherit'], env },
  )
  t.after(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGTERM')) await ended
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return (JSON.parse(line) as { readonly url: string }).url
}

test('two processes with a Redis server between them are as one', { timeout: 240_000 }, async (t) => {
  if (!haveDatabase(t) || !haveRedis(t)) return
  const redis = await startRedis(t)
  const databaseUrl = await freshDatabase(t)
  const network = await startPendingNetwork(t, databaseUrl, {
    shards: 2,
    mining: { mode: 'interval', intervalMs: 400, emptyBlocks: true },
    index: { databaseUrl, redisUrl: redis.url },
  })
  const other = await startOther(t, network, [databaseUrl, redis.url])
  await untilIndexed(`${other}/api/v3`, 1)
  network.urls.push(other)
  const { sends, polls, foreseen, equal, delays, ...faults } = await runPendingCampaign(network, { sends: 40 })
  t.diagnostic(
    `${sends} sent, ${polls} polls, ${foreseen} foreseen, ${equal} as foreseen, seen after ${Math.round(median(delays))} ms`,
  )
  assert.deepEqual(faults, { lost: [], twice: [], unfinished: [] })
  assert.ok(foreseen > 0.5 * sends, `only ${foreseen} of ${sends} were foreseen`)

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
    assert.ok(tries < 200, 'nothing is foreseen without Redis')
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

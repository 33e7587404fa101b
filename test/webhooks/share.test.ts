import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { isLong } from '../support/testLength.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { runWebhookCampaign } from '../support/webhookCampaign.ts'
import { ArrayLog, addEndpoint, startDispatcher, startReceiver } from '../support/webhooks.ts'

const startsBefore = (ids: readonly string[]): boolean =>
  ids.every((id, k) => k === 0 || Number(id.split('-')[1]) > Number(ids[k - 1]!.split('-')[1]))

test('two dispatchers share the endpoints, and one takes over what the other leaves', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const log = new ArrayLog()
  const receiver = await startReceiver(t)
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => (await addEndpoint(database, `http://hook.test:${receiver.port}/`)).id),
  )
  const first = startDispatcher(t, { database, log })
  await waitUntil('the first has all', () => first.stats().endpoints === 6)
  const second = startDispatcher(t, { database, log })
  await waitUntil('both have three', () => first.stats().endpoints === 3 && second.stats().endpoints === 3)
  for (let k = 0; k < 5; k++) log.add([1])
  await waitUntil('each endpoint has all', () => receiver.received.length === 30)
  assert.ok((first.stats().attempts['delivered'] ?? 0) > 0 && (second.stats().attempts['delivered'] ?? 0) > 0)
  await first.close()
  await waitUntil('the second has all', () => second.stats().endpoints === 6)
  log.add([1])
  await waitUntil('each endpoint has the last', () => receiver.received.length === 36)
  for (const id of ids) {
    const own = receiver.received.filter(({ text }) => text.includes(id)).map(({ body }) => body.id)
    assert.equal(own.length, 6)
    assert.ok(startsBefore(own))
  }
})

test('failing receivers and kill -9 of senders and of the database: nothing is lost, out of order or sent to a private address', {
  timeout: 900_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { faults, ...counts } = await runWebhookCampaign(t, {
    durationMs: isLong ? 90_000 : 4000,
    intervalMs: 400,
    accounts: 3,
    kills: isLong ? ['sender', 'server', 'sender', 'backend', 'sender', 'server', 'backend'] : ['sender', 'server'],
  })
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(faults, [])
  assert.ok(counts.transactions > 8 && counts.refused > 0 && counts.requests > counts.deliveries)
})

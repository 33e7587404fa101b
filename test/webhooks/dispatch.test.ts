import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Database } from '../../src/store/connect/Database.ts'
import { listDeliveries, requeueDead } from '../../src/store/webhooks/deliveries.ts'
import { enableEndpoint, findEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { insertReplay } from '../../src/store/webhooks/requests.ts'
import type { Journal, StateEvent, StreamEvent } from '../../src/streaming/events.ts'
import type { OpenedSubscription } from '../../src/webhooks/takeDeliveries.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { waitUntil } from '../support/waitUntil.ts'
import {
  ArrayLog,
  addEndpoint,
  byLane,
  FakeClock,
  rulesFor,
  startDispatcher,
  startReceiver,
  wholeLog,
} from '../support/webhooks.ts'

const HOUR = 3_600_000

const statesOf = async (database: Pick<Database, 'transaction'>, id: string): Promise<Record<string, number>> => {
  const all = await database.transaction((client) => listDeliveries(client, id, { limit: 1000 }))
  const counts: Record<string, number> = {}
  for (const { state } of all) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

const settle = async (ms = 120): Promise<void> => new Promise((done) => setTimeout(done, ms))

const open = async (t: TestContext) => ({
  database: await openFreshDatabase(t),
  log: new ArrayLog(),
  receiver: await startReceiver(t),
})

test('events go out in order, numbered without holes and signed', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const { id, secrets } = await addEndpoint(database, `http://hook.test:${receiver.port}/in?a=1`, {})
  startDispatcher(t, { database, log })
  log.add([1, 2, 3])
  for (let k = 0; k < 9; k++) log.add([1, 2])
  await waitUntil('all came', () => receiver.received.length >= 21)
  const lanes = byLane(receiver.received)
  assert.deepEqual([...lanes.values()].map((ids) => ids.length).sort(), [1, 10, 10])
  for (const ids of lanes.values()) {
    const messages = ids.map((each) => receiver.received.find(({ body }) => body.id === each)!)
    assert.deepEqual(
      messages.map(({ body }) => [body.sequence, body.previous_id]),
      ids.map((_, k) => [k + 1, ids[k - 1] ?? null]),
    )
  }
  assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 21)
  const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]]
  assert.deepEqual(
    [headers.host, headers['content-type'], headers['user-agent'], headers['webhook-attempt']],
    [`hook.test:${receiver.port}`, 'application/json', 'chaincenter-webhooks/1', '1'],
  )
  assert.equal(headers['webhook-id'], body.id)
  // Verified as the text of Standard Webhooks says: the key is what base64 of the secret stands for.
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = createHmac('sha256', secrets.current.key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${expected}`)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 60)
  assert.deepEqual(JSON.parse(text), {
    type: 'account_state_change',
    id: 'f-1-1000-st-0000000000000001',
    timestamp: '2023-11-14T22:13:21.000Z',
    network: 'custom',
    endpoint_id: id,
    lane: '0:0001000000000000000000000000000000000000000000000000000000000000',
    sequence: 1,
    previous_id: null,
    replayed: false,
    data: { type: 'account_state_change', event_id: 'f-1-1000-st-0000000000000001', finality: 'finalized' },
  })
  await waitUntil('all are stored', async () => (await statesOf(database, id))['delivered'] === 21)
})

test('case 7: a receiver that fails for an hour gets all in order, and nothing twice', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const clock = new FakeClock()
  const { id } = await addEndpoint(database, `http://hook.test:${receiver.port}/`)
  const accepted: string[] = []
  let isDown = true
  receiver.answer = ({ body }, response) => {
    if (!isDown) accepted.push(`${body.lane} ${body.id}`)
    response.writeHead(isDown ? 500 : 204).end()
  }
  startDispatcher(t, { database, log, now: clock.now })
  const expected: string[] = []
  const start = clock.ms
  for (let minute = 0; minute < 60; minute++) {
    if (minute % 6 === 0) {
      const { events } = log.add([1, 2, 3, 4, 5, 6])
      expected.push(...events.map((event) => event.id))
    }
    await settle(25)
    clock.pass(60_000)
  }
  let minutes = 60
  await waitUntil('it is failing', async () => {
    const endpoint = await database.transaction((client) => findEndpoint(client, id))
    if (endpoint?.state === 'failing') return true
    // On a busy machine fewer attempts fit into the hour.
    clock.pass(60_000)
    minutes++
    return false
  })
  // A failing endpoint is asked once a minute.
  const before = receiver.received.length
  assert.ok(before < 20 + minutes + 2, `${before} attempts`)
  isDown = false
  await waitUntil('all came', async () => {
    clock.pass(60_000)
    await settle(20)
    return accepted.length >= expected.length
  })
  // The first success makes all due that waits.
  assert.ok(clock.ms - start < 4 * HOUR)
  await settle()
  assert.equal(accepted.length, expected.length)
  const lanes = new Map<string, string[]>()
  for (const each of accepted) {
    const [lane = '', event = ''] = each.split(' ')
    lanes.set(lane, [...(lanes.get(lane) ?? []), event])
  }
  assert.equal(lanes.size, 6)
  for (const ids of lanes.values()) {
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => Number(a.split('-')[1]) - Number(b.split('-')[1])),
    )
    assert.equal(new Set(ids).size, ids.length)
  }
  assert.equal((await database.transaction((client) => findEndpoint(client, id)))?.state, 'active')
})

test('case 7: after three days the dead list is complete, and redelivery empties it', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const clock = new FakeClock()
  const { id } = await addEndpoint(database, `http://hook.test:${receiver.port}/`)
  let isDown = true
  receiver.answer = (_message, response) => response.writeHead(isDown ? 500 : 200).end()
  startDispatcher(t, { database, log, now: clock.now, pollMs: 5 })
  const { events } = log.add([1])
  log.add([1])
  const start = clock.ms
  for (let attempt = 1; attempt <= 10; attempt++) {
    await waitUntil(`attempt ${attempt}`, async () => {
      const all = await database.transaction((client) => listDeliveries(client, id, { limit: 10 }))
      const first = all.find(({ eventId }) => eventId === events[0]?.id)
      if (first?.attempts !== attempt) return false
      clock.pass(Math.max(0, (first.nextAttemptAt?.getTime() ?? 0) - clock.ms))
      return true
    })
  }
  assert.ok(clock.ms - start > 40 * HOUR && clock.ms - start < 72 * HOUR)
  const dead = await database.transaction((client) => listDeliveries(client, id, { state: 'dead', limit: 10 }))
  assert.deepEqual(
    dead.map((each) => each.eventId),
    [events[0]?.id],
  )
  assert.equal(dead[0]?.log.length, 10)
  assert.ok(dead[0]?.log.every(({ status }) => status === 500))
  const first = receiver.received.filter(({ body }) => body.id === events[0]?.id)
  assert.deepEqual(
    first.map(({ headers }) => headers['webhook-attempt']),
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  )
  isDown = false
  assert.equal(await database.transaction((client) => requeueDead(client, id, new Date(clock.ms))), 1)
  await waitUntil('it is not dead', async () => (await statesOf(database, id))['delivered'] === 1)
  clock.pass(24 * HOUR)
  await waitUntil('none is dead or waiting', async () => (await statesOf(database, id))['delivered'] === 2)
  // Both are due: either may be sent first.
  const last = receiver.received.slice(-2).map(({ body }) => body.sequence)
  assert.deepEqual(last.sort(), [1, 2])
})

test('case 8: a name that leads elsewhere at delivery than at registration is refused', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const answers: string[][] = [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1']]
  const seen: string[] = []
  const rules = rulesFor(['http', 'ports'], async (host) => {
    seen.push(host)
    return answers[seen.length - 1] ?? ['169.254.169.254']
  })
  const { id } = await addEndpoint(database, `http://rebound.test:${receiver.port}/`)
  startDispatcher(t, { database, log, rules, retries: { scheduleMs: [1, 1, 1] } })
  log.add([1])
  await waitUntil('it is dead', async () => (await statesOf(database, id))['dead'] === 1)
  const [delivery] = await database.transaction((client) => listDeliveries(client, id, { limit: 1 }))
  assert.deepEqual(
    delivery?.log.map(({ error }) => error),
    ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', '169.254.169.254'].map(
      (address) => `rebound.test resolves to ${address}, which is not a public address.`,
    ),
  )
  assert.equal(receiver.received.length, 0)
})

test('answers: Retry-After, redirects, silence, and 410', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const clock = new FakeClock()
  const { id } = await addEndpoint(database, `http://hook.test:${receiver.port}/`)
  const elsewhere = await startReceiver(t)
  const rules = { ...rulesFor(), limits: { connectMs: 500, totalMs: 300, maxBytes: 65_536 } }
  startDispatcher(t, { database, log, rules, now: clock.now })
  const turns: ((response: import('node:http').ServerResponse) => void)[] = [
    (response) => response.writeHead(503, { 'retry-after': '7200' }).end(),
    (response) => response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    () => {},
    (response) => response.writeHead(410).end(),
  ]
  receiver.answer = (_message, response) => turns[receiver.received.length - 1]?.(response)
  log.add([1])
  const attemptsOf = async () =>
    (await database.transaction((client) => listDeliveries(client, id, { limit: 1 })))[0]?.attempts ?? 0
  await waitUntil('first', async () => (await attemptsOf()) === 1)
  clock.pass(HOUR)
  await settle()
  assert.equal(receiver.received.length, 1, 'not before Retry-After')
  for (const count of [2, 3, 4]) {
    clock.pass(4 * HOUR)
    await waitUntil(`attempt ${count}`, async () => (await attemptsOf()) === count)
  }
  const [delivery] = await database.transaction((client) => listDeliveries(client, id, { limit: 1 }))
  assert.deepEqual(
    delivery?.log.map(({ status, error }) => [status, error]),
    [
      [503, null],
      [302, 'redirects are not followed'],
      [null, 'timeout after 0.3 s'],
      [410, null],
    ],
  )
  assert.equal(elsewhere.received.length, 0)
  await waitUntil('it is told', () => receiver.received.at(-1)?.body.type === 'endpoint.disabled')
  const endpoint = await database.transaction((client) => findEndpoint(client, id))
  assert.deepEqual([endpoint?.state, endpoint?.disabledReason], ['disabled', 'gone'])
  // It goes on from where it stopped.
  receiver.answer = (_message, response) => response.writeHead(200).end()
  log.add([1])
  await settle()
  await database.transaction((client) => enableEndpoint(client, id, undefined))
  await waitUntil('all came', async () => (await statesOf(database, id))['delivered'] === 2)
  assert.deepEqual(
    receiver.received.slice(-2).map(({ body }) => body.sequence),
    [1, 2],
  )
})

test('an endpoint without success for five days is disabled', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const clock = new FakeClock()
  const { id } = await addEndpoint(database, `http://hook.test:${receiver.port}/`)
  receiver.answer = (_message, response) => response.writeHead(500).end()
  startDispatcher(t, { database, log, now: clock.now, retries: { scheduleMs: [24 * HOUR, 24 * HOUR, 240 * HOUR] } })
  log.add([1])
  for (const count of [1, 2, 3]) {
    await waitUntil(`attempt ${count}`, () => receiver.received.length === count)
    await settle()
    clock.pass(30 * HOUR)
  }
  clock.pass(300 * HOUR)
  await waitUntil('it is told', () => receiver.received.at(-1)?.body.type === 'endpoint.disabled')
  const endpoint = await database.transaction((client) => findEndpoint(client, id))
  assert.deepEqual([endpoint?.state, endpoint?.disabledReason], ['disabled', 'unreachable'])
})

test('a replay sends events again under their ids; long and thin contents are links', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const long = (): OpenedSubscription => ({
    wantsSpeculative: false,
    render: (event) =>
      event.mcSeqno === 2
        ? Promise.resolve(JSON.stringify({ type: 'x', text: 'x'.repeat(256 * 1024) }))
        : wholeLog().render(event),
  })
  const url = `http://hook.test:${receiver.port}/`
  const { id } = await addEndpoint(database, url)
  startDispatcher(t, { database, log, openSubscription: long, publicUrl: 'https://api.example.org' })
  log.add([1, 2])
  log.add([1])
  log.add([1])
  await waitUntil('all came', () => receiver.received.length === 4)
  assert.deepEqual(receiver.received.find(({ body }) => body.id.startsWith('f-2-'))?.body.data, {
    type: 'account_state_change',
    finality: 'finalized',
    event_id: 'f-2-2000-st-0000000000000001',
    url: 'https://api.example.org/api/streaming/v2/events/f-2-2000-st-0000000000000001',
  })
  const from = { mcSeqno: 0, eventId: 'f-1-1000-st-0000000000000001' }
  const until = { mcSeqno: 1, eventId: 'f-2-2000-st-0000000000000001' }
  await database.transaction((client) => insertReplay(client, id, { from, until }, new Date()))
  await waitUntil('both came again', () => receiver.received.length === 6)
  await settle()
  assert.deepEqual(
    receiver.received
      .slice(4)
      .map(({ body }) => [body.id, body.replayed, body.sequence])
      .sort(),
    [
      ['f-1-1001-st-0000000000000002', true, null],
      ['f-2-2000-st-0000000000000001', true, null],
    ],
  )
})

test('events that are not final are sent once, retried for a minute, and never dead', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver } = await open(t)
  const clock = new FakeClock()
  const { id } = await addEndpoint(database, `http://hook.test:${receiver.port}/`)
  const listeners = new Set<(event: StreamEvent) => void>()
  const journal: Journal = {
    name: '0000000a',
    last: 0,
    since: () => [],
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    demand: () => () => undefined,
  }
  const openSubscription = (): OpenedSubscription => ({ ...wholeLog(), wantsSpeculative: true })
  startDispatcher(t, { database, log, journal, openSubscription, now: clock.now })
  const [final] = log.add([1]).events
  await waitUntil('the final one came', () => receiver.received.length === 1)
  const tell = (n: number): void => {
    const event: StreamEvent = { ...(final as StateEvent), id: `s-1-0000000a-${n}`, finality: 'pending' }
    for (const listener of listeners) listener(event)
  }
  tell(1)
  await waitUntil('the pending one came', () => receiver.received.length === 2)
  const { id: eventId, sequence, data } = receiver.received[1]!.body
  assert.deepEqual([eventId, sequence, data['finality']], ['s-1-0000000a-1', null, 'pending'])
  receiver.answer = (_message, response) => response.writeHead(500).end()
  tell(2)
  await waitUntil('the first attempt', () => receiver.received.length === 3)
  await settle()
  clock.pass(15_000)
  await waitUntil('it is dropped', async () => (await statesOf(database, id))['dropped'] === 1)
  assert.equal(receiver.received.length, 4)
  assert.deepEqual(await statesOf(database, id), { delivered: 2, dropped: 1 })
})

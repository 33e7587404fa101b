import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createClient } from '../../src/client/createClient.ts'
import { startCuttingProxy } from '../support/cuttingProxy.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { openSse, WsClient } from '../support/streamClients.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil as waitLong } from '../support/waitUntil.ts'

const GRAM = 1_000_000_000n

const waitUntil = (what: string, isSo: () => boolean): Promise<void> => waitLong(what, isSo, { timeoutMs: 20_000 })

test('server-sent events and WebSockets of an embedded network', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startNetwork({
    mining: { mode: 'manual' },
    http: {},
    index: { databaseUrl: await freshDatabase(t) },
  })
  t.after(() => network.close())
  await network.indexed
  const url = network.url!
  const { controls, accounts } = network
  const [alice, bob] = accounts.map(({ address }) => address)
  const send = async (): Promise<void> => {
    await controls.faucet(alice!, GRAM)
    await controls.mine(4)
    await untilIndexed(`${url}/api/v3`, controls.getStatus().head.seqno)
  }
  await controls.mine(2)
  await untilIndexed(`${url}/api/v3`, controls.getStatus().head.seqno)

  await t.test('healthz tells the parts and the capabilities', async () => {
    const response = await fetch(`${url}/api/streaming/healthz`)
    const { ok, now, components, capabilities } = (await response.json()) as Record<string, unknown>
    assert.deepEqual([response.status, ok, typeof now, typeof components], [200, true, 'number', 'object'])
    assert.deepEqual(capabilities, ['pending', 'finalized', 'replay'])
  })

  await t.test('SSE: the first frame, events with their ids, and resuming with Last-Event-ID', async () => {
    const wanted = { types: ['transactions', 'account_state_change'], addresses: [alice], id: 'a' }
    const client = await openSse(url, wanted)
    t.after(() => client.close())
    assert.equal(client.status, 200)
    assert.match(client.headers, /content-type: text\/event-stream\r\n/i)
    assert.match(client.headers, /x-accel-buffering: no/i)
    assert.match(client.headers, /access-control-allow-origin: \*/i)
    assert.equal(client.parser.retry, '3000')
    assert.deepEqual(JSON.parse(client.parser.frames[0]!.data), { id: 'a', status: 'subscribed' })
    await send()
    await waitUntil('both come', () => client.events.length >= 2)
    assert.deepEqual(client.events.map(({ type }) => type).sort(), ['account_state_change', 'transactions'])
    assert.equal('event_id' in client.events[0]!, false, 'plain clients get plain events')
    await send()
    await waitUntil('two more come', () => client.events.length >= 4)
    const [first, ...others] = client.ids
    const query = `?types=transactions&types=account_state_change&addresses=${alice}`
    const again = await openSse(url, undefined, { query, headers: { 'last-event-id': first! } })
    t.after(() => again.close())
    await waitUntil('the rest comes again', () => again.ids.length >= others.length)
    assert.deepEqual(again.ids, others)
    assert.deepEqual(again.events, client.events.slice(1))
  })

  await t.test('SSE: a connection that broke before its first event resumes from where it was made', async () => {
    const wanted = { types: ['transactions'], addresses: [alice] }
    const client = await openSse(url, wanted)
    const { event, id } = client.parser.frames[0]!
    assert.equal(event, 'connected')
    client.close()
    await send()
    const again = await openSse(url, { ...wanted, extended: true }, { headers: { 'last-event-id': id! } })
    t.after(() => again.close())
    await waitUntil('the event of the time between comes', () =>
      again.events.some(({ type }) => type === 'transactions'),
    )
    assert.deepEqual(
      again.events.flatMap(({ type, finality }) => (type === 'masterchain_head' ? [] : [[type, finality]])),
      [['transactions', 'finalized']],
    )
  })

  await t.test('SSE: faults', async () => {
    const refused = async (body: object | string, headers = {}): Promise<unknown> => {
      const client = await openSse(url, body, { headers })
      client.close()
      return [client.status, JSON.parse(client.body)]
    }
    assert.deepEqual(await refused({ id: 'x', types: [] }), [
      400,
      { id: 'x', error: 'types are required for subscription' },
    ])
    assert.deepEqual(await refused({ types: ['nothing'] }), [400, { error: 'invalid event type: nothing' }])
    const [status, { error }] = (await refused('{')) as [number, { error: string }]
    assert.equal(status, 400)
    assert.match(error, /^invalid subscription request: /)
    const [, { error: type }] = (await refused('{}', { 'content-type': 'text/plain' })) as [number, { error: string }]
    assert.match(type, /^invalid subscription request: /)
    const wanted = { types: ['transactions'], addresses: [alice] }
    assert.deepEqual(await refused({ ...wanted, since: 'f-1' }), [400, { error: 'invalid since: f-1' }])
    assert.deepEqual(await refused({ ...wanted, since: { mc_seqno: 100_000 } }), [
      400,
      { error: 'since is ahead of the chain' },
    ])
  })

  await t.test('a stream ends at `until`', async () => {
    const client = await openSse(url, { types: ['blocks'], since: { mc_seqno: 1 }, until: { mc_seqno: 3 } })
    await waitUntil('it ends', () => client.isClosed || client.body !== '' || client.socket.readableEnded)
    assert.ok(client.events.length >= 2)
    client.close()
    const socket = await new WsClient(url).opened()
    const wanted = { operation: 'subscribe', types: ['blocks'], since: { mc_seqno: 1 }, until: { mc_seqno: 3 } }
    assert.deepEqual(await socket.request(wanted), { status: 'subscribed' })
    await waitUntil('it completes', () => socket.messages.some(({ status }) => status === 'completed'))
    assert.deepEqual(socket.events.map(({ type, block }) => [type, block?.seqno]).length, client.events.length)
    socket.close()
  })

  await t.test('WebSocket: operations, events and faults', async () => {
    const socket = await new WsClient(url).opened()
    t.after(() => socket.close())
    assert.deepEqual(await socket.request({ operation: 'ping', id: '1' }), { id: '1', status: 'pong' })
    assert.deepEqual(await socket.request({ operation: 'ping' }), { status: 'pong' })
    assert.match((await socket.request('{')).error, /^invalid request envelope: /)
    assert.deepEqual(await socket.request({ operation: 'x', id: '2' }), { id: '2', error: 'unknown operation: x' })
    assert.deepEqual(await socket.request({ operation: 'subscribe', types: ['transactions'] }), {
      error: 'addresses are required',
    })
    const wanted = { operation: 'subscribe', id: '3', types: ['transactions'], addresses: [alice, bob] }
    assert.deepEqual(await socket.request(wanted), { id: '3', status: 'subscribed' })
    await send()
    await waitUntil('an event comes', () => socket.events.length > 0)
    assert.equal(socket.events[0]!.type, 'transactions')
    const left = { operation: 'unsubscribe', addresses: [alice] }
    assert.deepEqual(await socket.request(left), { status: 'unsubscribed' })
    const count = socket.events.length
    await send()
    assert.equal(socket.events.length, count)
  })

  await t.test('WebSocket: pending events come before the block', async () => {
    const socket = await new WsClient(url).opened()
    t.after(() => socket.close())
    await socket.request({
      operation: 'subscribe',
      types: ['transactions'],
      addresses: [alice],
      min_finality: 'pending',
    })
    const body = JSON.stringify({ address: alice, amount: String(GRAM) })
    await fetch(`${url}/dev/faucet`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await waitUntil('it is pending', () => socket.events.some(({ finality }) => finality === 'pending'))
    await controls.mine(4)
    const { trace_external_hash_norm: hash } = socket.events.find(({ finality }) => finality === 'pending')!
    const finalitiesOf = () =>
      socket.events.filter((event) => event['trace_external_hash_norm'] === hash).map(({ finality }) => finality)
    await waitUntil('it is final', () => finalitiesOf().includes('finalized'))
    const finalities = finalitiesOf()
    assert.equal(finalities.lastIndexOf('pending') < finalities.indexOf('finalized'), true, String(finalities))
  })

  await t.test('both prefixes, 426 without an upgrade, 410 for v1, other upgrades as usual', async () => {
    const socket = await new WsClient(url, { path: '/ton/api/streaming/v2/ws' }).opened()
    assert.deepEqual(await socket.request({ operation: 'ping' }), { status: 'pong' })
    socket.close()
    assert.equal((await fetch(`${url}/api/streaming/v2/ws`)).status, 426)
    assert.equal((await fetch(`${url}/api/streaming/v1/sse`, { method: 'POST' })).status, 410)
    const preflight = await fetch(`${url}/api/streaming/v2/sse`, { method: 'OPTIONS' })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /last-event-id/i)
    const client = await openSse(url, undefined, {
      path: '/api/v3/masterchainInfo',
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' },
    })
    assert.equal(client.status, 200)
    client.close()
    const other = new WsClient(url, { path: '/api/v3/ws' })
    await waitUntil('it is refused', () => other.refusal !== undefined)
    assert.equal(other.refusal!.status, 404)
  })

  await t.test('WebSocket: binary frames, long frames and too many frames close it', async () => {
    const cases: [code: number, send: (socket: WsClient['socket']) => void][] = [
      [1003, (socket) => socket.send(Buffer.from('{}'))],
      [1009, (socket) => socket.send('x'.repeat((1 << 20) + 1))],
      [
        4029,
        (socket) => {
          for (let k = 0; k < 25; k++) socket.send('{"operation":"ping"}')
        },
      ],
    ]
    for (const [code, act] of cases) {
      const client = await new WsClient(url).opened()
      act(client.socket)
      await waitUntil(`it is closed with ${code}`, () => client.code !== undefined)
      assert.equal(client.code, code)
    }
  })

  await t.test('the client over a line that is cut again and again gets each event once, in order', async (own) => {
    const random = Math.random
    // The client returns at once.
    own.mock.method(Math, 'random', () => random() * 0.005)
    const CUTS = 25
    let connections = 0
    const nextBytes = (): number | undefined => (connections++ < CUTS ? Math.floor(random() * 8000) : undefined)
    const proxy = await startCuttingProxy(own, url, nextBytes)
    const since = controls.getStatus().head.seqno
    const wanted = { types: ['transactions', 'account_state_change', 'blocks'], addresses: [alice!] } as const
    const subscription = { ...wanted, deliver: 'transaction', since: { mc_seqno: since } } as const
    const events = createClient({ url: proxy.url }).subscribe(subscription)
    const got: string[] = []
    const reading = (async () => {
      for await (const event of events) got.push(event.event_id)
    })()
    for (let k = 0; k < 6 || proxy.cuts < CUTS; k++) await send()
    const query = `types=transactions&types=account_state_change&types=blocks&addresses=${alice}&deliver=transaction`
    const until = `until.mc_seqno=${controls.getStatus().head.seqno}`
    const whole = await openSse(url, undefined, { query: `?${query}&since.mc_seqno=${since}&${until}` })
    await waitUntil('the same comes over a whole line', () => whole.isClosed)
    const all = whole.ids
    await waitUntil(`${all.length} events came`, () => got.length >= all.length)
    await events.return()
    await reading
    assert.deepEqual(got, all)
    assert.ok(all.length > 60, `${all.length} events`)
  })

  await t.test('shutdown tells the clients, and is quick', async () => {
    const socket = await new WsClient(url).opened()
    const client = await openSse(url, { types: ['blocks'] })
    const begun = performance.now()
    await network.close()
    await waitUntil('both are closed', () => socket.code !== undefined && client.isClosed)
    assert.equal(socket.code, 1001)
    assert.ok(performance.now() - begun < 3000, `${performance.now() - begun} ms`)
  })
})

test('without an index a stream is refused for good', { timeout: 60_000 }, async (t) => {
  const network = await startNetwork({ mining: { mode: 'manual' }, http: {} })
  t.after(() => network.close())
  const events = createClient({ url: network.url! }).subscribe({ types: ['blocks'] })
  await assert.rejects(events.next(), { status: 404, code: 'not_found', message: /Streaming needs the index/ })
  const socket = new WsClient(network.url!)
  await waitUntil('it is refused', () => socket.refusal !== undefined)
  assert.equal(socket.refusal!.status, 404)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createClient } from '../../src/client/createClient.ts'
import { issueKey } from '../../src/gateway/keys/keyText.ts'
import { createPlans } from '../../src/gateway/plans.ts'
import { revokeKey } from '../../src/store/keys/apiKeys.ts'
import { defaultSchedule } from '../../src/webhooks/retries.ts'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../support/database.ts'
import { openSse, WsClient } from '../support/streamClients.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil } from '../support/waitUntil.ts'

const secret = 'the secret of these tests'
const fast = { perSecond: 1000, burst: 1000 }

test('keys, plans and the headers of a trusted proxy limit streams', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const trustedProxies = [{ address: '127.0.0.2', bits: 32 }]
  const streamPlans = [
    { name: 'free', connections: 2, addresses: 3, replayMs: 3_600_000, isForAll: false },
    { name: 'partner', connections: 2, addresses: undefined, replayMs: undefined, isForAll: true },
  ]
  const streaming = { streamPrefixes: ['/streaming' as const], streamPlans, trustedProxies } as const
  const webhooks = {
    webhookLimits: [],
    webhookSchedule: defaultSchedule,
    webhookAllow: undefined,
    publicUrl: undefined,
    allowedHosts: [],
    host: '127.0.0.1',
    port: 0,
  }
  const network = await startNetwork({
    mining: { mode: 'manual' },
    http: {
      gateway: {
        network: 'custom',
        isLocalFree: false,
        anonymous: { v2: fast, v3: fast },
        plans: createPlans([{ name: 'partner', rate: fast, pool: undefined }]),
        trustedProxies,
        redisUrl: undefined,
        secret: { given: secret, folder: undefined },
        selfServiceKeys: undefined,
      },
      webhooks: {
        settings: { ...webhooks, trustedProxies, streamPlans },
        secret: { given: secret, folder: undefined },
      },
      streaming: { ...streaming, streamStall: 60_000, streamReplayRate: 2000, streamMemory: 8 },
    },
    index: { databaseUrl },
  })
  t.after(() => network.close())
  await network.indexed
  const url = network.url!
  await network.controls.mine(2)
  await untilIndexed(`${url}/api/v3`, network.controls.getStatus().head.seqno)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const makeKey = (plan: string, keyNetwork = 'custom', scopes?: readonly string[]) =>
    database.transaction((client) =>
      issueKey(client, Buffer.from(secret), {
        network: keyNetwork,
        plan,
        scopes,
        rate: undefined,
        note: undefined,
        isSelfMade: false,
      }),
    )
  const [watcher, reader] = [
    await makeKey('advanced', 'custom', ['stream:all']),
    await makeKey('advanced', 'custom', ['webhooks:read']),
  ]
  const [free, partner, foreign] = [await makeKey('free'), await makeKey('partner'), await makeKey('free', 'main')]
  await waitUntil('the keys are known', async () => {
    const response = await fetch(`${url}/api/v3/masterchainInfo`, { headers: { 'x-api-key': partner.text } })
    await response.text()
    return response.status === 200
  })
  const addresses = network.accounts.map(({ address }) => address)
  const wanted = { types: ['transactions'], addresses: addresses.slice(0, 2) }
  const subscribe = (apiKey: string, of: readonly string[]) =>
    createClient({ url, apiKey }).subscribe({ types: ['transactions'], addresses: of, since: { mc_seqno: 0 } })
  const withKey = (key: string) => ({ headers: { 'x-api-key': key } })

  await t.test('a wrong key is 401 and one of another network 403, before the upgrade', async () => {
    for (const [key, status] of [
      [`${free.text.slice(0, -3)}000`, 401],
      [foreign.text, 403],
    ] as const) {
      const client = await openSse(url, wanted, withKey(key))
      assert.equal(client.status, status)
      assert.equal(typeof JSON.parse(client.body).error, 'string')
      const socket = new WsClient(url, withKey(key))
      await waitUntil('it is refused', () => socket.refusal !== undefined)
      assert.equal(socket.refusal!.status, status)
      await assert.rejects(subscribe(key, wanted.addresses).next(), { name: 'ApiError', status })
    }
    const [first = ''] = wanted.addresses
    const refused = { status: 400, code: 'bad_request', message: /invalid address: EQ$/ }
    await assert.rejects(subscribe(partner.text, [first, 'EQ']).next(), refused)
  })

  await t.test('connections of a plan, and a place for one that resumes', async () => {
    const first = await openSse(url, { types: ['blocks'], since: { mc_seqno: 0 } }, withKey(free.text))
    await waitUntil('an event comes', () => first.ids.length > 0)
    const second = await new WsClient(url, { path: `/api/streaming/v2/ws?api_key=${free.text}` }).opened()
    const third = await openSse(url, wanted, withKey(free.text))
    assert.deepEqual(
      [third.status, JSON.parse(third.body)],
      [429, { error: 'connection limit reached: 2 active connections' }],
    )
    const refused = new WsClient(url, withKey(free.text))
    await waitUntil('it is refused', () => refused.refusal !== undefined)
    assert.equal(refused.refusal!.status, 429)
    const resumed = await openSse(url, { types: ['blocks'], since: first.ids.at(-1) }, withKey(free.text))
    assert.equal(resumed.status, 200)
    await waitUntil('the dead one is closed', () => first.isClosed)
    assert.equal(second.code, undefined)
    for (const client of [resumed, second]) client.close()
  })

  await t.test('addresses of a plan, and every address only where it is allowed', async () => {
    await waitUntil('places are free', async () => {
      const client = await openSse(url, wanted, withKey(free.text))
      client.close()
      return client.status === 200
    })
    const many = { types: ['transactions'], addresses: addresses.slice(0, 4) }
    const client = await openSse(url, many, withKey(free.text))
    assert.deepEqual([client.status, JSON.parse(client.body)], [400, { error: 'too many addresses: 4 > max 3' }])
    const socket = await new WsClient(url, withKey(free.text)).opened()
    assert.deepEqual(await socket.request({ operation: 'subscribe', ...many }), {
      error: 'address limit exceeded: current 0 + new 4 > max 3',
    })
    socket.close()
    const all = { types: ['transactions'], addresses: ['*'] }
    const [denied, allowed] = [
      await openSse(url, all, withKey(free.text)),
      await openSse(url, all, withKey(partner.text)),
    ]
    assert.deepEqual([denied.status, allowed.status], [403, 200])
    allowed.close()
  })

  await t.test('scopes of a key: every address, webhooks, debugger', async () => {
    const all = { types: ['transactions'], addresses: ['*'] }
    const streams = [await openSse(url, all, withKey(watcher.text)), await openSse(url, all, withKey(reader.text))]
    for (const client of streams) client.close()
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 403],
    )
    const request = async (path: string, key: string, method: string) => {
      const response = await fetch(`${url}/api/${path}`, { method, ...withKey(key) })
      return [response.status, String(((await response.json()) as { error?: unknown }).error)] as const
    }
    const [endpoints, debug] = ['webhooks/v1/endpoints', 'debug/v1/transaction']
    assert.equal((await request(endpoints, reader.text, 'GET'))[0], 200)
    for (const [path, key, method, scope] of [
      [endpoints, watcher.text, 'GET', 'webhooks:read'],
      [endpoints, reader.text, 'POST', 'webhooks:write'],
      [debug, reader.text, 'GET', 'debug'],
    ] as const) {
      assert.deepEqual(await request(path, key, method), [403, `This API key has no scope ${scope}.`])
    }
    // Keys made without scopes have those that keys always had.
    const [status, error] = await request(endpoints, free.text, 'POST')
    assert.ok(status === 400 || status === 422, error)
    assert.doesNotMatch((await request(debug, free.text, 'GET'))[1], /scope/)
  })

  await t.test('a revoked key ends its connections with 4001, and the client stops', async (own) => {
    // The client returns at once.
    own.mock.method(Math, 'random', () => 0)
    const socket = await new WsClient(url, withKey(partner.text)).opened()
    const events = subscribe(partner.text, ['*'])
    await events.next()
    await database.transaction((client) => revokeKey(client, partner.id, new Date()))
    await waitUntil('it is closed', () => socket.code !== undefined, { timeoutMs: 20_000 })
    assert.equal(socket.code, 4001)
    const drain = async (): Promise<void> => {
      for await (const _event of events);
    }
    await assert.rejects(drain, { status: 401, code: 'unauthorized' })
  })

  await t.test('headers of a proxy count only if it is trusted; the prefix is a setting', async () => {
    const headers = { 'x-limiting-key': 'somebody', 'x-max-parallel-connections': '1', 'x-max-subscribed-addr': '1' }
    const path = '/streaming/v2/sse'
    const forged = await openSse(url, wanted, { headers, path })
    assert.equal(forged.status, 200)
    forged.close()
    const trusted = { headers, path, localAddress: '127.0.0.2' }
    const tooMany = await openSse(url, wanted, trusted)
    assert.deepEqual([tooMany.status, JSON.parse(tooMany.body).error], [400, 'too many addresses: 2 > max 1'])
    const one = { ...wanted, addresses: addresses.slice(0, 1) }
    const first = await openSse(url, one, trusted)
    const second = await openSse(url, one, trusted)
    assert.deepEqual([first.status, second.status], [200, 429])
    first.close()
    const free = await openSse(url, wanted, { ...trusted, headers: { 'x-limiting-key': '' } })
    assert.equal(free.status, 200)
    free.close()
  })
})

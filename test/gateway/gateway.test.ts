import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { issueKey, rotateKey } from '../../src/gateway/keys/keyText.ts'
import { createPlans } from '../../src/gateway/plans.ts'
import type { Rate } from '../../src/primitives/Rate.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { revokeKey } from '../../src/store/keys/apiKeys.ts'
import { sumUsage } from '../../src/store/keys/keyUsage.ts'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../support/database.ts'
import { type GatewayNetwork, serveGateway, startGatewayNetwork } from '../support/gatewayService.ts'
import { haveRedis, startRedis } from '../support/redisServer.ts'
import { sendRaw } from '../support/serveSample.ts'

const secret = 'the secret of these tests'

let network: GatewayNetwork

before(async () => {
  network = await startGatewayNetwork()
})
after(() => network.close())

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }

const ask = async (url: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
}

const rpc = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(`${url}/jsonRPC`, headers, {
    method: 'POST',
    body: JSON.stringify({ id: '1', jsonrpc: '2.0', method: 'getMasterchainInfo', params: {} }),
  })

const makeKey = async (
  database: Database,
  plan: string,
  rest: { rate?: Rate; network?: string; owner?: string } = {},
) =>
  database.transaction((client) =>
    issueKey(client, Buffer.from(secret), {
      network: 'custom',
      plan,
      rate: undefined,
      note: undefined,
      isSelfMade: false,
      ...rest,
    }),
  )

/** How many of so many requests at a time were answered. */
const countServed = async (
  urls: readonly string[],
  count: number,
  headers: Record<string, string>,
): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: count }, (_, k) => ask(urls[k % urls.length]!, headers)))
  for (const { status } of answers) assert.ok(status === 200 || status === 429, `status ${status}`)
  return answers.filter(({ status }) => status === 200).length
}

const withoutExtra = ({ '@extra': _, ...body }: Record<string, unknown>) => body

test('without a key one request per second, over REST and JSON-RPC together', async (t) => {
  const { url } = await serveGateway(t, network, { secret })
  const ways = [
    () => ask(`${url}/api/v2/getMasterchainInfo`),
    () => rpc(`${url}/api/v2`),
    () => ask(`${url}/ton/api/v2/getMasterchainInfo`),
    () => rpc(`${url}/ton/api/v2`),
    () => ask(`${url}/api/v2/nothing`),
  ]
  let served = 0
  const begun = performance.now()
  for (let each = 0; performance.now() - begun < 3200; each++) {
    const { status, body } = await ways[each % ways.length]!()
    if (status !== 429) served++
    else assert.equal(body['error'], 'Ratelimit without API Key exceed: 1 per second')
    await delay(20)
  }
  const seconds = (performance.now() - begun) / 1000
  // The last of them may have come a tenth too early.
  assert.ok(served >= 3 && served <= seconds + 1.1, `${served} in ${seconds} s`)
})

test('what is told to whom asks too much, and what is free', async (t) => {
  const anonymous = { v2: { perSecond: 0.02, burst: 2 }, v3: { perSecond: 1, burst: 1 } }
  const { url } = await serveGateway(t, network, { secret, anonymous })
  const figures = ({ headers }: Answer) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) => headers.get(name))
  const first = await ask(`${url}/api/v2/getMasterchainInfo`)
  assert.deepEqual([first.status, figures(first)], [200, ['2', '1', '50', null]])
  // This one is answered from what is kept.
  const second = await ask(`${url}/api/v2/getMasterchainInfo`)
  assert.deepEqual([second.status, figures(second).slice(0, 2)], [200, ['2', '0']])
  const refusal = { ok: false, error: 'Ratelimit without API Key exceed: 0.02 per second', code: 429 }
  for (const path of ['/api/v2/getMasterchainInfo', '/ton/api/v2/getMasterchainInfo', '/api/v2/nothing']) {
    const answer = await ask(`${url}${path}`)
    assert.equal(answer.status, 429, path)
    assert.deepEqual(withoutExtra(answer.body), refusal)
    const [limit, remaining, reset, retry] = figures(answer).map(Number)
    assert.deepEqual([limit, remaining], [2, 0])
    assert.ok(retry! > 30 && retry! <= 45 && reset! > retry! && reset! <= 100, `${retry} ${reset}`)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-expose-headers'), '*')
  }
  for (const prefix of ['/api/v2', '/ton/api/v2']) {
    const { status, body } = await rpc(`${url}${prefix}`)
    assert.deepEqual([status, withoutExtra(body)], [429, { ...refusal, jsonrpc: '2.0' }])
  }
  // Questions of browsers, the description and whether it is alive are free.
  assert.equal((await ask(`${url}/api/v2/jsonRPC`, {}, { method: 'OPTIONS' })).status, 204)
  for (const path of ['openapi.json', 'healthcheck']) {
    const answer = await ask(`${url}/api/v2/${path}`)
    assert.deepEqual([answer.status, figures(answer)], [200, [null, null, null, null]])
  }
  // Where there is no database, no key is known.
  const key = `cc_custom_${'0'.repeat(10)}_${'0'.repeat(32)}`
  const fresh = await serveGateway(t, network, { secret, anonymous })
  assert.equal((await ask(`${fresh.url}/api/v2/getMasterchainInfo`, { 'x-api-key': key })).status, 401)
})

test('plans of keys, unknown keys and keys of other networks, in both interfaces', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const [free, plus, custom, foreign] = [
    await makeKey(database, 'free'),
    await makeKey(database, 'plus'),
    await makeKey(database, 'custom', { rate: { perSecond: 0.1, burst: 3 } }),
    await makeKey(database, 'free', { network: 'main' }),
  ]
  // Wrong keys are counted by their address; here they are looked at one after the other.
  const anonymous = { v2: { perSecond: 1, burst: 50 }, v3: { perSecond: 5, burst: 20 } }
  const { url } = await serveGateway(t, network, { secret, databaseUrl, anonymous })
  const v2 = `${url}/api/v2/getMasterchainInfo`
  await ask(v2, { 'x-api-key': free.text })
  await delay(300)
  const served = async (key: string, count: number): Promise<[number, number]> => {
    const begun = performance.now()
    return [await countServed([v2], count, { 'x-api-key': key }), (performance.now() - begun) / 1000]
  }
  const plans: [key: string, rate: number, burst: number][] = [
    [free.text, 10, 10],
    [plus.text, 25, 25],
    [custom.text, 0.1, 3],
  ]
  for (const [key, rate, burst] of plans) {
    const [count, seconds] = await served(key, 2 * burst + 20)
    assert.ok(count >= burst && count <= burst + seconds * rate + 1, `${count} of ${burst} in ${seconds} s`)
  }
  const over = await ask(v2, { 'x-api-key': custom.text })
  assert.deepEqual([over.status, withoutExtra(over.body)], [429, { ok: false, error: 'Ratelimit exceeded', code: 429 }])
  assert.ok(Number(over.headers.get('retry-after')) > 5)
  assert.equal(over.headers.get('ratelimit-limit'), '3')
  // The query carries it as well, and the budget is one for both interfaces; the header goes before the query.
  const v3 = `${url}/api/v3/nothing`
  // Its burst is spent: some of it has to come back first.
  await delay(500)
  assert.deepEqual((await ask(`${v3}?api_key=${custom.text}`)).body, { error: 'Ratelimit exceeded' })
  assert.deepEqual((await ask(`${v3}?x=1&api_key=${custom.text}`, { 'X-Api-Key': plus.text })).status, 404)
  const wrong = `${free.text.slice(0, -1)}${free.text.endsWith('0') ? '1' : '0'}`
  const cases: [key: string, status: number, error: string][] = [
    [wrong, 401, 'API key does not exist'],
    ['nonsense', 401, 'API key does not exist'],
    [`cc_custom_${'0'.repeat(10)}_${'0'.repeat(32)}`, 401, 'API key does not exist'],
    [foreign.text, 403, 'Network not allowed'],
    [custom.text, 429, 'Ratelimit exceeded'],
  ]
  for (const [key, status, error] of cases) {
    const headers = { 'x-api-key': key }
    for (const prefix of ['/api', '/ton/api']) {
      const live = await ask(`${url}${prefix}/v2/getMasterchainInfo`, headers)
      assert.deepEqual([live.status, withoutExtra(live.body)], [status, { ok: false, error, code: status }])
      const called = await rpc(`${url}${prefix}/v2`, headers)
      assert.deepEqual(
        [called.status, withoutExtra(called.body)],
        [status, { ok: false, error, code: status, jsonrpc: '2.0' }],
      )
      const indexed = await ask(`${url}${prefix}/v3/masterchainInfo`, headers)
      assert.deepEqual([indexed.status, indexed.body], [status, { error }])
    }
  }
  // An empty key is none.
  assert.equal((await ask(v2, { 'x-api-key': '' })).headers.get('ratelimit-limit'), '50')
  const visit = await ask(`${url}/api/v3/nothing`)
  assert.deepEqual([visit.status, visit.headers.get('ratelimit-limit')], [404, '20'])
  // Owners have one budget, however many keys they have.
  const [one, two] = [await makeKey(database, 'free', { owner: 'a' }), await makeKey(database, 'free', { owner: 'a' })]
  await delay(1500)
  const both =
    (await countServed([v2], 15, { 'x-api-key': one.text })) + (await countServed([v2], 15, { 'x-api-key': two.text }))
  assert.ok(both >= 10 && both < 20, `${both} with two keys of one owner`)
})

test('two services with a Redis server share budgets; without it each counts for itself', async (t) => {
  if (!haveDatabase(t) || !haveRedis(t)) return
  const redis = await startRedis(t)
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const { text } = await makeKey(database, 'custom', { rate: { perSecond: 0.5, burst: 10 } })
  const services = [
    await serveGateway(t, network, { secret, databaseUrl, redisUrl: redis.url }),
    await serveGateway(t, network, { secret, databaseUrl, redisUrl: redis.url }),
  ]
  const urls = services.map(({ url }) => `${url}/api/v2/getMasterchainInfo`)
  const headers = { 'x-api-key': text }
  // Kept in both, so that it is answered before it is routed.
  assert.equal(await countServed(urls, 2, headers), 2)
  assert.equal(await countServed(urls, 2, headers), 2)
  const begun = performance.now()
  const served = await countServed(urls, 60, headers)
  const regained = 1 + ((performance.now() - begun) / 1000) * 0.5
  assert.ok(served >= 6 && served <= 6 + regained + 1, `${served} of 6`)
  // Without a key, too.
  const anonymous = await Promise.all(urls.map((url) => ask(url)))
  assert.deepEqual(anonymous.map(({ status }) => status).sort(), [200, 429])
  await redis.kill()
  await delay(1100)
  const alone = await Promise.all(urls.map((url) => ask(url)))
  assert.deepEqual(
    alone.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await ask(urls[0]!)).status, 429)
  assert.ok(services.every(({ logLines }) => logLines.some((line) => line.includes('shared rate limits unavailable'))))
  await redis.start()
  for (let tries = 0; ; tries++) {
    await delay(1050)
    const shared = await Promise.all(urls.map((url) => ask(url)))
    if (
      shared
        .map(({ status }) => status)
        .sort()
        .join() === '200,429'
    )
      break
    assert.ok(tries < 10, 'budgets are not shared again')
  }
})

test('a key stops within two seconds everywhere when it is revoked; a replaced one goes on for a while', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const anonymous = { v2: { perSecond: 100, burst: 1000 }, v3: { perSecond: 5, burst: 20 } }
  const services = [
    await serveGateway(t, network, { secret, databaseUrl, anonymous }),
    await serveGateway(t, network, { secret, databaseUrl, anonymous }),
  ]
  const statuses = (key: string): Promise<number[]> =>
    Promise.all(
      services.map(async ({ url }) => (await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-api-key': key })).status),
    )
  const until = async (key: string, wanted: number): Promise<number> => {
    const begun = performance.now()
    for (;;) {
      if ((await statuses(key)).every((status) => status === wanted)) return performance.now() - begun
      assert.ok(performance.now() - begun < 5000, `${wanted} did not come`)
      await delay(20)
    }
  }
  const { text, id } = await makeKey(database, 'advanced')
  assert.ok((await until(text, 200)) < 2000)
  const rotated = await database.transaction((client) => rotateKey(client, Buffer.from(secret), id, 4000))
  assert.ok(rotated !== undefined)
  assert.ok((await until(rotated.text, 200)) < 2000)
  assert.deepEqual(await statuses(text), [200, 200])
  await delay(Math.max(0, rotated.until.getTime() - Date.now()))
  assert.deepEqual(await statuses(text), [401, 401])
  await database.transaction((client) => revokeKey(client, rotated.id, new Date()))
  const stopped = await until(rotated.text, 401)
  t.diagnostic(`revoked after ${Math.round(stopped)} ms`)
  assert.ok(stopped < 2000)
})

test('usage is counted by key and endpoint, and no key is in the log or in the database', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const first = await makeKey(database, 'plus')
  const service = await serveGateway(t, network, { secret, databaseUrl, selfServiceKeys: 5 })
  const { url } = service
  const made = await ask(`${url}/keys`, { accept: 'application/json' }, { method: 'POST' })
  const second = String(made.body['key'])
  const texts = [first.text, second]
  for (const key of texts) {
    for (const path of [
      'v2/getMasterchainInfo',
      'v2/getMasterchainInfo',
      'v3/masterchainInfo',
      'v2/nothing',
      'v2/getAddressBalance?address=x',
    ]) {
      await ask(`${url}/api/${path}`, { 'x-api-key': key })
      await ask(`${url}/ton/api/${path}${path.includes('?') ? '&' : '?'}api_key=${key}`)
    }
    await rpc(`${url}/api/v2`, { 'x-api-key': key })
    await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-api-key': `${key}0` })
  }
  const overview = await ask(`${url}/keys/usage`)
  const shown = (overview.body['keys'] as { id: string; endpoints: { endpoint: string; requests: number }[] }[]).find(
    ({ id }) => id === first.id,
  )
  assert.equal(shown?.endpoints.find(({ endpoint }) => endpoint === 'v2/getMasterchainInfo')?.requests, 5)
  assert.equal((await ask(`${url}/keys/usage`, { 'x-forwarded-for': '1.2.3.4' })).status, 403)
  assert.equal((await ask(`${url}/keys/usage`, { origin: 'https://elsewhere.example' })).status, 403)
  await service.close()
  const sums = await database.transaction((client) => sumUsage(client, 0, first.id))
  assert.deepEqual(Object.fromEntries(sums.map(({ endpoint, requests }) => [endpoint, requests])), {
    'v2/getMasterchainInfo': 5,
    'v2/getAddressBalance': 2,
    'v2/-': 2,
    'v3/masterchainInfo': 2,
  })
  const dump = await dumpAll(database)
  assert.ok(dump.includes(first.id) && dump.includes('api_key_usage'))
  const log = service.logLines.join('\n')
  assert.ok(log.length > 0)
  for (const key of texts) {
    assert.equal(key.length, 'cc_custom_'.length + 10 + 1 + 32)
    const hidden = key.slice(key.lastIndexOf('_') + 1)
    for (const form of [hidden, Buffer.from(hidden).toString('hex'), Buffer.from(key).toString('base64')]) {
      assert.ok(!dump.includes(form), 'a key is in the database')
      assert.ok(!log.includes(form), 'a key is in the log')
    }
  }
  assert.ok(
    !dump.includes(secret) && !dump.includes(Buffer.from(secret).toString('hex')),
    'the secret is in the database',
  )
})

/** Every row of every table, as text. */
const dumpAll = (database: Database): Promise<string> =>
  database.transaction(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const { rows: all } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`)
      texts.push(name, ...all.map(({ row }) => row))
    }
    return texts.join('\n')
  })

test('a visitor makes himself a key, and not too many', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const trustedProxies = [{ address: '127.0.0.1', bits: 32 }]
  const { url } = await serveGateway(t, network, { secret, databaseUrl, selfServiceKeys: 2, trustedProxies })
  const page = await ask(`${url}/keys`)
  assert.equal(page.status, 200)
  assert.match(String(page.body['text']), /Create a key/)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const press = (from: string, headers: Record<string, string> = {}) =>
    ask(`${url}/keys`, { 'x-forwarded-for': from, ...headers }, { method: 'POST' })
  const shown = await press('9.9.9.9')
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const key = /cc_custom_\w+/.exec(String(shown.body['text']))?.[0] ?? ''
  const { status, headers } = await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-api-key': key })
  assert.deepEqual([status, headers.get('ratelimit-limit')], [200, '10'])
  const json = await press('9.9.9.9', { accept: 'application/json' })
  assert.deepEqual({ ...json.body, key: '' }, { plan: 'free', perSecond: 10, network: 'custom', key: '' })
  assert.equal((await press('9.9.9.9', { accept: 'application/json' })).status, 429)
  // One network of version 6 is one visitor.
  assert.equal((await press('2001:db8::1')).status, 200)
  assert.equal((await press('2001:db8::2')).status, 200)
  assert.equal((await press('2001:db8::3')).status, 429)
  assert.equal((await press('8.8.8.8', { origin: 'https://elsewhere.example' })).status, 403)
  assert.equal((await press('8.8.8.8')).status, 200)
  const closed = await serveGateway(t, network, { secret, databaseUrl })
  assert.equal((await ask(`${closed.url}/keys`)).status, 404)
})

test('proxies are believed only where they are trusted, and hostile keys are cheap', async (t) => {
  const trustedProxies = [{ address: '127.0.0.0', bits: 8 }]
  const [plain, trusting] = [
    await serveGateway(t, network, { secret }),
    await serveGateway(t, network, { secret, trustedProxies }),
  ]
  const from = async ({ url }: { url: string }, address: string): Promise<number> =>
    (await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-forwarded-for': address })).status
  assert.deepEqual([await from(plain, '1.1.1.1'), await from(plain, '2.2.2.2')], [200, 429])
  const seen = []
  for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3, 2.2.2.2', '1.1.1.1']) seen.push(await from(trusting, address))
  assert.deepEqual(seen, [200, 200, 429, 429])
  const port = Number(new URL(plain.url).port)
  const lines = (key: Uint8Array | string) => [
    'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ',
    key,
    '\r\n\r\n',
  ]
  const bytes = Uint8Array.from({ length: 200 }, (_, k) => 128 + (k % 127))
  const hostile = ['x'.repeat(50_000), bytes, '_'.repeat(76), `cc_custom_${'z'.repeat(60_000)}`, "' OR 1=1 --", '%00']
  for (const key of hostile) assert.match(await sendRaw(port, lines(key)), /^HTTP\/1.1 (401|429) /)
  const longUrl = `/api/v2/getMasterchainInfo?api_key=${'&api_key='.repeat(800)}`
  assert.equal((await ask(`${plain.url}${longUrl}`)).status, 429)
  const begun = performance.now()
  const agents = Array.from({ length: 4 }, async () => {
    for (let each = 0; each < 50; each++) {
      const { status } = await ask(`${plain.url}/api/v2/getMasterchainInfo`, { 'x-api-key': 'y'.repeat(20_000) })
      assert.ok(status === 401 || status === 429, `status ${status}`)
    }
  })
  await Promise.all(agents)
  t.diagnostic(`${((performance.now() - begun) / 200).toFixed(2)} ms for a hostile key of 20 KB`)
})

test('a request with a wrong key counts as one without a key', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const anonymous = { v2: { perSecond: 0.01, burst: 4 }, v3: { perSecond: 0.01, burst: 2 } }
  const { url } = await serveGateway(t, network, { secret, databaseUrl, anonymous })
  const wrong = [
    'nonsense',
    `cc_custom_${'0'.repeat(10)}_${'0'.repeat(32)}`,
    `cc_main_${'0'.repeat(10)}_${'0'.repeat(32)}`,
  ]
  const statuses: number[] = []
  for (const key of [...wrong, ...wrong]) {
    statuses.push((await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-api-key': key })).status)
  }
  assert.deepEqual(statuses, [401, 401, 403, 401, 429, 429])
  // They are of one budget with the requests that have no key, each interface of its own.
  assert.equal((await ask(`${url}/api/v2/getMasterchainInfo`)).status, 429)
  const over = await rpc(`${url}/api/v2`, { 'x-api-key': 'nonsense' })
  assert.deepEqual([over.status, over.body['error']], [429, 'Ratelimit without API Key exceed: 0.01 per second'])
  assert.equal((await ask(`${url}/api/v3/nothing?api_key=nonsense`)).status, 401)
})

test('programs on this machine are not limited where they need not be, and counted still', async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const { text, id } = await makeKey(database, 'custom', { rate: { perSecond: 0.01, burst: 1 } })
  const { url, close } = await serveGateway(t, network, { secret, databaseUrl, isLocalFree: true })
  const path = `${url}/api/v2/getMasterchainInfo`
  for (const headers of [{}, { 'x-api-key': text }, { 'x-api-key': 'of another service' }]) {
    assert.equal(await countServed([path], 5, headers), 5)
  }
  // What came through a proxy may be of anybody.
  const passed = { 'x-forwarded-for': '127.0.0.1', 'x-api-key': text }
  assert.deepEqual([(await ask(path, passed)).status, (await ask(path, passed)).status], [200, 429])
  await close()
  const sums = await database.transaction((client) => sumUsage(client, 0, id))
  assert.deepEqual(
    sums.map(({ endpoint, requests, refused }) => [endpoint, requests, refused]),
    [
      ['v2/getMasterchainInfo', 6, 0],
      // What was refused was not looked at.
      ['v2/-', 1, 1],
    ],
  )
})

test('keys of a plan with nodes of its own ask those', async (t: TestContext) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: databaseUrl })
  const plans = createPlans([{ name: 'partner', rate: { perSecond: 100, burst: 100 }, pool: 'own' }])
  const [partner, other] = [await makeKey(database, 'partner'), await makeKey(database, 'advanced')]
  // Another network altogether, by which it can be told who was asked.
  const own = await startGatewayNetwork('nodes of their own')
  t.after(() => own.close())
  const { url } = await serveGateway(t, network, { secret, databaseUrl, plans, pools: new Map([['own', own.node]]) })
  const origin = async (key: string): Promise<unknown[]> => {
    const headers = { 'x-api-key': key }
    const answers = [await ask(`${url}/api/v2/getMasterchainInfo`, headers), await rpc(`${url}/api/v2`, headers)]
    return answers.map(({ body }) => (body['result'] as { init: { root_hash: string } }).init.root_hash)
  }
  // What others were told of the newest block is not what these are told, nor the other way round.
  const told = [
    await origin(other.text),
    await origin(partner.text),
    await origin(other.text),
    await origin(partner.text),
  ]
  const [common, apart] = [network.zeroState, own.zeroState]
  assert.notEqual(common, apart)
  assert.deepEqual(told, [
    [common, common],
    [apart, apart],
    [common, common],
    [apart, apart],
  ])
})

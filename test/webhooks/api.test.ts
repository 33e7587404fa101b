import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { AccessControl } from '../../src/api/core/AccessControl.ts'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import { mount } from '../../src/api/core/Mount.ts'
import { webhooks } from '../../src/api/webhooks/index.ts'
import { issueKey } from '../../src/gateway/keys/keyText.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { revokeKey } from '../../src/store/keys/apiKeys.ts'
import { type WebhookLimits, WebhookService } from '../../src/webhooks/WebhookService.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { silentLogger } from '../support/databaseServer.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { ArrayLog, rulesFor, secretBox, startDispatcher, startReceiver, wholeLog } from '../support/webhooks.ts'

const limits: Readonly<Record<string, WebhookLimits>> = {
  anonymous: { endpoints: 0, addresses: 10, replaySeconds: 3600, mayStreamAll: false },
  free: { endpoints: 1, addresses: 100, replaySeconds: 86_400, mayStreamAll: false },
  plus: { endpoints: 5, addresses: 1000, replaySeconds: undefined, mayStreamAll: false },
}
const noLimits: WebhookLimits = {
  endpoints: undefined,
  addresses: undefined,
  replaySeconds: undefined,
  mayStreamAll: true,
}

class BadSubscription extends CodedError {
  readonly code = 'invalid_subscription'
}

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }

const open = async (t: TestContext) => {
  const database = await openFreshDatabase(t)
  const log = new ArrayLog()
  const receiver = await startReceiver(t)
  const openSubscription = (json: unknown) => {
    if ((json as { types?: unknown }).types === undefined)
      throw new BadSubscription('types are required for subscription')
    return wholeLog()
  }
  const parts = {
    database,
    log,
    openSubscription,
    box: secretBox,
    rules: rulesFor(),
    now: Date.now,
    network: 'custom',
    publicUrl: undefined,
  }
  const service = new WebhookService(parts)
  const secret = Buffer.alloc(32, 3)
  const newKey = (plan: string, owner?: string) =>
    database.transaction((client) =>
      issueKey(client, secret, {
        network: 'custom',
        plan,
        owner,
        rate: undefined,
        note: undefined,
        isSelfMade: false,
      }),
    )
  const plans = new Map<string, string>()
  const gate: AccessControl = {
    admit: ({ headers }) => {
      const key = headers['x-api-key'] as string | undefined
      const plan = key === undefined ? (headers['x-remote'] === undefined ? undefined : 'anonymous') : plans.get(key)
      return { refusal: undefined, headers: [], key, pool: undefined, plan }
    },
  }
  const server = await createHttpServer({
    mounts: [
      mount(
        webhooks,
        (call) => ({
          service,
          database,
          box: secretBox,
          limitsOf: (plan) => (plan === undefined ? noLimits : limits[plan]!),
          allowedHosts: [],
          call,
        }),
        { checkResults: true },
      ),
    ],
    logger: silentLogger,
    host: '127.0.0.1',
    port: 0,
    accessControl: gate,
  })
  t.after(() => server.close())
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${server.url}/api/webhooks/v1/${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  const keyOf = async (plan: string, owner?: string) => {
    const { id } = await newKey(plan, owner)
    plans.set(id, plan)
    return { 'x-api-key': id }
  }
  return { database, log, receiver, ask, keyOf, url: `http://hook.test:${receiver.port}/in` }
}

const subscription = { types: ['account_state_change'], addresses: ['*'] }

test('an endpoint is made, tested, shown without its secret, changed and deleted', async (t) => {
  if (!haveDatabase(t)) return
  const { log, receiver, ask, url } = await open(t)
  log.add([1])
  receiver.answer = (_message, response) => response.writeHead(201).end('x'.repeat(3000))
  const made = await ask('POST', 'endpoints', { url, subscription, headers: { Authorization: 'Bearer a' } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, secret, test: tried } = made.body as { id: string; secret: string; test: Record<string, unknown> }
  assert.match(id, /^we_[0-9a-f]{16}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual([tried['ok'], tried['status'], (tried['body'] as string).length], [true, 201, 1024])
  const [message] = receiver.received
  assert.equal(message?.body.type, 'test')
  assert.equal(message?.headers.authorization, 'Bearer a')
  const signed = `${message?.headers['webhook-id']}.${message?.headers['webhook-timestamp']}.${message?.text}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  assert.equal(message?.headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const shown = await ask('GET', `endpoints/${id}`)
  assert.deepEqual([shown.status, shown.headers.get('etag'), shown.body['secret']], [200, '"1"', undefined])
  assert.deepEqual(shown.body['position'], { mc_seqno: 1, event_id: null })
  assert.ok(!JSON.stringify(shown.body).includes('Bearer'))
  const patch = (body: unknown, etag: string) => ask('PATCH', `endpoints/${id}`, body, { 'if-match': etag })
  assert.equal((await patch({ description: 'mine' }, '"7"')).status, 412)
  const changed = await patch({ description: 'mine', thin: true, url: `${url}2`, signature: 'v1a' }, '"1"')
  assert.deepEqual(
    [changed.status, changed.body['description'], changed.body['thin'], changed.body['version']],
    [200, 'mine', true, 2],
  )
  assert.match(changed.body['public_key'] as string, /^whpk_/)
  assert.equal(receiver.received.length, 2, 'a changed URL is tested')
  const rotated = await ask('POST', `endpoints/${id}/rotate`, { overlap: 60 })
  assert.notEqual(rotated.body['public_key'], changed.body['public_key'])
  await ask('POST', `endpoints/${id}/test`)
  assert.equal(String(receiver.received[2]?.headers['webhook-signature']).split(' ').length, 2)
  const off = await ask('POST', `endpoints/${id}/disable`)
  assert.deepEqual([off.body['state'], off.body['disabled_reason']], ['disabled', 'owner'])
  assert.equal((await ask('POST', `endpoints/${id}/redeliver`)).status, 409)
  assert.equal((await ask('POST', `endpoints/${id}/enable`, {})).body['state'], 'active')
  const list = await ask('GET', 'endpoints')
  assert.equal((list.body['endpoints'] as unknown[]).length, 1)
  assert.equal((await ask('DELETE', `endpoints/${id}`)).status, 204)
  assert.equal((await ask('GET', `endpoints/${id}`)).status, 404)
})

test('what is refused, and in which words', async (t) => {
  if (!haveDatabase(t)) return
  const { log, ask, url } = await open(t)
  log.add([1])
  const cases: [unknown, number, string, string][] = [
    [{ subscription }, 400, 'invalid_request', 'The parameter url is missing.'],
    [
      { url: 'ftp://hook.test/', subscription },
      400,
      'invalid_request',
      'The URL scheme ftp: is not allowed: expected https.',
    ],
    [
      { url: 'https://u:p@hook.test/', subscription },
      400,
      'invalid_request',
      'A URL with a user name or password is not allowed.',
    ],
    [{ url: 'https://hook.test/#a', subscription }, 400, 'invalid_request', 'A URL with a fragment is not allowed.'],
    [
      { url: 'https://10.0.0.1/', subscription },
      400,
      'invalid_request',
      '10.0.0.1 resolves to 10.0.0.1, which is not a public address.',
    ],
    [{ url: 'https://nowhere.test/', subscription }, 400, 'invalid_request', 'nowhere.test has no address.'],
    [{ url, subscription: {} }, 400, 'invalid_request', 'types are required for subscription'],
    [{ url, subscription, since: 'x' }, 400, 'invalid_request', 'invalid since: x'],
    [{ url, subscription, since: { mc_seqno: 9 } }, 400, 'invalid_request', 'since is ahead of the chain'],
    [{ url, subscription, headers: { Host: 'x' } }, 400, 'invalid_request', 'The header "host" is not allowed.'],
    [
      { url, subscription, headers: { a: 'x\r\nb: c' } },
      400,
      'invalid_request',
      'The value of the header a is not allowed.',
    ],
  ]
  for (const [body, status, code, error] of cases) {
    const answer = await ask('POST', 'endpoints', body)
    assert.deepEqual([answer.status, answer.body], [status, { error, code }])
  }
  const page = await ask('POST', 'endpoints', { url, subscription }, { origin: 'https://evil.test' })
  assert.equal(page.status, 403)
  assert.equal((await ask('PUT', 'endpoints', {})).status, 405)
})

test('owners, plans and the end of a key', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver, ask, keyOf, url } = await open(t)
  log.add([1])
  const body = { url, subscription }
  assert.equal((await ask('POST', 'endpoints', body, { 'x-remote': '1' })).status, 401)
  const alice = await keyOf('free', 'alice')
  const second = await keyOf('free', 'alice')
  const bob = await keyOf('plus', 'bob')
  const { id } = (await ask('POST', 'endpoints', body, alice)).body as { id: string }
  const over = await ask('POST', 'endpoints', body, second)
  assert.deepEqual([over.status, over.body['code']], [403, 'limit_reached'])
  assert.equal((await ask('GET', `endpoints/${id}`, undefined, second)).status, 200, 'another key of the same owner')
  for (const [method, path] of [
    ['GET', `endpoints/${id}`],
    ['DELETE', `endpoints/${id}`],
    ['POST', `endpoints/${id}/test`],
    ['GET', `endpoints/${id}/deliveries`],
  ] as const) {
    assert.equal((await ask(method, path, undefined, bob)).status, 404)
    assert.equal((await ask(method, path)).status, 404, 'callers on this machine are another owner')
  }
  startDispatcher(t, { database, log, now: Date.now })
  await database.transaction((client) => revokeKey(client, alice['x-api-key'], new Date()))
  await waitUntil('it is disabled', async () => {
    const { body: shown } = await ask('GET', `endpoints/${id}`, undefined, second)
    return shown['disabled_reason'] === 'key_ended'
  })
  await waitUntil('it is told', () => receiver.received.at(-1)?.body.type === 'endpoint.disabled')
})

test('a repeated POST with an idempotency key is done once', async (t) => {
  if (!haveDatabase(t)) return
  const { log, receiver, ask, url } = await open(t)
  log.add([1])
  const body = { url, subscription }
  const headers = { 'idempotency-key': 'once' }
  const [first, again] = [await ask('POST', 'endpoints', body, headers), await ask('POST', 'endpoints', body, headers)]
  assert.equal(first.status, 201)
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(receiver.received.length, 1)
  assert.equal((await ask('POST', 'endpoints', { ...body, thin: true }, headers)).status, 409)
  assert.equal(((await ask('GET', 'endpoints')).body['endpoints'] as unknown[]).length, 1)
  // A failed request may be repeated.
  const failed = { 'idempotency-key': 'failed' }
  assert.equal((await ask('POST', 'endpoints', { url, subscription: {} }, failed)).status, 400)
  assert.equal((await ask('POST', 'endpoints', body, failed)).status, 201)
})

test('deliveries are listed in pages, redelivered and replayed', async (t) => {
  if (!haveDatabase(t)) return
  const { database, log, receiver, ask, url } = await open(t)
  log.add([1])
  const { id } = (await ask('POST', 'endpoints', { url, subscription, since: { mc_seqno: 0 } })).body as { id: string }
  startDispatcher(t, { database, log })
  log.add([1, 2])
  await waitUntil('all came', () => receiver.received.length === 4)
  type Page = { deliveries: { id: string; event_id: string; state: string }[]; cursor: string | null }
  const read = async (query = '') => (await ask('GET', `endpoints/${id}/deliveries?${query}`)).body as Page
  await waitUntil('all are stored', async () => (await read('state=delivered')).deliveries.length === 3)
  const first = await read('limit=2')
  const rest = await read(`limit=2&cursor=${first.cursor}`)
  assert.deepEqual([first.deliveries.length, rest.deliveries.length, rest.cursor], [2, 1, null])
  const oldest = rest.deliveries[0]!
  assert.equal(oldest.event_id, 'f-1-1000-st-0000000000000001')
  assert.equal((await ask('POST', `deliveries/${oldest.id}/redeliver`)).status, 202)
  await waitUntil('it came again', () => receiver.received.length === 5)
  assert.deepEqual(
    [receiver.received[4]?.headers['webhook-id'], receiver.received[4]?.headers['webhook-attempt']],
    [oldest.event_id, '2'],
  )
  const { data, ...head } = receiver.received[4]!.body
  const { data: before, ...headBefore } = receiver.received.find(({ body }) => body.id === oldest.event_id)!.body
  assert.deepEqual([head, data], [headBefore, before])
  const replay = await ask('POST', `endpoints/${id}/replay`, { since: oldest.event_id })
  assert.deepEqual([replay.status, replay.body], [202, { blocks: 2 }])
  await waitUntil('two came again', () => receiver.received.length === 7)
  assert.ok(receiver.received.slice(5).every(({ body }) => body.replayed))
})

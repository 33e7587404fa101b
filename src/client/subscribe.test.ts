import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { waitUntil } from '../../test/support/waitUntil.ts'
import { ApiError, type ClientOptions, createClient, type StreamState } from './createClient.ts'

type Seen = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
type Answer = (response: ServerResponse, seen: Seen) => void

/** A server that gives each answer once, the last one for ever. */
const serve = async (t: TestContext, answers: readonly Answer[], options: Partial<ClientOptions> = {}) => {
  const seen: Seen[] = []
  let closed = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method, url, headers } = request
    response.on('close', () => closed++)
    seen.push({ method, url, headers, body })
    answers[Math.min(seen.length, answers.length) - 1]!(response, seen.at(-1)!)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: createClient({ url, ...options }), seen, countClosed: () => closed }
}

const connected = 'retry: 5\nevent: connected\ndata: {"status":"subscribed"}\n\n'
const idOf = (seqno: number): string => `f-${seqno}-1000-hd-0123456789abcdef`
const frameOf = (seqno: number, rest: object = {}): string =>
  `event: event\ndata: ${JSON.stringify({ type: 'masterchain_head', event_id: idOf(seqno), seqno, ...rest })}\nid: ${idOf(seqno)}\n\n`

const open = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })

/** Starts after the id that was asked for. */
const stream =
  (seqnos: readonly number[], after: (response: ServerResponse) => void = () => {}): Answer =>
  (response, { headers }) => {
    const last = Number(String(headers['last-event-id'] ?? '').split('-')[1] ?? -1)
    open(response).write(connected)
    for (const seqno of seqnos.filter((each) => !(each <= last))) response.write(frameOf(seqno))
    after(response)
  }

const refuse =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const head = { types: ['blocks'] } as const

test('events are posted for, and come by type', async (t) => {
  const { client, seen, countClosed } = await serve(t, [stream([1, 2, 3])], { apiKey: 'secret', dialect: 'ton' })
  const seqnos: number[] = []
  const events = client.subscribe({ types: ['blocks', 'transactions'], addresses: ['EQ'], since: 'f-0' })
  for await (const event of events) {
    if (event.type !== 'masterchain_head') continue
    seqnos.push(event.seqno)
    if (event.seqno === 3) break
  }
  assert.deepEqual(seqnos, [1, 2, 3])
  assert.equal(events.lastEventId, idOf(3))
  // Leaving the loop closes the connection.
  await waitUntil('the connection is closed', () => countClosed() === 1)
  const [{ method, url, headers, body }] = seen as [Seen]
  assert.deepEqual(
    [method, url, headers['x-api-key'], headers.accept],
    ['POST', '/ton/api/streaming/v2/sse', 'secret', 'text/event-stream'],
  )
  assert.deepEqual(JSON.parse(body), {
    extended: true,
    types: ['blocks', 'transactions'],
    addresses: ['EQ'],
    since: 'f-0',
  })
})

test('the connection is cut at any byte: every event comes once, in order', { timeout: 60_000 }, async (t) => {
  // Short delays.
  t.mock.method(Math, 'random', () => 0.001)
  const seqnos = Array.from({ length: 30 }, (_, k) => k + 1)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2000), { minLength: 1, maxLength: 8 }), async (cuts) => {
      const cutting = cuts.map(
        (bytes): Answer =>
          (response, { headers }) => {
            const last = Number(String(headers['last-event-id'] ?? '').split('-')[1] ?? 0)
            const text =
              connected +
              seqnos
                .slice(last)
                .map((seqno) => frameOf(seqno, { text: 'ü€😀' }))
                .join('')
            open(response).write(Buffer.from(text).subarray(0, bytes), () => response.destroy())
          },
      )
      const { client, seen } = await serve(t, [...cutting, stream(seqnos)])
      const got: number[] = []
      for await (const event of client.subscribe(head)) {
        if (event.type === 'masterchain_head') got.push(event.seqno)
        if (got.length >= seqnos.length) break
      }
      assert.deepEqual(got, seqnos)
      assert.ok(seen.length <= cuts.length + 1)
    }),
    { numRuns: 30 },
  )
})

test('a connection without events resumes where it began', async (t) => {
  const cut = (text: string) => (response: ServerResponse) => open(response).write(text, () => response.destroy())
  const quiet = cut(`${connected.trimEnd()}\nid: ${idOf(7)}\n\n`)
  const later = cut(`: keepalive\nid: ${idOf(9)}\n\n`)
  const { client, seen } = await serve(t, [quiet, later, stream([8, 9, 10])])
  const { value } = await client.subscribe(head).next()
  assert.equal(value.event_id, idOf(10))
  assert.deepEqual(
    seen.map(({ headers }) => headers['last-event-id']),
    [undefined, idOf(7), idOf(9)],
  )
})

test('refusals are thrown, with what the server says', async (t) => {
  const cases: readonly (readonly [Answer, Partial<ApiError>])[] = [
    [
      refuse(400, { error: 'invalid since: x' }),
      { status: 400, code: 'bad_request', message: 'streaming/v2/sse: invalid since: x' },
    ],
    [refuse(401, { error: 'wrong key' }), { status: 401, code: 'unauthorized' }],
    [refuse(403, { error: 'no' }), { status: 403, code: 'forbidden' }],
    [refuse(404, { error: 'no' }), { status: 404, code: 'not_found' }],
    [
      refuse(410, { error: 'since is older than what is kept: masterchain block 5', oldest: idOf(5) }),
      { code: 'gone', answer: { error: 'since is older than what is kept: masterchain block 5', oldest: idOf(5) } },
    ],
    [
      refuse(429, { error: 'connection limit reached: 2 active connections' }, { 'retry-after': '7' }),
      { code: 'rate_limited', retryAfter: 7 },
    ],
    [(response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'), { code: 'bad_answer' }],
  ]
  for (const [answer, expected] of cases) {
    const { client, seen } = await serve(t, [answer])
    await assert.rejects(client.subscribe(head).next(), (error) => {
      assert.ok(error instanceof ApiError)
      const named = Object.keys(expected) as (keyof ApiError)[]
      assert.deepEqual(Object.fromEntries(named.map((name) => [name, error[name]])), expected)
      return true
    })
    assert.equal(seen.length, 1)
  }
})

test('temporary failures are retried, and reported by onState', async (t) => {
  const answers = [
    refuse(503, { error: 'starting' }, { 'retry-after': '0' }),
    stream([1], (response) => setTimeout(() => response.end(), 20)),
    refuse(429, { error: 'connection limit reached: 1 active connections' }),
    refuse(400, { error: 'since is ahead of the chain' }),
    (response: ServerResponse) => response.destroy(),
    stream([1, 2]),
  ]
  const { client } = await serve(t, answers)
  const states: StreamState[] = []
  const events = client.subscribe(head, { onState: (state) => states.push(state) })
  assert.equal((await events.next()).value.event_id, idOf(1))
  assert.equal((await events.next()).value.event_id, idOf(2))
  await events.return()
  assert.deepEqual(
    states.map((each) => (each.state === 'waiting' ? (each.error?.status ?? 'ended') : each.state)),
    [
      'connecting',
      503,
      'connecting',
      'open',
      'ended',
      'connecting',
      429,
      'connecting',
      400,
      'connecting',
      0,
      'connecting',
      'open',
    ],
  )
  assert.deepEqual(
    states.flatMap((each) => (each.state === 'connecting' ? [each.lastEventId] : [])),
    [undefined, undefined, ...Array.from({ length: 4 }, () => idOf(1))],
  )
})

test('the stream ends where it was to end', async (t) => {
  const { client, seen } = await serve(t, [
    stream([1, 2], (response) => response.end('event: completed\ndata: {"status":"completed"}\n\n')),
  ])
  const seqnos: unknown[] = []
  for await (const event of client.subscribe({ ...head, since: { mc_seqno: 0 }, until: { mc_seqno: 2 } }))
    seqnos.push(event.event_id)
  assert.deepEqual(seqnos, [idOf(1), idOf(2)])
  assert.equal(seen.length, 1)
})

test('a signal ends it with its reason, return without one, both at once', async (t) => {
  const { client, countClosed } = await serve(t, [stream([1])])
  const controller = new AbortController()
  const events = client.subscribe(head, { signal: controller.signal })
  await events.next()
  const waiting = events.next()
  const reason = new Error('enough')
  controller.abort(reason)
  await assert.rejects(waiting, reason)
  await waitUntil('the connection is closed', () => countClosed() === 1)
  await assert.rejects(client.subscribe(head, { signal: controller.signal }).next(), reason)

  const others = client.subscribe(head)
  await others.next()
  const next = others.next()
  assert.equal((await others.return()).done, true)
  assert.equal((await next).done, true)
  assert.equal((await others.next()).done, true)
  await waitUntil('the connection is closed', () => countClosed() === 2)

  // Waiting for another connection ends at once, too.
  const nowhere = createClient({ url: 'http://127.0.0.1:1' }).subscribe(head)
  const never = nowhere.next()
  setTimeout(() => void nowhere.return(), 20)
  assert.equal((await never).done, true)
})

test('what the consumer does not take is not read', { timeout: 30_000 }, async (t) => {
  const padding = 'x'.repeat(10_000)
  const COUNT = 2500
  let written = 0
  const flood: Answer = (response) => {
    open(response).write(connected)
    const write = (): void => {
      while (written < COUNT) if (!response.write(frameOf(++written, { padding }))) return
    }
    response.on('drain', write)
    write()
  }
  const { client } = await serve(t, [flood])
  const events = client.subscribe(head)
  await events.next()
  await new Promise((done) => setTimeout(done, 300))
  const before = written
  await new Promise((done) => setTimeout(done, 300))
  assert.equal(written, before)
  assert.ok(written < COUNT / 2, `${written} of ${COUNT} events were sent to a consumer that has taken one`)
  for (let seqno = 2; seqno <= COUNT; seqno++) assert.equal((await events.next()).value.event_id, idOf(seqno))
  await events.return()
})

test('a silent connection is made again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { client, seen, countClosed } = await serve(t, [stream([1]), stream([2])])
  const events = client.subscribe(head)
  assert.equal((await events.next()).value.event_id, idOf(1))
  const second = events.next()
  for (let k = 0; k < 100 && seen.length < 2; k++) {
    t.mock.timers.tick(1000)
    await new Promise((done) => setImmediate(done))
  }
  assert.equal((await second).value.event_id, idOf(2))
  assert.equal(seen[1]!.headers['last-event-id'], idOf(1))
  assert.ok(countClosed() >= 1)
  await events.return()
})

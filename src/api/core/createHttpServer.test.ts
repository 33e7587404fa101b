import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServedSample, sendRaw, serveSample } from '../../../test/support/serveSample.ts'
import { createLogger } from '../../observe/Logger.ts'
import { createHttpServer, ListenError } from './createHttpServer.ts'

const address = `0:${'ab'.repeat(32)}`
const echoed = { address, limit: 10, lt: null, flag: null, ratio: null, lts: [], mode: null }

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: unknown }

const ask = async ({ server }: ServedSample, path: string, init?: RequestInit): Promise<Answer> => {
  const response = await fetch(`${server.url}${path}`, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

const post = (
  sample: ServedSample,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> => ask(sample, path, { method: 'POST', body, headers })

const errorOf = (answer: Answer): string => (answer.body as { error: string }).error

test('a GET takes its parameters from the query, a POST from the body and, where it has none, from the query', async (t) => {
  const sample = await serveSample(t)
  const ok = (limit: number) => ({ ok: true, result: { ...echoed, limit } })
  assert.deepEqual((await ask(sample, `/sample/echo?address=${address}&limit=7`)).body, ok(7))
  assert.deepEqual((await ask(sample, `/sample/echo/?address=${address}&utm=x`)).body, ok(10))
  assert.deepEqual((await post(sample, '/sample/echo', JSON.stringify({ address, limit: 7 }))).body, ok(7))
  assert.deepEqual((await post(sample, '/sample/echo', JSON.stringify({ address, limit: '7' }))).body, ok(7))
  assert.deepEqual((await post(sample, `/sample/echo?limit=7&address=${address}`, '{"limit":8}')).body, ok(8))
  assert.deepEqual((await post(sample, '/sample/echo', JSON.stringify({ address, limit: null }))).body, ok(10))
})

test('lists come repeated or in brackets from a query and as arrays from a body', async (t) => {
  const sample = await serveSample(t)
  const expected = { ok: true, result: { ...echoed, lts: ['1', '-2'], flag: true, ratio: 0.5, mode: 'slow' } }
  const rest = 'flag=true&ratio=0.5&mode=fast&mode=slow'
  assert.deepEqual((await ask(sample, `/sample/echo?address=${address}&lts=1&lts=-2&${rest}`)).body, expected)
  assert.deepEqual((await ask(sample, `/sample/echo?address=${address}&lts[]=1&lts[]=-2&${rest}`)).body, expected)
  const body = { address, lts: [1, '-2'], flag: true, ratio: 0.5, mode: 'slow' }
  assert.deepEqual((await post(sample, '/sample/echo', JSON.stringify(body))).body, expected)
})

test('every answer is JSON with the headers of the interface and open to pages, failures too', async (t) => {
  const sample = await serveSample(t)
  for (const path of [`/sample/echo?address=${address}`, '/sample/echo', '/sample/nothing', '/sample/fail?how=x']) {
    const { headers } = await ask(sample, path)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', path)
    assert.equal(headers.get('access-control-allow-origin'), '*', path)
    assert.equal(headers.get('x-api-version'), '1.0.0', path)
  }
  const preflight = await ask(sample, '/sample/echo', {
    method: 'OPTIONS',
    headers: { origin: 'https://dapp.example' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/)
})

test('digits beyond 2^53 come and go as they are', async (t) => {
  const sample = await serveSample(t)
  const big = 9223372036854775807n
  const expected = `{"ok":true,"result":{"text":"${big * 3n}","number":${big * 3n}}}`
  assert.equal((await post(sample, '/sample/multiply', `{"value":${big}}`)).text, expected)
  assert.equal((await post(sample, '/sample/multiply', `{"value":"${big}"}`)).text, expected)
  assert.equal((await ask(sample, `/sample/multiply?value=${big}`)).text, expected)
  const nested = `{"a":[${big},-${2n ** 256n},1.5,"${big}"],"b":{"c":true,"d":null}}`
  assert.equal(
    (await post(sample, '/sample/carry', `{"value":${nested}}`)).text,
    `{"ok":true,"result":{"value":${nested}}}`,
  )
})

test('what is wrong with the parameters is named, all of it', async (t) => {
  const sample = await serveSample(t)
  const cases: [query: string, error: string | RegExp][] = [
    ['', 'The parameter address is missing.'],
    ['address=5', /^Parameter address: Expected an address, raw .*, but got "5"$/],
    [`address=${address}&limit=0`, 'Parameter limit: Expected an integer of 1 to 1000, but got "0"'],
    [`address=${address}&limit=1001`, 'Parameter limit: Expected an integer of 1 to 1000, but got "1001"'],
    [`address=${address}&limit=1e3`, /^Parameter limit: .* but got "1e3"$/],
    [`address=${address}&limit=`, /^Parameter limit: .* but got ""$/],
    [`address=${address}&limit=99999999999999999999`, /^Parameter limit: /],
    [`address=${address}&flag=maybe`, 'Parameter flag: Expected true or false, but got "maybe"'],
    [`address=${address}&mode=no`, 'Parameter mode: Expected "fast" or "slow", but got "no"'],
    [`address=${address}&lts=1&lts=2&lts=3&lts=4`, 'Parameter lts: Expected a list of at most 3 items, but got a list'],
    [`address=${address}&lts=1&lts=x`, /^Parameter lts: .* at \/1\)$/],
    ['limit=0&flag=maybe', 'The parameter address is missing. (and 2 more)'],
  ]
  for (const [query, error] of cases) {
    const answer = await ask(sample, `/sample/echo?${query}`)
    assert.equal(answer.status, 422, query)
    if (typeof error === 'string') assert.equal(errorOf(answer), error)
    else assert.match(errorOf(answer), error)
    assert.deepEqual(
      { ...(answer.body as object), error: '' },
      {
        ok: false,
        error: '',
        code: 422,
        kind: 'invalid_params',
        transport: 'get',
        endpoint: 'echo',
      },
    )
  }
})

test('a body is an object of known members and of the types of the parameters', async (t) => {
  const sample = await serveSample(t)
  const cases: [body: string, status: number, error: RegExp][] = [
    ['', 400, /The body is empty/],
    ['nope', 400, /Expected a value at character 0 of the JSON/],
    ['[]', 400, /The body must be a JSON object/],
    ['5', 400, /The body must be a JSON object/],
    ['{"address":', 400, /but the text ends/],
    [`{"address":"${address}","adress":1}`, 422, /^Unknown parameter "adress"\.$/],
    [
      `{"address":"${address}","constructor":1,"toString":2}`,
      422,
      /^Unknown parameter "constructor"\. \(and 1 more\)$/,
    ],
    [`{"address":"${address}","__proto__":{"limit":1}}`, 400, /__proto__/],
    [`{"address":"${address}","\\u005f_proto__":{"limit":1}}`, 400, /__proto__/],
    ['{"address":5}', 422, /but got "5"$/],
    ['{"address":{"toString":"x"}}', 422, /^Parameter address: Expected text, but got an object$/],
    ['{"address":["0:00"]}', 422, /but got a list$/],
    ['{"address":true}', 422, /but got true$/],
    [`{"address":"${address}","limit":1.5}`, 422, /but got 1.5$/],
    [`{"address":"${address}","limit":1e300}`, 422, /but got 1e\+300$/],
    [`{"address":"${address}","limit":9007199254740993}`, 422, /but got 9007199254740993$/],
    [`{"address":"${address}","flag":1}`, 422, /^Parameter flag: /],
  ]
  for (const [body, status, error] of cases) {
    const answer = await post(sample, '/sample/echo', body)
    assert.equal(answer.status, status, body)
    assert.match(errorOf(answer), error, body)
  }
  const invalid = await ask(sample, '/sample/echo', { method: 'POST', body: new Uint8Array([0x22, 0xff, 0x22]) })
  assert.match(errorOf(invalid), /not valid UTF-8/)
  const extra = await post(sample, '/sample/echo', `{"address":"${address}","@extra":"mine"}`)
  assert.equal(extra.status, 200)
})

test('the media type of a body matters only where an interface says so', async (t) => {
  const sample = await serveSample(t)
  const body = JSON.stringify({ address })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', ';;;', 'application/json']) {
    assert.equal((await post(sample, '/sample/echo', body, { 'content-type': type })).status, 200, type)
    assert.equal(
      (await post(sample, '/home/echo', body, { 'content-type': type })).status,
      type === 'application/json' ? 200 : 415,
      type,
    )
  }
  const problem = await post(sample, '/home/echo', body, { 'content-type': 'application/vnd.api+json; charset=utf-8' })
  assert.equal(problem.status, 200)
  assert.equal((await ask(sample, `/home/echo?address=${address}`, { method: 'POST' })).status, 200)
})

test('unknown paths and wrong methods are answered in the shape of the interface, or of none', async (t) => {
  const sample = await serveSample(t)
  const nothing = await ask(sample, '/sample/nothing?x=1')
  assert.equal(nothing.status, 404)
  assert.deepEqual(nothing.body, {
    ok: false,
    error: 'Unknown path.',
    code: 404,
    kind: 'unknown_path',
    transport: 'get',
  })
  const wrong = await ask(sample, '/sample/carry')
  assert.equal(wrong.status, 405)
  assert.equal(wrong.headers.get('allow'), 'POST')
  assert.equal(errorOf(wrong), 'Method GET is not allowed on this path; use POST.')
  assert.equal((await ask(sample, '/sample/rpc')).status, 405)
  assert.equal((await ask(sample, '/sample/echo', { method: 'DELETE' })).status, 405)
  assert.equal((await ask(sample, '/sample/fail', { method: 'PUT', body: '{}' })).status, 405)
  assert.deepEqual((await ask(sample, '/elsewhere')).body, {
    ok: false,
    error: 'Unknown path.',
    code: 404,
  })
  for (const path of ['/sample/%zz', '/%', '/sample/constructor', '/sample/__proto__', '/sample/../../etc/passwd']) {
    assert.match(
      await sendRaw(sample.server.port, [`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]),
      /^HTTP\/1.1 40[04] [\s\S]*"ok":false/,
    )
  }
})

test('an expected failure has its code and text, a bug only a place in the log', async (t) => {
  const sample = await serveSample(t)
  const refused = await ask(sample, '/sample/fail?how=refused')
  assert.equal(refused.status, 502)
  assert.equal(errorOf(refused), 'The server answered with error 651: not in db')
  assert.equal((await ask(sample, '/old/fail?how=refused')).status, 500)
  const bug = await ask(sample, '/sample/fail?how=SECRET')
  assert.equal(bug.status, 500)
  assert.doesNotMatch(bug.text, /SECRET/)
  assert.equal(sample.log.length, 1)
  assert.match(sample.log[0] ?? '', /"endpoint":"fail".*SECRET/)
  const lie = await ask(sample, '/sample/lie')
  assert.equal(lie.status, 500)
  assert.match(sample.log[1] ?? '', /has members that its schema does not declare/)
  assert.equal((await ask(sample, '/old/lie')).status, 200)
})

test('work that takes too long is given up and told so, and so is work that nobody waits for', async (t) => {
  const sample = await serveSample(t, { callTimeoutMs: 100 })
  const late = await ask(sample, '/sample/wait?ms=60000')
  assert.equal(late.status, 504)
  assert.equal(errorOf(late), 'The request timed out after 100 ms.')
  assert.deepEqual(sample.seen, ['aborted'])
  const patient = await serveSample(t, { callTimeoutMs: 30_000 })
  const controller = new AbortController()
  const left = fetch(`${patient.server.url}/sample/wait?ms=60000`, { signal: controller.signal })
  setTimeout(() => controller.abort(), 200)
  await assert.rejects(left)
  while (patient.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.deepEqual(patient.seen, ['aborted'])
  assert.deepEqual(patient.log, [])
})

test('closing finishes the answers under way and hangs up on the rest in time', async (t) => {
  const { server } = await serveSample(t, { closeTimeoutMs: 1500 })
  const finished = fetch(`${server.url}/sample/wait?ms=300`).then((response) => response.json())
  const endless = fetch(`${server.url}/sample/wait?ms=9000`).then(
    () => 'answered',
    () => 'cut off',
  )
  const idle = sendRaw(server.port, [])
  await new Promise((resolve) => setTimeout(resolve, 100))
  const start = performance.now()
  await server.close()
  assert.ok(performance.now() - start < 5000)
  assert.deepEqual(await finished, { ok: true, result: 'done' })
  assert.equal(await endless, 'cut off')
  assert.equal(await idle, '')
  await assert.rejects(fetch(server.url))
})

test('a port that is taken is said to be so', async (t) => {
  const { server } = await serveSample(t)
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  await assert.rejects(createHttpServer({ mounts: [], logger, host: '127.0.0.1', port: server.port }), (error) => {
    assert.ok(error instanceof ListenError)
    assert.equal(
      error.message,
      `Cannot listen on 127.0.0.1:${server.port}. Free the port, or choose another with --port.`,
    )
    return true
  })
})

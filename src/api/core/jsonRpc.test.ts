import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServedSample, serveSample } from '../../../test/support/serveSample.ts'

const address = `0:${'ab'.repeat(32)}`

const call = async (
  { server }: ServedSample,
  path: string,
  body: string,
): Promise<{ status: number; text: string; body: unknown }> => {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body })
  const text = await response.text()
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) }
}

test('every way to an endpoint gives the same result, or the same failure', async (t) => {
  const sample = await serveSample(t)
  const cases: [method: string, params: Record<string, unknown>][] = [
    ['echo', { address, limit: 5, lt: '123456789012345678901234567890', lts: ['1', '2'], flag: true }],
    ['echo', { address, limit: '5', mode: 'slow' }],
    ['multiply', { value: '9223372036854775807' }],
    ['echo', { address, limit: 1001 }],
    ['echo', { address: 'nonsense' }],
    ['echo', {}],
    ['multiply', { value: 'x' }],
    ['wait', { ms: 0 }],
  ]
  for (const [method, params] of cases) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(params))
      for (const each of [value].flat()) query.append(name, String(each))
    const get = (await (await fetch(`${sample.server.url}/old/${method}?${query}`)).json()) as Record<string, unknown>
    const post = await call(sample, `/old/${method}`, JSON.stringify(params))
    const old = await call(sample, '/old/jsonRPC', JSON.stringify({ id: 1, method, params }))
    const standard = await call(sample, '/sample/rpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = standard.body as { result?: unknown; error?: { message: string } }
    const outcome = ({ ok, result, error }: Record<string, unknown>) => ({
      ok,
      result,
      error: String(error).replace(/got .*/, ''),
    })
    assert.deepEqual(outcome(post.body as Record<string, unknown>), outcome(get), method)
    assert.deepEqual(outcome(old.body as Record<string, unknown>), outcome(get), method)
    assert.deepEqual(outcome({ ok: error === undefined, result, error: error?.message }), outcome(get), method)
    assert.equal(old.status, post.status)
    assert.equal(standard.status, 200)
  }
})

test('the manner of the live interface: the envelope of REST, with the id as it came', async (t) => {
  const sample = await serveSample(t)
  const ok = '"ok":true,"result":{"text":"3","number":3},"jsonrpc":"2.0"'
  const ids: [given: string, echoed: string][] = [
    ['"id":1,', ',"id":1'],
    ['"id":"1",', ',"id":"1"'],
    ['"id":null,', ',"id":null'],
    ['"id":1.5,', ',"id":1.5'],
    ['"id":true,', ',"id":true'],
    ['"id":9007199254740993,', ',"id":9007199254740993'],
    ['', ''],
  ]
  for (const [given, echoed] of ids) {
    const answer = await call(sample, '/old/jsonRPC', `{${given}"method":"multiply","params":{"value":1}}`)
    assert.deepEqual([answer.status, answer.text], [200, `{${ok}${echoed}}`])
  }
  const refusals: [body: string, error: RegExp, id?: unknown][] = [
    ['', /The body is empty/],
    ['nope', /Expected a value/],
    ['[]', /must be one JSON object/],
    ['[{"id":1,"method":"multiply"}]', /must be one JSON object/],
    ['5', /must be a JSON object/],
    ['{"id":7}', /"method" must be/, 7],
    ['{"id":7,"method":5}', /"method" must be/, 7],
    ['{"id":7,"method":"nothing"}', /^Unknown method\.$/, 7],
    ['{"id":7,"method":"constructor"}', /^Unknown method\.$/, 7],
    ['{"id":7,"method":"__proto__"}', /^Unknown method\.$/, 7],
    ['{"id":7,"method":"../old/multiply"}', /^Unknown method\.$/, 7],
    ['{"id":[1],"method":"multiply","params":{"value":1}}', /"id" must not be/],
    ['{"id":7,"method":"multiply","params":[1]}', /^params must contain an object$/, 7],
    ['{"id":7,"method":"multiply","params":5}', /^params must contain an object$/, 7],
    ['{"id":7,"method":"multiply","params":null}', /^The parameter value is missing\.$/, 7],
    ['{"id":7,"method":"multiply","params":[]}', /^The parameter value is missing\.$/, 7],
    ['{"id":7,"method":"multiply","params":{"value":1,"x":2}}', /^Unknown parameter "x"\.$/, 7],
  ]
  for (const [body, error, id] of refusals) {
    const answer = await call(sample, '/old/jsonRPC', body)
    assert.equal(answer.status, 422, body)
    const { error: text, ...rest } = answer.body as { error: string }
    assert.match(text, error, body)
    assert.deepEqual(rest, { ok: false, code: 422, jsonrpc: '2.0', ...(id !== undefined && { id }) })
  }
})

test('the standard manner: error objects, batches in order, no answer to notifications', async (t) => {
  const sample = await serveSample(t)
  const one = await call(sample, '/sample/rpc', '{"jsonrpc":"2.0","id":"a","method":"multiply","params":{"value":5}}')
  assert.deepEqual(one.body, { jsonrpc: '2.0', id: 'a', result: { text: '15', number: 15 } })
  const unknown = await call(sample, '/sample/rpc', '{"jsonrpc":"2.0","id":2,"method":"nothing"}')
  assert.deepEqual(unknown.body, {
    jsonrpc: '2.0',
    id: 2,
    error: { code: -32601, message: 'Unknown method.', data: { code: 'unknown_method' } },
  })
  const broken = await call(sample, '/sample/rpc', '{"jsonrpc":')
  assert.equal(broken.status, 400)
  assert.equal((broken.body as { error: { code: number } }).error.code, -32700)
  const batch = await call(
    sample,
    '/sample/rpc',
    '[{"id":1,"method":"multiply","params":{"value":1}},{"method":"multiply","params":{"value":2}},7,{"id":3,"method":"x"}]',
  )
  assert.deepEqual(
    (batch.body as { id: unknown; error?: { code: number } }[]).map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [null, -32600],
      [3, -32601],
    ],
  )
  assert.deepEqual(sample.seen, ['5', '1', '2'])
  const silent = await call(sample, '/sample/rpc', '{"method":"multiply","params":{"value":9}}')
  assert.deepEqual([silent.status, silent.text], [204, ''])
  const empty = await call(sample, '/sample/rpc', '[]')
  assert.equal(empty.status, 400)
  const long = await call(sample, '/sample/rpc', JSON.stringify(Array(5).fill({ id: 1, method: 'multiply' })))
  assert.equal(long.status, 413)
  assert.equal((long.body as { error: { message: string } }).error.message, 'A batch may contain at most 4 calls.')
})

test('a batch has one deadline: what comes after it is not begun', async (t) => {
  const sample = await serveSample(t, { callTimeoutMs: 150 })
  const wait = { id: 1, method: 'wait', params: { ms: 60_000 } }
  const multiply = { id: 2, method: 'multiply', params: { value: 1 } }
  const answer = await call(sample, '/sample/rpc', JSON.stringify([multiply, wait, wait, multiply]))
  assert.deepEqual(
    (answer.body as { error?: { data: { code: string } } }[]).map(({ error }) => error?.data.code),
    [undefined, 'deadline_exceeded', 'deadline_exceeded', 'deadline_exceeded'],
  )
  assert.deepEqual(sample.seen, ['1', 'aborted'])
})

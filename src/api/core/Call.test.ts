import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSample } from '../../../test/support/serveSample.ts'

const address = `0:${'ab'.repeat(32)}`

test('every answer of an interface is told of once, and has the id of its request', async (t) => {
  const { server, answered, log } = await serveSample(t)
  const ask = async (path: string, init?: RequestInit): Promise<string | null> => {
    const response = await fetch(`${server.url}${path}`, init)
    await response.text()
    return response.headers.get('x-request-id')
  }
  const headers = { 'x-request-id': 'a/b:c+1' }
  assert.equal(await ask(`/sample/echo?address=${address}`, { headers }), 'a/b:c+1')
  const made = await ask('/sample/echo', { headers: { 'x-request-id': 'x'.repeat(129) } })
  assert.match(String(made), /^[0-9a-f]{12}-[0-9a-z]+$/)
  assert.notEqual(await ask('/sample/nothing'), made)
  assert.equal(await ask('/nowhere', { headers }), 'a/b:c+1')
  assert.equal(await ask('/sample/fail?how=bug', { headers }), 'a/b:c+1')
  assert.deepEqual(
    answered.map(({ prefix, endpoint, transport, status, isCached, key }) => [
      prefix,
      endpoint,
      transport,
      status,
      isCached,
      key,
    ]),
    [
      ['/sample', 'echo', 'get', 200, false, undefined],
      ['/sample', 'echo', 'get', 422, false, undefined],
      ['/sample', undefined, 'get', 404, false, undefined],
      ['/sample', 'fail', 'get', 500, false, undefined],
    ],
  )
  for (const { durationMs } of answered) assert.ok(durationMs >= 0 && durationMs < 10_000)
  assert.equal(log.length, 1)
  assert.equal((JSON.parse(log[0]!) as { requestId: string }).requestId, 'a/b:c+1')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallFailedError, createClient } from './interfaceClient.ts'
import { sample } from './sampleInterface.ts'
import { serveSample } from './serveSample.ts'

const address = `0:${'ab'.repeat(32)}`

test('a client calls by name and gives back results, digits and all', async (t) => {
  const { server } = await serveSample(t)
  const client = createClient(sample, server.url)
  assert.deepEqual(await client.echo({ address, lts: ['1', '2'], flag: true }), {
    address,
    limit: 10,
    lt: null,
    flag: true,
    ratio: null,
    lts: ['1', '2'],
    mode: null,
  })
  assert.deepEqual(await client.multiply({ value: `${2n ** 64n}` }), {
    text: `${3n * 2n ** 64n}`,
    number: 3n * 2n ** 64n,
  })
  assert.deepEqual(await client.carry({ value: { a: [2n ** 64n, null] } }), { value: { a: [2n ** 64n, null] } })
})

test('a failure comes as an error with its status and answer', async (t) => {
  const { server } = await serveSample(t)
  const client = createClient(sample, server.url)
  await assert.rejects(client.fail({ how: 'refused' }), (error) => {
    assert.ok(error instanceof CallFailedError)
    assert.equal(error.status, 502)
    assert.equal(
      error.message,
      'The call fail was answered with status 502: The server answered with error 651: not in db',
    )
    assert.equal((error.answer as { kind: string }).kind, 'node_refused')
    return true
  })
})

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLogger } from '../../observe/Logger.ts'
import { listenLazily } from './listenLazily.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

const startEcho = async (t: TestContext): Promise<URL> => {
  const server = createServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((done) => server.once('listening', done))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

test('the first connection starts the service, and all are passed on to it', async (t) => {
  let starts = 0
  const { url, close } = await listenLazily(() => {
    starts++
    return startEcho(t)
  }, logger)
  t.after(close)
  assert.equal(starts, 0)
  const body = 'x'.repeat(300_000)
  const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(url, { method: 'POST', body })).text()))
  assert.ok(answers.every((answer) => answer === body))
  assert.equal(starts, 1)
})

test('a service that cannot be started says why', async (t) => {
  const { url, close } = await listenLazily(() => Promise.reject(new Error('no room')), logger)
  t.after(close)
  for (let k = 0; k < 2; k++) {
    const response = await fetch(url)
    assert.equal(response.status, 503)
    assert.match(await response.text(), /could not be started: no room/)
  }
})

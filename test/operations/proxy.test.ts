import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { haveNginx, startPlainNginx } from '../support/nginx.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { sendRaw } from '../support/serveSample.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { isLong } from '../support/testLength.ts'
import { untilIndexed } from '../support/untilIndexed.ts'

const start = async (t: TestContext, args: readonly string[]) => {
  const process = new ServeProcess([...args, '--port', '0'], tempFolder(t))
  t.after(() => process.kill())
  const ready = await process.ready
  assert.ok(ready.url !== undefined, JSON.stringify(ready))
  return ready
}

const statusOf = async (url: string, init?: RequestInit): Promise<number> => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}

/** The status of a request whose Host says what it says. */
const statusUnder = async (url: string, host: string): Promise<number> => {
  const { port, pathname } = new URL(url)
  const answer = await sendRaw(Number(port), [`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`])
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

const strangers = [
  'evil.com',
  'evil.com@127.0.0.1',
  '127.0.0.1@evil.com',
  '127.0.0.1:80@evil.com',
  'localhost/evil.com',
  '127.1',
]

const balance = 'api/v2/getMasterchainInfo'

/** How many of ten requests in a row were refused for their rate. */
const countLimited = async (url: string): Promise<number> => {
  let limited = 0
  for (let each = 0; each < 10; each++) if ((await statusOf(`${url}/${balance}`)) === 429) limited++
  return limited
}

test('a silent proxy before a named network opens nothing that is for the operator', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t) || !haveNginx(t)) return
  const databaseUrl = await freshDatabase(t)
  const network = await startNetwork({ mining: { mode: 'manual' }, http: {}, index: { databaseUrl } })
  t.after(() => network.close())
  await network.controls.mine(2)
  await network.indexed
  await untilIndexed(`${network.url}/api/v3`, 3)
  const named = [
    '--global-config',
    network.globalConfig.path,
    '--database-url',
    databaseUrl,
    '--keys-secret',
    'the secret of this test',
    '--anonymous-v2',
    '1:2',
  ]
  for (const command of [...(isLong ? [['serve', ...named]] : []), ['serve', '--workers', '2', ...named]]) {
    const { url, operations } = await start(t, command)
    const proxy = await startPlainNginx(t, url)
    assert.equal(await statusOf(`${proxy}/api/v3/masterchainInfo`), 200)
    for (const base of [proxy, url]) {
      for (const path of ['metrics', 'keys/usage', 'usage', 'dev/status', 'dev/mine', 'dev/openapi.json']) {
        assert.equal(await statusOf(`${base}/${path}`), 404, `${base}/${path}`)
      }
    }
    assert.ok((await countLimited(proxy)) >= 5)
    for (const path of ['metrics', 'keys/usage', 'usage', 'healthcheck', 'ready']) {
      assert.ok([200, 503].includes(await statusOf(`${operations}/${path}`)), path)
    }
    assert.match(await (await fetch(`${operations}/metrics`)).text(), /chaincenter_http_requests_total/)
    assert.equal(await statusOf(`${operations}/${balance}`), 404)
    for (const path of ['metrics', 'keys/usage']) {
      for (const host of strangers) assert.equal(await statusUnder(`${operations}/${path}`, host), 403, host)
      assert.equal(await statusOf(`${operations}/${path}`, { headers: { origin: 'http://evil.example' } }), 403)
      for (const host of ['localhost', '127.0.0.1:9', '[::1]', '10.1.2.3:9091']) {
        assert.equal(await statusUnder(`${operations}/${path}`, host), 200, host)
      }
    }
  }
})

test('an embedded network behind a proxy that is named, or beyond loopback, needs the token and limits callers', {
  timeout: 300_000,
}, async (t) => {
  if (!haveNginx(t)) return
  const given = 'a-token-of-my-own'
  const embedded = ['dev', '--no-index', '--mining', 'manual', '--anonymous-v2', '1:2']
  const behind = await start(t, [...embedded, '--trusted-proxy', '127.0.0.1'])
  const beyond = await start(t, [...embedded, '--host', '0.0.0.0', '--controls-token', given])
  assert.equal(beyond.controlsToken, undefined)
  const cases = [
    { base: await startPlainNginx(t, behind.url), token: behind.controlsToken!, operations: behind.operations! },
    { base: behind.url, token: behind.controlsToken!, operations: behind.operations! },
    { base: await startPlainNginx(t, beyond.url), token: given, operations: beyond.operations! },
    { base: beyond.url, token: given, operations: beyond.operations! },
  ]
  for (const { base, token, operations } of cases) {
    assert.ok(token.length >= 16)
    for (const path of ['dev/status', 'dev/openapi.json', 'dev/nothing']) {
      assert.equal(await statusOf(`${base}/${path}`), 401, path)
      for (const wrong of ['Bearer wrong', 'Bearer', `Basic ${token}`, `Bearer ${token}x`, 'Bearer  ']) {
        assert.equal(await statusOf(`${base}/${path}`, { headers: { authorization: wrong } }), 401, wrong)
      }
    }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    assert.equal(await statusOf(`${base}/dev/status`, { headers }), 200)
    assert.equal(await statusOf(`${base}/dev/mine`, { method: 'POST', headers, body: '{"blocks":1}' }), 200)
    for (const path of ['metrics', 'keys/usage', 'usage']) assert.equal(await statusOf(`${base}/${path}`), 404, path)
    assert.ok((await countLimited(base)) >= 5)
    assert.equal(await statusOf(`${operations}/metrics`), 200)
    assert.equal(await statusUnder(`${operations}/metrics`, 'evil.com@127.0.0.1'), 403)
  }
})

test('an embedded network on loopback needs nothing, and goes by the name of this machine only', {
  timeout: 180_000,
}, async (t) => {
  const { url, operations, controlsToken } = await start(t, [
    'dev',
    '--no-index',
    '--mining',
    'manual',
    '--allowed-host',
    'Dev.test',
  ])
  assert.deepEqual([operations, controlsToken], [undefined, undefined])
  for (const path of ['metrics', 'dev/status']) {
    assert.equal(await statusOf(`${url}/${path}`), 200, path)
    assert.equal(await statusUnder(`${url}/${path}`, 'dev.test:80'), 200)
    for (const host of strangers) assert.equal(await statusUnder(`${url}/${path}`, host), 403, host)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      assert.equal(await statusOf(`${url}/${path}`, { headers: { [name]: '127.0.0.1' } }), 403, name)
    }
  }
  assert.equal(await countLimited(url), 0)
})

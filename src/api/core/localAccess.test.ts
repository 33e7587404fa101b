import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { sampleAtHome } from '../../../test/support/sampleInterface.ts'
import { sendRaw, serveSample } from '../../../test/support/serveSample.ts'
import { createLogger } from '../../observe/Logger.ts'
import { createHttpServer } from './createHttpServer.ts'
import { findForeignOrigin, findRemoteCaller } from './localAccess.ts'
import { mount } from './Mount.ts'

test('only a loopback address is this machine', () => {
  const host = { host: 'localhost:8081' }
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
    assert.equal(findRemoteCaller(address, host), undefined, address)
  }
  for (const address of [
    undefined,
    '',
    '10.0.0.1',
    '128.0.0.1',
    '::ffff:10.0.0.1',
    '::2',
    '1127.0.0.1',
    '127.0.0.1.x',
  ]) {
    assert.equal(findRemoteCaller(address, host)?.code, 'forbidden', `${address}`)
  }
})

test('a name of another machine, or a proxy, gives a request away', () => {
  for (const host of [
    'localhost',
    'localhost:1',
    '127.0.0.1:8081',
    '127.9.9.9',
    '[::1]:80',
    'app.localhost:3000',
    'LOCALHOST',
  ]) {
    assert.equal(findRemoteCaller('127.0.0.1', { host }), undefined, host)
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '127.0.0.1.nip.io',
    '',
    'a b',
    'x@evil.example',
    'evil.com@127.0.0.1',
    '127.0.0.1@evil.com',
    'evil.com:80@127.0.0.1',
    '127.0.0.1/evil.com',
    '127.0.0.1#evil.com',
    '127.1',
    '0x7f000001',
    '2130706433',
    '127.0.0.1:80:80',
    '[::1',
    '[::ffff:10.0.0.1]',
  ]) {
    assert.equal(findRemoteCaller('127.0.0.1', { host })?.code, 'forbidden', host)
  }
  assert.equal(findRemoteCaller('127.0.0.1', {})?.code, 'forbidden')
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    assert.equal(findRemoteCaller('127.0.0.1', { host: 'localhost', [name]: '127.0.0.1' })?.code, 'forbidden', name)
  }
})

test('pages of other origins are told apart from our own and from programs', () => {
  const host = 'localhost:8081'
  assert.equal(findForeignOrigin({ host }), undefined)
  assert.equal(findForeignOrigin({ host, origin: 'http://localhost:8081' }), undefined)
  assert.equal(findForeignOrigin({ host, origin: 'http://localhost:8081', 'sec-fetch-site': 'same-origin' }), undefined)
  assert.equal(findForeignOrigin({ host, 'sec-fetch-site': 'none' }), undefined)
  for (const origin of ['http://localhost:3000', 'https://evil.example', 'null', 'http://localhost', '']) {
    assert.equal(findForeignOrigin({ host, origin })?.code, 'forbidden', origin)
  }
  assert.equal(findForeignOrigin({ host, 'sec-fetch-site': 'cross-site' })?.code, 'forbidden')
  assert.equal(findForeignOrigin({ host, 'sec-fetch-site': 'same-site' })?.code, 'forbidden')
})

test('the signs are looked for on every path of such an interface, before anything else', async (t) => {
  const { server } = await serveSample(t)
  const ask = (path: string, headers: string): Promise<string> =>
    sendRaw(server.port, [`GET ${path} HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`])
  const home = `Host: localhost:${server.port}`
  assert.match(await ask('/home/multiply?value=2', home), /^HTTP\/1.1 200 /)
  assert.doesNotMatch(await ask('/home/multiply?value=2', home), /access-control/i)
  for (const path of ['/home/multiply?value=2', '/home/nothing', '/home/carry', '/home/openapi.json']) {
    for (const sign of ['Origin: http://evil.example', 'X-Forwarded-For: 127.0.0.1', 'Sec-Fetch-Site: cross-site']) {
      const answer = await ask(path, `${home}\r\n${sign}`)
      assert.match(answer, /^HTTP\/1.1 403 [\s\S]*"kind":"forbidden"/, `${path} ${sign}`)
      assert.doesNotMatch(answer, /access-control/i)
    }
    assert.match(await ask(path, `Host: evil.example:${server.port}`), /^HTTP\/1.1 403 /)
    assert.match(await ask(path, 'Host: evil.example\r\nHost: localhost'), /^HTTP\/1.1 40[03] /)
  }
  const preflight = await fetch(`${server.url}/home/multiply`, {
    method: 'OPTIONS',
    headers: { origin: 'http://evil.example' },
  })
  assert.equal(preflight.status, 403)
  assert.match(
    await ask('/sample/multiply?value=2', 'Host: evil.example\r\nOrigin: http://evil.example'),
    /^HTTP\/1.1 200 /,
  )
})

test('another machine is refused unless it names the token; with a token nobody is let in without it', async (t) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each !== undefined && !each.internal && each.family === 'IPv4')?.address
  if (own === undefined) return t.skip('This machine has no address besides loopback.')
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  const context = ({ signal }: { signal: AbortSignal }) => ({ factor: 2n, signal, seen: [] })
  const token = 'of sixteen letters'.replaceAll(' ', '-')
  for (const isNamed of [false, true]) {
    const mounts = [mount(sampleAtHome, context, isNamed ? { token } : {})]
    const server = await createHttpServer({ mounts, logger, host: '0.0.0.0', port: 0 })
    t.after(() => server.close())
    const url: string = `http://${own}:${server.port}/home/multiply?value=2`
    assert.equal((await fetch(url)).status, isNamed ? 401 : 403)
    assert.equal((await fetch(`${server.url}/home/multiply?value=2`)).status, isNamed ? 401 : 200)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(url, { headers })).status, isNamed ? 200 : 403)
    const others = [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token, 'Bearer ']
    for (const authorization of others) {
      assert.equal((await fetch(url, { headers: { authorization } })).status, isNamed ? 401 : 403)
    }
    // A page of another origin cannot send that header, as no answer allows it to.
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } })
    assert.deepEqual(
      [preflight.status, preflight.headers.get('access-control-allow-headers')],
      [isNamed ? 401 : 403, null],
    )
  }
})

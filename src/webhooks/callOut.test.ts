import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { selfSignedCertificate } from '../../test/support/selfSignedCertificate.ts'
import { rulesFor } from '../../test/support/webhooks.ts'
import { serveWeb } from '../../test/support/webServer.ts'
import { CodedError } from '../primitives/errors.ts'
import { callOut, checkHost, type Exception, parseWebhookHeaders, parseWebhookUrl } from './callOut.ts'

const never = new AbortController().signal

const refusalOf = (text: string, allow: readonly Exception[] = []): string => {
  try {
    return parseWebhookUrl(text, rulesFor(allow)).href
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error))
    return error.message
  }
}

test('which URLs are allowed', () => {
  const ports = 'expected 443, 8443, or another from 1024 on.'
  const cases: [string, string, Exception[]?][] = [
    ['https://example.org/hook?a=1', 'https://example.org/hook?a=1'],
    ['https://example.org:8443/', 'https://example.org:8443/'],
    ['https://example.org:3000/', 'https://example.org:3000/'],
    ['https://example.org:80/', `Port 80 is not allowed: ${ports}`],
    ['https://example.org:25/', `Port 25 is not allowed: ${ports}`],
    ['https://example.org:6379/', `Port 6379 is not allowed: ${ports}`],
    ['https://example.org:6379/', 'https://example.org:6379/', ['ports']],
    ['http://example.org/', 'The URL scheme http: is not allowed: expected https (--webhook-allow http).'],
    ['http://example.org/', 'http://example.org/', ['http']],
    ['file:///etc/passwd', 'The URL scheme file: is not allowed: expected https.'],
    ['https://a:b@example.org/', 'A URL with a user name or password is not allowed.'],
    ['https://example.org/#', 'A URL with a fragment is not allowed.'],
    ['https://8.8.8.8/', '8.8.8.8 is an address: expected a host name.'],
    ['https://[::1]/', '::1 is an address: expected a host name.'],
    ['https://0x7f.1/', '127.0.0.1 is an address: expected a host name.'],
    ['https://Service.test/', 'service.test is this service itself.'],
    ['no url', 'Expected a URL of at most 2048 characters, got "no url".'],
    [
      `https://example.org/${'a'.repeat(2048)}`,
      `Expected a URL of at most 2048 characters, got "https://example.org/${'a'.repeat(80)}".`,
    ],
  ]
  for (const [text, expected, allow] of cases) assert.equal(refusalOf(text, allow), expected, text)
})

test('one address that is not public refuses the host', async () => {
  const cases: [string[], string | undefined][] = [
    [['8.8.8.8', '2606:4700::1111'], undefined],
    [['8.8.8.8', '10.0.0.1'], '10.0.0.1'],
    [['8.8.8.8', '::ffff:10.0.0.1'], '::ffff:10.0.0.1'],
    [['64:ff9b::7f00:1'], '64:ff9b::7f00:1'],
    [['2002:7f00:1::'], '2002:7f00:1::'],
    ...[
      '127.0.0.1',
      '0.0.0.0',
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ].map((address): [string[], string] => [[address], address]),
    ...['::', '::1', 'fc00::1', 'fe80::1', 'ff02::1', '2001:db8::1'].map((address): [string[], string] => [
      [address],
      address,
    ]),
  ]
  for (const [addresses, refused] of cases) {
    const rules = rulesFor([], async () => addresses)
    const checking = checkHost(new URL('https://example.org/'), rules, never)
    if (refused === undefined) assert.deepEqual(await checking, addresses)
    else
      await assert.rejects(checking, { message: `example.org resolves to ${refused}, which is not a public address.` })
  }
  // With the exception for this machine, still not the service itself, and no private network.
  const own = { names: [], addresses: ['10.1.1.1'], ports: [8081] }
  const check = (port: number, address: string) =>
    checkHost(new URL(`http://x.test:${port}/`), { ...rulesFor(undefined, async () => [address]), own }, never)
  assert.deepEqual(await check(3000, '127.0.0.1'), ['127.0.0.1'])
  await assert.rejects(check(8081, '127.0.0.1'))
  await assert.rejects(check(3000, '10.1.1.1'))
  await assert.rejects(check(3000, '10.2.2.2'))
})

test('which headers of an owner are allowed', () => {
  assert.deepEqual(parseWebhookHeaders({ Authorization: 'Bearer x', 'X-A': 'ü' }), {
    authorization: 'Bearer x',
    'x-a': 'ü',
  })
  for (const name of [
    'Host',
    'content-length',
    'Content-Type',
    'Webhook-Id',
    'connection',
    'Transfer-Encoding',
    'cookie',
    'a b',
    '',
  ]) {
    assert.throws(() => parseWebhookHeaders({ [name]: 'x' }), { code: 'webhook_refused' }, name)
  }
  assert.throws(() => parseWebhookHeaders({ a: 'b\nc' }), { code: 'webhook_refused' })
  assert.throws(() => parseWebhookHeaders({ a: '✓' }), { code: 'webhook_refused' })
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, k) => [`a${k}`, 'x']))
  assert.throws(() => parseWebhookHeaders(many), { code: 'webhook_refused' })
})

test('over TLS the certificate must be that of the host', async (t) => {
  const pair = selfSignedCertificate('hook.test')
  const hosts: unknown[] = []
  const { port } = await serveWeb(
    t,
    (request, response) => {
      hosts.push(request.headers.host)
      response.writeHead(200).end('fine')
    },
    pair,
  )
  const rules = rulesFor(['loopback', 'ports'], async () => ['127.0.0.1'])
  const send = (host: string, ca?: string) =>
    callOut(`https://${host}:${port}/`, {}, '{}', { ...rules, ...(ca !== undefined && { ca }) }, never)
  assert.deepEqual(await send('hook.test', pair.cert).then(({ status, body }) => [status, body]), [200, 'fine'])
  assert.match((await send('hook.test')).error ?? '', /self-signed certificate/)
  assert.match((await send('other.test', pair.cert)).error ?? '', /does not match/)
  assert.deepEqual(hosts, [`hook.test:${port}`])
})

test('a response is cut, and one that is none is an error', async (t) => {
  const { port } = await serveWeb(t, (_request, response) => {
    response.writeHead(202)
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', write)
    write()
  })
  const { status, body, durationMs } = await callOut(`http://hook.test:${port}/`, {}, '{}', rulesFor(), never)
  assert.deepEqual([status, body.length], [202, 1024])
  assert.ok(durationMs < 2000)
  const odd = createServer((socket) => void socket.end('SSH-2.0-x\r\n'))
  await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done))
  t.after(() => odd.close())
  const { port: oddPort } = odd.address() as { port: number }
  const failed = await callOut(`http://hook.test:${oddPort}/`, {}, '{}', rulesFor(), never)
  assert.equal(failed.status, undefined)
  assert.match(failed.error ?? '', /Parse Error|closed|reset/)
})

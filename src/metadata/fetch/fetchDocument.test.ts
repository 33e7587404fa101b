import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { selfSignedCertificate } from '../../../test/support/selfSignedCertificate.ts'
import { openRules, rulesWithNames, serveWeb } from '../../../test/support/webServer.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { fetchDocument } from './fetchDocument.ts'
import { parseTarget } from './parseTarget.ts'

const never = new AbortController().signal

const fetchText = async (uri: string, rules: FetchRules, signal = never): Promise<string> =>
  Buffer.from(await fetchDocument(parseTarget(uri, rules), rules, signal)).toString()

/** The code and sentence of the failure; anything but one of our errors fails the test. */
const failureOf = async (uri: string, rules: FetchRules): Promise<string> => {
  const failure = await fetchText(uri, rules).then(
    (text) => assert.fail(`It came: ${text.slice(0, 100)}`),
    (error: unknown) => error,
  )
  assert.ok(failure instanceof CodedError, String(failure))
  return `${failure.code}${failure.retryable ? ' (again)' : ''}: ${failure.message}`
}

const json = { 'content-type': 'application/json' }

const quick = (rules: FetchRules, changes: Partial<FetchRules['limits']>): FetchRules => ({
  ...rules,
  limits: { ...rules.limits, ...changes },
})

test('a document comes from the address that was checked, and the host is told its name', async (t) => {
  const seen: Record<string, unknown>[] = []
  const { port } = await serveWeb(t, (request, response) => {
    seen.push({ url: request.url, ...request.headers })
    response.writeHead(200, json).end('{"name":"x"}')
  })
  assert.equal(await fetchText(` http://Web.Test:${port}/a%20b.json?q=1#part `, openRules()), '{"name":"x"}')
  assert.deepEqual(seen, [
    {
      url: '/a%20b.json?q=1',
      host: `web.test:${port}`,
      accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip',
      'user-agent': 'chaincenter/test',
      connection: 'close',
    },
  ])
})

test('without an exception for it, this machine is not connected to by any name', async (t) => {
  const { port, connections } = await serveWeb(t, (_, response) => response.writeHead(200, json).end('{}'))
  const rules = rulesWithNames({
    'inner.test': ['127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'both.test': ['10.0.0.1', '::1'],
    'odd.test': ['localhost', '0'],
    localhost: ['127.0.0.1'],
  })
  const literals = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0177.0.0.1', '0.0.0.0', '[::]']
  for (const host of [...literals, 'inner.test', 'mapped.test', 'both.test', 'odd.test', 'localhost', 'LOCALHOST']) {
    const failure = await failureOf(`http://${host}:${port}/`, rules).catch((error: unknown) => error)
    const text = failure instanceof CodedError ? `${failure.code}: ${failure.message}` : String(failure)
    assert.match(text, /^metadata_refused: .* not a public address/, host)
  }
  assert.equal(connections(), 0)
})

test('a name is looked up once for a hop: an answer that changes changes nothing', async (t) => {
  let requests = 0
  const { port, connections } = await serveWeb(t, (_, response) => {
    requests++
    response.writeHead(200, json).end('{}')
  })
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']]
  let asked = 0
  const rules: FetchRules = { ...openRules(), resolve: async () => answers[asked++] ?? [] }
  assert.equal(await fetchText(`http://moving.test:${port}/`, rules), '{}')
  assert.deepEqual([asked, requests, connections()], [1, 1, 1])
  // The next time it leads inside, and it does not matter that it would lead outside after that.
  assert.match(await failureOf(`http://moving.test:${port}/`, rules), /^metadata_refused: .* resolves to 10\.0\.0\.1/)
  assert.deepEqual([asked, connections()], [2, 1])
  // Of several addresses, those that are allowed are used.
  const mixed = { ...openRules(), resolve: async () => ['10.0.0.1', '127.0.0.1', '::1'] }
  assert.equal(await fetchText(`http://mixed.test:${port}/`, mixed), '{}')
})

test('every hop of a redirect is held to the rules', async (t) => {
  const inner = await serveWeb(t, (_, response) => response.writeHead(200, json).end('{"secret":1}'))
  const places: Record<string, string> = {
    '/literal': `http://127.0.0.2:${inner.port}/`,
    '/cloud': 'http://169.254.169.254/latest/meta-data/',
    '/v6': 'http://[::1]/',
    '/name': `http://inner.test:${inner.port}/`,
    '/port': 'http://web.test:22/',
    '/user': 'http://me:secret@web.test/',
    '/file': 'file:///etc/passwd',
    '/data': 'data:application/json,{}',
    '/ftp': 'ftp://web.test/',
    '/none': 'http://',
    '/down': '/again/literal',
    '/again/literal': '../literal',
  }
  const { port } = await serveWeb(t, (request, response) => {
    response.writeHead(302, { location: places[request.url ?? ''] }).end()
  })
  const rules = openRules({ 'inner.test': ['127.0.0.3'] })
  const failures = await Promise.all(
    Object.keys(places).map(async (path) => [path, await failureOf(`http://web.test:${port}${path}`, rules)]),
  )
  const refused = 'metadata_refused: '
  assert.deepEqual(Object.fromEntries(failures), {
    '/literal': `${refused}127.0.0.2 is not a public address.`,
    '/cloud': `${refused}169.254.169.254 is not a public address.`,
    '/v6': `${refused}::1 is not a public address.`,
    '/name': `${refused}inner.test resolves to 127.0.0.3, which is not a public address.`,
    '/port': `${refused}Port 22 is not allowed: expected 80, 443, or at least 1024.`,
    '/user': `${refused}A URL with a user name or password is not allowed.`,
    '/file': `${refused}The URL scheme file: is not allowed.`,
    '/data': `${refused}The URL scheme data: is not allowed.`,
    '/ftp': `${refused}The URL scheme ftp: is not allowed.`,
    '/none': `${refused}Expected a URL, got "http://".`,
    '/down': `${refused}127.0.0.2 is not a public address.`,
    '/again/literal': `${refused}127.0.0.2 is not a public address.`,
  })
  assert.equal(inner.connections(), 0)
})

test('three redirects are followed, a fourth is not', async (t) => {
  let requests = 0
  const { port } = await serveWeb(t, (request, response) => {
    requests++
    const left = Number(request.url?.slice(1))
    const status = [301, 302, 303, 307, 308][left % 5]!
    if (left > 0) response.writeHead(status, { location: `/${left - 1}` }).end('on and on')
    else response.writeHead(200, json).end('{}')
  })
  assert.equal(await fetchText(`http://web.test:${port}/3`, openRules()), '{}')
  assert.equal(requests, 4)
  assert.equal(
    await failureOf(`http://web.test:${port}/1000`, openRules()),
    'metadata_unusable: More than 3 redirects.',
  )
  assert.equal(requests, 8)
})

const MAX = 20_000
const small = quick(openRules(), { maxBytes: MAX })

test('what is too long is left as soon as that is known', async (t) => {
  let sent = 0
  const { port } = await serveWeb(t, (request, response) => {
    if (request.url === '/stated') {
      response.writeHead(200, { ...json, 'content-length': 2 ** 40 }).write('{')
      return
    }
    // An endless one, as fast as it is taken.
    response.writeHead(200, json)
    const chunk = Buffer.alloc(10_000, ' ')
    const more = (): void => {
      if (response.destroyed) return
      sent += chunk.length
      if (response.write(chunk)) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  })
  const expected = `metadata_unusable: The document exceeds ${MAX} bytes.`
  assert.equal(await failureOf(`http://web.test:${port}/stated`, small), expected)
  assert.equal(await failureOf(`http://web.test:${port}/endless`, small), expected)
  // What fits into the buffers of both sides, and no more.
  assert.ok(sent < 20_000_000, `${sent} bytes were sent`)
})

const packed = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (bytes: Uint8Array) => brotliCompressSync(bytes),
} as const

test('packed documents are unpacked, up to the same length', async (t) => {
  const exact = Buffer.from(`{"a":"${'x'.repeat(MAX - 8)}"}`)
  const bomb = Buffer.alloc(50_000_000, ' ')
  const bodies: Record<string, [string, Uint8Array]> = {}
  for (const [encoding, pack] of Object.entries(packed)) {
    bodies[`/${encoding}`] = [encoding, pack(exact)]
    bodies[`/${encoding}-bomb`] = [encoding, pack(bomb)]
    bodies[`/${encoding}-broken`] = [encoding, Buffer.from('this is not packed at all')]
    bodies[`/${encoding}-half`] = [encoding, pack(exact).subarray(0, 20)]
  }
  bodies['/twice'] = ['gzip, gzip', gzipSync(gzipSync(bomb))]
  bodies['/unknown'] = ['zstd', exact]
  bodies['/identity'] = ['identity', exact]
  // Nothing comes out, however much goes in.
  bodies['/hollow'] = ['gzip', Buffer.concat(Array.from({ length: 2000 }, () => gzipSync('')))]
  const { port } = await serveWeb(t, (request, response) => {
    const [encoding, body] = bodies[request.url ?? '']!
    response.writeHead(200, { ...json, 'content-encoding': encoding })
    response.end(body)
  })
  const ask = (path: string): Promise<string> => failureOf(`http://web.test:${port}${path}`, small)
  const tooLong = `metadata_unusable: The document exceeds ${MAX} bytes.`
  const broken = 'metadata_unusable: The document cannot be decompressed.'
  for (const encoding of Object.keys(packed)) {
    assert.equal(await fetchText(`http://web.test:${port}/${encoding}`, small), exact.toString())
    const before = process.memoryUsage().rss
    assert.equal(await ask(`/${encoding}-bomb`), tooLong)
    assert.ok(process.memoryUsage().rss - before < 40_000_000)
    assert.equal(await ask(`/${encoding}-broken`), broken)
    assert.equal(await ask(`/${encoding}-half`), broken)
  }
  assert.match(await ask('/twice'), /^metadata_unusable: The content encoding "gzip, gzip" is not supported/)
  assert.match(await ask('/unknown'), /^metadata_unusable: The content encoding "zstd" is not supported/)
  assert.equal(await ask('/hollow'), tooLong)
  assert.equal(await fetchText(`http://web.test:${port}/identity`, small), exact.toString())
})

test('time has an end, wherever it is spent', async (t) => {
  const { port } = await serveWeb(t, (request, response) => {
    if (request.url === '/silent') return
    if (request.url?.startsWith('/turn')) {
      setTimeout(() => response.writeHead(302, { location: `/turn${Math.random()}` }).end(), 400)
      return
    }
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const rules = quick(openRules(), { totalMs: 700 })
  const hanging: FetchRules = { ...rules, resolve: () => new Promise(() => {}) }
  for (const [path, given] of [
    ['/silent', rules],
    ['/drop-by-drop', rules],
    ['/turn', rules],
    ['/name', hanging],
  ] as const) {
    const start = performance.now()
    assert.match(
      await failureOf(`http://web.test:${port}${path}`, given),
      /^metadata_unavailable \(again\): web\.test:\d+ timed out after 0\.7 s\.$/,
    )
    const took = performance.now() - start
    assert.ok(took > 600 && took < 5000, `${path} took ${took} ms`)
  }
})

const listenTcp = async (t: TestContext, greeting?: string): Promise<number> => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    if (greeting !== undefined) socket.end(greeting)
    t.after(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

test('a connection that does not come about in time is given up', async (t) => {
  const port = await listenTcp(t)
  const start = performance.now()
  const rules = quick(openRules(), { connectMs: 400 })
  assert.match(
    await failureOf(`https://web.test:${port}/`, rules),
    /^metadata_unavailable \(again\): Connection to web\.test:\d+ failed: timeout\.$/,
  )
  assert.ok(performance.now() - start < 5000)
})

test('who speaks no HTTP, or too much of it, is unavailable', async (t) => {
  const greetings = {
    smtp: '220 mail.test ESMTP\r\n',
    nothing: '',
    cut: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":',
    headers: `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n{}`,
    upgrade: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
    lengths: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
  }
  for (const [name, greeting] of Object.entries(greetings)) {
    const port = await listenTcp(t, greeting)
    assert.match(
      await failureOf(`http://web.test:${port}/`, openRules()),
      /^metadata_unavailable \(again\): The document of web\.test:\d+ is incomplete: /,
      name,
    )
  }
  const refusing = await listenTcp(t)
  assert.match(await failureOf(`http://gone.test:${refusing}/`, openRules()), /gone\.test has no address/)
  const unresolved: FetchRules = {
    ...openRules(),
    resolve: () => Promise.reject(Object.assign(new Error('query failed'), { code: 'ESERVFAIL' })),
  }
  assert.equal(
    await failureOf('http://web.test/', unresolved),
    'metadata_unavailable (again): web.test could not be resolved: ESERVFAIL.',
  )
})

test('answers that are no document', async (t) => {
  const { port } = await serveWeb(t, (request, response) => {
    const [, status, type] = request.url!.split('/')
    const headers = { ...(type && { 'content-type': decodeURIComponent(type) }), 'retry-after': '7' }
    response.writeHead(Number(status), headers).end('{}')
  })
  const ask = (path: string): Promise<string> => failureOf(`http://web.test:${port}/${path}`, openRules())
  for (const status of [204, 206, 304, 400, 403, 404, 410, 429, 500, 503]) {
    assert.equal(
      await ask(String(status)),
      `metadata_unavailable (again): web.test:${port} responded with status ${status}; expected 200.`,
    )
  }
  await assert.rejects(fetchText(`http://web.test:${port}/503`, openRules()), { hostFailed: true, retryAfterMs: 7000 })
  await assert.rejects(fetchText(`http://web.test:${port}/404`, openRules()), { hostFailed: false, retryAfterMs: 7000 })
  for (const type of ['text/html', 'image/png', 'application/xml', 'application/javascript', 'jsonx/json']) {
    assert.equal(
      await ask(`200/${encodeURIComponent(type)}`),
      `metadata_unusable: Expected JSON, got the content type "${type}".`,
    )
  }
  const good = ['application/json', 'Application/JSON; charset=utf-8', 'text/plain', 'application/ld+json', '']
  for (const type of [...good, 'application/octet-stream', 'binary/octet-stream', 'text/json']) {
    assert.equal(await fetchText(`http://web.test:${port}/200/${encodeURIComponent(type)}`, openRules()), '{}', type)
  }
})

test('a secure host must prove its name', async (t) => {
  const own = selfSignedCertificate('web.test')
  let requests = 0
  const { port } = await serveWeb(
    t,
    (_, response) => {
      requests++
      response.writeHead(200, json).end('{}')
    },
    own,
  )
  const names = { 'other.test': ['127.0.0.1'] }
  assert.match(await failureOf(`https://web.test:${port}/`, openRules()), /unavailable.*self.signed certificate/)
  const trusting = { ...openRules(names), ca: own.cert }
  assert.match(await failureOf(`https://other.test:${port}/`, trusting), /does not match certificate's altnames/)
  assert.match(await failureOf(`https://127.0.0.1:${port}/`, trusting), /does not match certificate's altnames/)
  assert.equal(requests, 0)
  assert.equal(await fetchText(`https://web.test:${port}/`, trusting), '{}')
  // By default not even a redirect leads away from https.
  const strict = { ...trusting, allowHttp: false }
  const turning = await serveWeb(
    t,
    (_, response) => response.writeHead(301, { location: `http://web.test:${port}/` }).end(),
    own,
  )
  assert.match(await failureOf(`https://web.test:${turning.port}/`, strict), /The URL scheme http: is not allowed/)
})

test('the gateway to IPFS may be on this machine, but what it redirects to may not', async (t) => {
  const paths: (string | undefined)[] = []
  const { port } = await serveWeb(t, (request, response) => {
    paths.push(request.url)
    if (request.url?.endsWith('/away')) response.writeHead(302, { location: '/admin' }).end()
    else response.writeHead(200, json).end('{}')
  })
  const rules: FetchRules = {
    ...rulesWithNames({ localhost: ['127.0.0.1'] }),
    allowHttp: false,
    ipfsGateway: new URL(`http://localhost:${port}/ipfs`),
  }
  const id = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  assert.equal(await fetchText(`ipfs://${id}/1.json`, rules), '{}')
  assert.match(await failureOf(`ipfs://${id}/away`, rules), /^metadata_refused: The URL scheme http: /)
  assert.match(await failureOf(`ipfs://${id}/away`, { ...rules, allowHttp: true }), /^metadata_refused: .*localhost/)
  assert.deepEqual(paths, [`/ipfs/${id}/1.json`, `/ipfs/${id}/away`, `/ipfs/${id}/away`])
})

test('a fetch can be ended', async (t) => {
  const { port } = await serveWeb(t, () => {})
  const controller = new AbortController()
  const reason = new Error('enough')
  setTimeout(() => controller.abort(reason), 100)
  await assert.rejects(fetchText(`http://web.test:${port}/`, openRules(), controller.signal), reason)
  await assert.rejects(fetchText(`http://web.test:${port}/`, openRules(), controller.signal), reason)
})

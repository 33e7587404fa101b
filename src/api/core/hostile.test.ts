import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sendRaw, serveSample } from '../../../test/support/serveSample.ts'

const head = (extra: string): string => `POST /sample/carry HTTP/1.1\r\nHost: x\r\n${extra}\r\n\r\n`

const refusal = (
  text: string,
): { status: number; body: { ok: boolean; error: string; code: number; kind?: string } } => {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  return { status, body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) }
}

test('bodies beyond the limit are refused, declared, streamed or lied about', async (t) => {
  const { server } = await serveSample(t, { maxBodyBytes: 1000 })
  const declared = await sendRaw(server.port, [head('Content-Length: 1001\r\nConnection: close'), 'x'.repeat(1001)])
  assert.deepEqual(refusal(declared), {
    status: 413,
    body: {
      ok: false,
      error: 'The request body exceeds 1000 bytes.',
      code: 413,
      kind: 'body_too_large',
      transport: 'post',
    },
  })
  const announced = await sendRaw(server.port, [head('Content-Length: 999999999999\r\nConnection: close')])
  assert.equal(refusal(announced).status, 413)
  const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`
  const streamed = await sendRaw(server.port, [head('Transfer-Encoding: chunked\r\nConnection: close'), chunk, chunk])
  assert.equal(refusal(streamed).status, 413)
  const rpc = await fetch(`${server.url}/sample/rpc`, { method: 'POST', body: 'x'.repeat(2000) })
  assert.equal(rpc.status, 413)
  assert.equal(((await rpc.json()) as { error: { code: number } }).error.code, -32600)
  const both = await sendRaw(server.port, [head('Content-Length: 5\r\nTransfer-Encoding: chunked'), '0\r\n\r\n'])
  assert.equal(refusal(both).status, 400)
})

test('long addresses and large headers are refused', async (t) => {
  const { server } = await serveSample(t, { maxUrlBytes: 2000, maxHeaderBytes: 4000 })
  const url = await fetch(`${server.url}/sample/multiply?value=${'1'.repeat(2000)}`)
  assert.equal(url.status, 414)
  assert.equal(((await url.json()) as { kind: string }).kind, 'url_too_long')
  const headers = await sendRaw(server.port, [
    `GET /sample/multiply HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(7000)}\r\n\r\n`,
  ])
  assert.deepEqual(refusal(headers), {
    status: 431,
    body: { ok: false, error: 'The headers of the request are too large.', code: 431 },
  })
  const many = await sendRaw(server.port, [
    `GET /sample/multiply?value=1 HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(3000)}\r\n`,
  ])
  assert.equal(refusal(many).status, 431)
})

test('a method that is not served is refused with 405, whatever token it is', async (t) => {
  const { server, log } = await serveSample(t)
  const ask = (method: string, path: string, extra = ''): Promise<string> =>
    sendRaw(server.port, [`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${extra}\r\n`])
  // Some are known to the parser and to the router, some to the parser alone, some to neither.
  const methods = [
    'QUERY',
    'PUT',
    'DELETE',
    'PATCH',
    'TRACE',
    'PROPFIND',
    'M-SEARCH',
    'CONNECT',
    'FOO',
    'get',
    'PRI',
    'A!b~',
  ]
  for (const method of methods) {
    for (const path of ['/sample/multiply?value=2', '/old/multiply', '/home/multiply', '/sample/rpc']) {
      const answer = await ask(method, path)
      assert.match(answer, /^HTTP\/1\.1 405 [\s\S]*\r\nallow: [A-Z, ]*(GET|POST)/i, `${method} ${path}`)
    }
  }
  const query = await ask('QUERY', '/sample/multiply', 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  assert.match(query, /^HTTP\/1\.1 405 /)
  assert.match(await ask('QUERY', '/nothing'), /^HTTP\/1\.1 404 /)
  assert.deepEqual(log, [])
})

test('what is no HTTP gets an answer and no more', async (t) => {
  const { server } = await serveSample(t)
  for (const bytes of ['hello\r\n\r\n', '\x16\x03\x01\x02\x00', 'GET / HTTP/9.9\r\n\r\n', '\0'.repeat(100)]) {
    assert.deepEqual(refusal(await sendRaw(server.port, [bytes])), {
      status: 400,
      body: { ok: false, error: 'The data received is not an HTTP request.', code: 400 },
    })
  }
})

test('slow headers and slow bodies are cut off in time, while others are served', async (t) => {
  const { server } = await serveSample(t, { headersTimeoutMs: 300, requestTimeoutMs: 700 })
  const start = performance.now()
  const slow = [
    sendRaw(server.port, ['GET /sample/multiply?value=1 HT']),
    sendRaw(server.port, ['GET /sample/multiply?value=1 HTTP/1.1\r\nHost: x\r\nX-Slow: ']),
    sendRaw(server.port, [head('Content-Length: 100'), '{"value":']),
    sendRaw(server.port, [head('Transfer-Encoding: chunked'), '5\r\n{"val']),
  ]
  const served = await fetch(`${server.url}/sample/multiply?value=1`)
  assert.equal(served.status, 200)
  for (const answer of await Promise.all(slow)) {
    assert.equal(refusal(answer).status, 408, answer)
    assert.equal(refusal(answer).body.error, 'The request was not received in time.')
  }
  assert.ok(performance.now() - start < 8000)
})

test('a caller that does not take its answer is hung up on', async (t) => {
  const { server } = await serveSample(t, { sendTimeoutMs: 300, maxBodyBytes: 1 << 25, maxValues: 10 })
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  // Far more than all buffers on the way can hold, and nobody reads.
  const body = `{"value":"${'x'.repeat(1 << 24)}"}`
  socket.pause()
  socket.write(head(`Content-Length: ${body.length}`))
  socket.write(body)
  const start = performance.now()
  await new Promise<void>((resolve) => {
    // Only a write notices that the other end has hung up, as long as nothing is read.
    const timer = setInterval(() => socket.write('x'), 50)
    socket.once('close', () => {
      clearInterval(timer)
      resolve()
    })
  })
  assert.ok(performance.now() - start < 20_000)
})

test('a thousand connections, dropped in every state, leave the server as it was', async (t) => {
  const { server, log } = await serveSample(t)
  const pieces = [
    '',
    'GET /sam',
    head('Content-Length: 10'),
    `${head('Content-Length: 10')}{"a`,
    'GET /sample/wait?ms=5000 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from(
        { length: 100 },
        (_, i) =>
          new Promise<void>((resolve) => {
            const socket = connect({ port: server.port, host: '127.0.0.1' })
            socket.once('close', () => resolve())
            socket.on('error', () => undefined)
            socket.write(pieces[i % pieces.length] ?? '', () =>
              i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy(),
            )
          }),
      ),
    )
  }
  assert.equal((await fetch(`${server.url}/sample/multiply?value=1`)).status, 200)
  assert.deepEqual(log, [])
})

test('requests in one stretch are answered in order', async (t) => {
  const { server } = await serveSample(t)
  const get = (value: number, last = '') => `GET /sample/multiply?value=${value} HTTP/1.1\r\nHost: x\r\n${last}\r\n`
  const text = await sendRaw(server.port, [get(1) + get(2) + get(3, 'Connection: close\r\n')])
  assert.deepEqual(
    [...text.matchAll(/"text":"(\d+)"/g)].map(([, number]) => number),
    ['3', '6', '9'],
  )
})

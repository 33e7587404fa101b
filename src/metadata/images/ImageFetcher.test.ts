import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRules, rulesWithNames, serveWeb } from '../../../test/support/webServer.ts'
import { CodedError } from '../../primitives/errors.ts'
import { ImageFetcher, MAX_IMAGE_BYTES } from './ImageFetcher.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => assert.fail('there was a picture'),
    (failure: unknown) => failure,
  )
  assert.ok(error instanceof CodedError, String(error))
  return `${error.code}: ${error.message}`
}

test('a picture is fetched once for all who ask, and is of the type of its bytes', async (t) => {
  let requests = 0
  const { port } = await serveWeb(t, ({ url }, response) => {
    requests++
    if (url === '/moved') response.writeHead(302, { location: '/a' }).end()
    else response.writeHead(200, { 'content-type': 'image/x-whatever' }).end(png)
  })
  const images = new ImageFetcher({ rules: openRules() })
  t.after(() => images.close())
  const url = `http://web.test:${port}/a`
  const [first, second] = await Promise.all([images.get(url), images.get(url)])
  assert.deepEqual([first.type, Buffer.from(first.bytes)], ['image/png', png])
  assert.equal(second, first)
  assert.equal(await images.get(url), first)
  assert.equal(requests, 1)
  assert.equal((await images.get(`http://web.test:${port}/moved`)).type, 'image/png')
  assert.equal(requests, 3)
})

test('what is no raster picture, or too large, is refused, and not asked for again at once', async (t) => {
  let requests = 0
  const { port } = await serveWeb(t, ({ url }, response) => {
    requests++
    if (url === '/svg') response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg)
    else if (url === '/disguised') response.writeHead(200, { 'content-type': 'image/png' }).end(svg)
    else if (url === '/html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else if (url === '/large') response.writeHead(200).end(Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES)]))
    else response.writeHead(404).end()
  })
  const images = new ImageFetcher({ rules: openRules() })
  t.after(() => images.close())
  const refused = {
    svg: /^metadata_unusable: Expected a picture, got the content type "image\/svg\+xml"/,
    disguised: /^metadata_unusable: Expected a PNG/,
    html: /^metadata_unusable: Expected a picture, got the content type "text\/html"/,
    large: /^metadata_unusable: The document exceeds 2097152 bytes/,
    none: /^metadata_unavailable: .* status 404/,
  }
  for (const [path, reason] of Object.entries(refused)) {
    assert.match(await failureOf(images.get(`http://web.test:${port}/${path}`)), reason)
    assert.match(await failureOf(images.get(`http://web.test:${port}/${path}`)), reason)
  }
  assert.equal(requests, 5)
})

test('no host inside is contacted, and without rules none at all', async (t) => {
  const { port, connections } = await serveWeb(t, (_, response) => response.writeHead(200).end(png))
  const images = new ImageFetcher({ rules: rulesWithNames({ 'inner.test': ['127.0.0.1'] }) })
  t.after(() => images.close())
  for (const url of [`http://127.0.0.1:${port}/`, `http://inner.test:${port}/`, 'file:///etc/passwd']) {
    assert.match(await failureOf(images.get(url)), /^metadata_refused: /)
  }
  const inline = new ImageFetcher({ rules: undefined })
  assert.match(await failureOf(inline.get('https://web.test/a.png')), /^metadata_refused: .*--metadata/)
  assert.equal(connections(), 0)
  const { type, bytes } = await inline.get(`data:image/png;base64,${png.toString('base64')}`)
  assert.deepEqual([type, Buffer.from(bytes)], ['image/png', png])
  assert.match(await failureOf(inline.get(`data:image/svg+xml,${encodeURIComponent(svg)}`)), /content type/)
})

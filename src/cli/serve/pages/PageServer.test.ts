import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { PlainAnswer, PlainRequest, PlainRoute } from '../../../api/core/PlainRoute.ts'
import { openExplorer } from '../openPages.ts'
import { PageServer } from './PageServer.ts'

const MAX_WEIGHT = 80_000

const pages = new PageServer()
const options = {
  hasIndex: true,
  hasControls: false,
  hasDebugger: true,
  hasWebhooks: true,
  network: '<main> & "more"',
  dialect: 'ton',
  tokens: undefined,
} as const
const routes = [...openExplorer(options, pages).routes, pages.assets]

const ask = async (
  route: PlainRoute['path'],
  path: string,
  headers: PlainRequest['headers'] = {},
  base = '',
): Promise<PlainAnswer> => {
  const found = routes.find((each) => each.path === route)
  assert.ok(found, `there is no route ${route}`)
  return found.answer({ path, query: {}, headers, remoteAddress: '', body: undefined, base, isOperator: false })
}

const textOf = ({ body }: PlainAnswer): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))

test('a page is the same at all of its paths, is asked for each time, and loads nothing from elsewhere', async () => {
  const page = await ask('/', '/')
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.match(page.headers['content-security-policy']!, /^default-src 'self';/)
  assert.doesNotMatch(textOf(page), /https?:\/\/|<script>|<style| style=/)
  assert.match(textOf(page), /content="\{&#34;hasIndex&#34;:true.*&#34;&#60;main&#62; &#38; \\&#34;more\\&#34;&#34;/)
  assert.deepEqual(await ask('/account/*', '/account/EQ'), page)
  // Below a prefix, everything that it loads and links is there too.
  const below = textOf(await ask('/', '/', {}, '/test'))
  assert.deepEqual(
    [...below.matchAll(/(?:src|href)="([^"]+)"/g)].filter(([, path]) => !path!.startsWith('/test/assets/')),
    [],
  )
  assert.match(below, /&#34;base&#34;:&#34;\/test&#34;/)
  const again = await ask('/', '/', { 'if-none-match': `"other", W/${page.headers['etag']}` })
  assert.deepEqual([again.status, again.body], [304, ''])
})

test('what a page loads is packed, may be kept for ever, and is little', async () => {
  const packed = { 'accept-encoding': 'br, gzip' }
  const page = textOf(await ask('/', '/'))
  const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  // Code that several chunks share is in parts, of which there may be any number.
  assert.deepEqual([...new Set(paths.map((path) => path.replace(/-\w+\./, '.')))].sort(), [
    '/assets/explorer.css',
    '/assets/explorer.js',
    '/assets/icon.svg',
    '/assets/part.js',
    '/assets/theme.js',
  ])
  let weight = ((await ask('/', '/', packed)).body as Uint8Array).length
  for (const path of paths) {
    const [plain, small] = [await ask('/assets/*', path), await ask('/assets/*', path, packed)]
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(small.headers['content-encoding'], 'gzip')
    assert.deepEqual(new Uint8Array(gunzipSync(small.body as Uint8Array)), new Uint8Array(plain.body as Uint8Array))
    weight += small.body.length
  }
  assert.ok(weight > 10_000 && weight < MAX_WEIGHT, `${weight} bytes`)
})

test('whatever is no file of the pages is not there', async () => {
  for (const path of ['/assets/', '/assets/none.js', '/assets/../package.json', '/assets/__proto__']) {
    assert.equal((await ask('/assets/*', path)).status, 404)
  }
})

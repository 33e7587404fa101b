import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { haveDatabase } from './support/database.ts'
import { tempFolder } from './support/tempFolder.ts'

test('the paths of the original reference lead to ours', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startNetwork({ folder: tempFolder(t), mining: { mode: 'manual' }, http: {}, index: {} })
  t.after(() => network.close())
  await network.indexed
  const ask = (path: string, redirect: 'manual' | 'follow', method = 'GET') =>
    fetch(`${network.url}${path}`, { redirect, method })

  for (const prefix of ['/api/v2', '/api/v3', '/ton/api/v2', '/ton/api/v3']) {
    for (const path of [prefix, `${prefix}/`, `${prefix}/index.html`]) {
      const { status, headers } = await ask(path, 'manual')
      assert.deepEqual(
        [path, status, headers.get('location')],
        [path, 302, `${prefix.slice(0, -'/api/v2'.length)}/docs#${prefix.slice(-2)}`],
      )
      const page = await ask(path, 'follow')
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
      assert.match(await page.text(), /API reference/)
      assert.equal((await ask(path, 'manual', 'POST')).ok, false)
    }
    const described = await ask(`${prefix}/doc.json`, 'follow')
    assert.equal(described.url, `${network.url}${prefix}/openapi.json`)
    assert.equal(described.headers.get('access-control-allow-origin'), '*')
    const { openapi, paths } = (await described.json()) as { readonly openapi: string; readonly paths: object }
    assert.equal(openapi, '3.1.0')
    assert.ok(Object.keys(paths).every((path) => path.startsWith(`${prefix}/`)))
  }
  assert.equal((await ask('/dev/index.html', 'manual')).status, 404)
})

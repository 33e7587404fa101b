import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { joinMetricTexts } from '../src/cli/networks/joinMetricTexts.ts'
import { explorerPaths } from '../src/cli/serve/openPages.ts'
import { haveBrowser, openBrowser, openPage } from './support/browser.ts'
import { haveDatabase } from './support/database.ts'
import { parseMetrics } from './support/parseMetrics.ts'
import { childrenOf, commandOf } from './support/processTree.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { ServeProcess } from './support/serveProcess.ts'
import { tempFolder } from './support/tempFolder.ts'
import { untilIndexed } from './support/untilIndexed.ts'
import { waitUntil } from './support/waitUntil.ts'

test('settings that cannot be served together are refused with a sentence', async (t) => {
  const folder = tempFolder(t)
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value))
  write('port.json', { port: 9000 })
  write('folder.json', { dataDir: '.chaincenter' })
  write('host.json', { virtualHosts: ['a.example.org'], dataDir: 'a' })
  const refusals: [also: string[], reason: RegExp][] = [
    [['Test'], /also .*the name of a network.*lower-case letters/],
    [['docs'], /cannot be called docs: \/docs is a path of the first network/],
    [['embedded'], /two networks called embedded/],
    [['one', 'one'], /two networks called one/],
    [['one=none.json'], /Cannot read the configuration file .*none\.json \(ENOENT\)/],
    [['one=port.json'], /settings of the network one have port, which is the same for all networks/],
    [['one=folder.json'], /The networks embedded and one have the same data folder/],
    [['one=host.json', 'two=host.json'], /The networks one and two have the same data folder/],
  ]
  for (const [also, reason] of refusals) {
    const args = ['start', '--port', '0', ...also.flatMap((each) => ['--also', each])]
    const { exitCode, err } = await runCommandLine(t, args, { workingDir: folder })
    assert.match(err, reason)
    assert.equal(exitCode, 2, err)
  }
  for (const path of explorerPaths.filter((each) => each !== '/')) {
    const name = path.split('/')[1]!
    const { err } = await runCommandLine(t, ['start', '--port', '0', '--also', name], { workingDir: folder })
    assert.match(err, /cannot be called/, path)
  }
})

test('metrics of networks stand together by name, with a label', () => {
  const text = '# HELP a Some.\n# TYPE a counter\na 1\na{b="{c} d"} 2\n'
  const networks = [
    { name: 'main', isUp: true },
    { name: 'test', isUp: false },
  ]
  const joined = joinMetricTexts(
    networks.map(({ name }) => ({ name, text })),
    networks,
  )
  assert.deepEqual(joined.split('\n').slice(0, 6), [
    '# HELP a Some.',
    '# TYPE a counter',
    'a{network="main"} 1',
    'a{network="main",b="{c} d"} 2',
    'a{network="test"} 1',
    'a{network="test",b="{c} d"} 2',
  ])
  assert.match(joined, /chaincenter_network_up\{network="test"\} 0\n$/)
})

type Ready = {
  readonly ready: boolean
  readonly reasons: readonly string[]
  readonly networks: { readonly [name: string]: { readonly ready: boolean; readonly reasons: readonly string[] } }
}

const startBoth = async (t: TestContext) => {
  const [first, second] = await Promise.all(
    ['first', 'second'].map(async (seed) => {
      const network = await startNetwork({ seed, mining: { mode: 'manual' }, http: false })
      t.after(() => network.close())
      await network.controls.mine(1)
      return network
    }),
  )
  const folder = tempFolder(t)
  // One network has a process for answers, the other has not.
  const own = { globalConfig: second!.globalConfig.path, workers: 0, virtualHosts: ['second.example.org'] }
  writeFileSync(join(folder, 'second.json'), JSON.stringify(own))
  const rates = ['--anonymous-v2', '1000', '--anonymous-v3', '1000']
  const service = new ServeProcess(
    [
      ...['start', '--global-config', first!.globalConfig.path, '--workers', '1', '--also', 'second=second.json'],
      ...['--port', '0', '--log-level', 'info', '--ready-head-age', '1d', ...rates],
    ],
    folder,
  )
  t.after(() => service.kill())
  const { url, operations } = await service.ready
  await Promise.all([untilIndexed(`${url}/api/v3`, 3), untilIndexed(`${url}/second/api/v3`, 3)])
  return { first: first!, second: second!, folder, service, url, operations: operations! }
}

const readJson = async <T>(url: string, headers: Record<string, string> = {}): Promise<T & { status: number }> => {
  const response = await fetch(url, { headers })
  return { ...((await response.json()) as T), status: response.status }
}

/** fetch sets the host by itself. */
const askHost = (url: string, host: string): Promise<string> =>
  new Promise((done, fail) => {
    get(url, { headers: { host } }, (response) => {
      response.toArray().then((parts) => done(Buffer.concat(parts).toString()), fail)
    }).on('error', fail)
  })

test('two networks in one start: both APIs and explorers, one key, limits apart; one may fail', {
  timeout: 300_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { second, folder, service, url, operations } = await startBoth(t)
  type Info = { readonly result: { readonly init: { readonly root_hash: string } } }
  const zeroState = async (base: string): Promise<string> =>
    (await readJson<Info>(`${url}${base}/api/v2/getMasterchainInfo`)).result.init.root_hash
  const [ofFirst, ofSecond] = await Promise.all([zeroState(''), zeroState('/second')])
  assert.notEqual(ofFirst, ofSecond)
  assert.deepEqual([await zeroState('/custom'), await zeroState('/second/ton')], [ofFirst, ofSecond])
  const byHost = JSON.parse(await askHost(`${url}/api/v2/getMasterchainInfo`, 'Second.example.org:80')) as Info
  assert.equal(byHost.result.init.root_hash, ofSecond)
  // Bodies, refusals and unknown paths go through as they are.
  const rpc = await fetch(`${url}/second/api/v2/jsonRPC`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'getMasterchainInfo', params: {} }),
  })
  assert.equal(((await rpc.json()) as Info & { id: string }).result.init.root_hash, ofSecond)
  const long = await fetch(`${url}/second/api/v2/jsonRPC`, { method: 'POST', body: 'x'.repeat(1_100_000) })
  assert.equal(long.status, 413)
  await long.arrayBuffer()
  assert.equal((await readJson(`${url}/second/api/v2/getNothing`)).status, 404)

  await t.test('pages load and link what is below their prefix', async () => {
    for (const base of ['', '/second']) {
      const page = await (await fetch(`${url}${base}/blocks`)).text()
      const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!)
      assert.ok(links.length >= 4)
      for (const link of links) {
        assert.ok(link.startsWith(`${base}/assets/`), link)
        assert.equal((await fetch(url + link)).status, 200, link)
      }
      assert.ok(page.includes(`&#34;base&#34;:&#34;${base}&#34;`))
      const reference = await fetch(`${url}${base}/api/v2`, { redirect: 'manual' })
      assert.equal(reference.headers.get('location'), `${base}/docs#v2`)
      assert.equal((await fetch(`${url}${base}/docs/v3.json`)).status, 200)
    }
    assert.ok((await askHost(`${url}/`, 'second.example.org')).includes('&#34;base&#34;:&#34;&#34;'))
  })

  await t.test('streams go through', async () => {
    const ending = new AbortController()
    const stream = await fetch(`${url}/second/api/streaming/v2/sse?types=blocks`, { signal: ending.signal })
    assert.equal(stream.status, 200)
    ending.abort()
    // A caller without a key has few streams at a time: the first one has to be over.
    const open = (): Promise<boolean> =>
      new Promise((done) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/second/api/streaming/v2/ws`)
        socket.on('open', () => socket.close())
        socket.on('error', () => done(false))
        socket.on('close', (code) => done(code === 1005))
      })
    await waitUntil('a socket opens', open, { pollMs: 200 })
  })

  await t.test('one key works for both, and is limited on each apart', async () => {
    const create = ['keys', 'create', '--plan', 'custom', '--rate', '1:2', '--json']
    const { out, err } = await runCommandLine(t, create, { workingDir: folder })
    assert.equal(err.includes('error'), false, err)
    const { key } = JSON.parse(out) as { key: string }
    const status = async (base: string): Promise<number> =>
      (await readJson(`${url}${base}/api/v2/getMasterchainInfo`, { 'x-api-key': key })).status
    await waitUntil('both know the key', async () => (await status('')) !== 401 && (await status('/second')) !== 401)
    // Its budget on the second network is full again after a second.
    await waitUntil(
      'the second answers when the first refuses',
      async () => {
        while ((await status('')) !== 429);
        return (await status('/second')) === 200
      },
      { pollMs: 1100 },
    )
    // Usage is written when it is asked for, and kept apart.
    type Usage = { readonly keys: readonly { readonly endpoints: readonly { readonly endpoint: string }[] }[] }
    await readJson(`${operations}/second/keys/usage`)
    const { keys } = await readJson<Usage>(`${operations}/keys/usage`)
    assert.deepEqual(
      keys.map(({ endpoints }) =>
        endpoints
          .map(({ endpoint }) => endpoint)
          .filter((endpoint) => endpoint.endsWith('Info'))
          .sort(),
      ),
      [['second/v2/getMasterchainInfo', 'v2/getMasterchainInfo']],
    )
  })

  await t.test('metrics name the network, for the operator only', async () => {
    assert.equal((await fetch(`${url}/metrics`)).status, 403)
    assert.equal((await fetch(`${url}/second/metrics`)).status, 403)
    const { samples: metrics } = parseMetrics(await (await fetch(`${operations}/metrics`)).text())
    for (const network of ['custom', 'second']) {
      const up = metrics.find(({ name, labels }) => name === 'chaincenter_network_up' && labels['network'] === network)
      assert.equal(up?.value, 1)
      assert.ok(metrics.some(({ name, labels }) => name === 'chaincenter_head_seqno' && labels['network'] === network))
    }
  })

  await t.test('a network whose liteserver is away does not affect the other', async () => {
    const ready = await readJson<Ready>(`${url}/ready`)
    assert.deepEqual([ready.status, ready.ready, ready.reasons], [200, true, []])
    await second.close()
    await waitUntil('readiness names the network', async () => {
      const { status, ready: isReady, reasons, networks } = await readJson<Ready>(`${url}/ready`)
      const isNamed = reasons.length > 0 && reasons.every((reason) => reason.startsWith('second: '))
      return status === 200 && isReady && isNamed && networks['custom']!.ready && !networks['second']!.ready
    })
    assert.equal((await fetch(`${url}/second/ready`)).status, 503)
    assert.equal(await zeroState(''), ofFirst)
  })

  service.send('SIGTERM')
  assert.equal(await service.exited, 0)
  const logged = service.lines.map((line) => JSON.parse(line) as { readonly network?: string })
  assert.ok(['custom', 'second'].every((name) => logged.some(({ network }) => network === name)))
})

test('a network whose process dies is started again while the other answers', { timeout: 240_000 }, async (t) => {
  const folder = tempFolder(t)
  writeFileSync(join(folder, 'b.json'), JSON.stringify({ seed: 'b', ephemeral: true, index: false }))
  const service = new ServeProcess(
    ['start', '--seed', 'a', '--ephemeral', '--no-index', '--port', '0', '--log-level', 'error', '--also', 'b=b.json'],
    folder,
  )
  t.after(() => service.kill())
  const url = await service.url
  const headers = { 'content-type': 'application/json' }
  const post = (path: string) => fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
  // Controls of an embedded network are for programs on this machine, and this is one.
  assert.equal((await post('/b/dev/mine')).status, 200)
  assert.equal((await post('/dev/mine')).status, 200)
  await t.test('pages of a network stay below its prefix', async (inner) => {
    if (!haveBrowser(inner)) return
    const browser = await openBrowser()
    inner.after(() => browser.close())
    const { page, faults } = await openPage(browser, url)
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/b/')) faults.push(`request to ${pathname}`)
    })
    await page.goto('/b/')
    await page.locator('.network', { hasText: /^b$/ }).waitFor()
    await page.locator('.facts', { hasText: 'Newest block' }).waitFor()
    await page.getByRole('link', { name: 'Network', exact: true }).click()
    await page.waitForURL('**/b/validators')
    await page.goto('/b/block/-1/8000000000000000/2')
    await page.locator('.list li').first().locator('a').nth(1).click()
    await page.waitForURL(/\/b\/tx\//)
    await page.goto('/b/docs#v2/getMasterchainInfo')
    await page.getByRole('button', { name: 'Send the request' }).click()
    await page.locator('[data-status="200"]').waitFor()
    assert.deepEqual(faults, [])
  })
  const [ofB] = childrenOf(service.pid).filter((pid) => commandOf(pid).startsWith('chaincenter b'))
  const isServed = async (base: string): Promise<boolean> => {
    const { status, error } = await readJson<{ error?: string }>(`${url}${base}/api/v2/getMasterchainInfo`)
    if (status !== 200)
      assert.deepEqual([status, error?.includes('network b') || error?.includes('starting')], [503, true])
    return status === 200
  }
  process.kill(ofB!, 'SIGKILL')
  await waitUntil('readiness names the network', async () => {
    const { status, reasons } = await readJson<Ready>(`${url}/ready`)
    return status === 200 && reasons.some((reason) => reason.startsWith('b: '))
  })
  assert.ok(await isServed(''))
  await waitUntil('it is served again', () => isServed('/b'))
  assert.ok(await isServed(''))
  service.send('SIGTERM')
  assert.equal(await service.exited, 0)
  assert.deepEqual(
    service.lines
      .map((line) => JSON.parse(line) as { message: string; network: string })
      .map((line) => [line.network, line.message]),
    [['b', 'network failed, restarting']],
  )
})

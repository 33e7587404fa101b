import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fetchGlobalConfig } from '../src/cli/compose.ts'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { GlobalConfigError } from '../src/node/globalConfig.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { haveDatabase } from './support/database.ts'
import { type ReceivedSpan, startOtlpReceiver } from './support/otlpReceiver.ts'
import { childrenOf, commandOf } from './support/processTree.ts'
import { haveReadOnlyMount, runWithReadOnly } from './support/readOnlyFolder.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { ServeProcess } from './support/serveProcess.ts'
import { tempFolder } from './support/tempFolder.ts'
import { untilIndexed } from './support/untilIndexed.ts'
import { waitUntil } from './support/waitUntil.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')

const startStill = async (t: TestContext) => {
  const network = await startNetwork({ mining: { mode: 'manual' } })
  t.after(() => network.close())
  return network
}

test('the service serves the network of a global configuration', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startStill(t)
  await network.controls.mine(1)
  const args = ['start', '--global-config', network.globalConfig.path, '--dialect', 'ton', '--port', '0', '--json']
  const limits = ['--anonymous-v2', '50', '--anonymous-v3', '100']
  // A collector that others name is not asked for: telemetry is off unless a setting of ours says so.
  const collector = await startOtlpReceiver()
  t.after(() => collector.close())
  const child = spawn(process.execPath, [launcher, ...args, '--log-level', 'warn', ...limits], {
    cwd: tempFolder(t),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, v2, v2Ton, v3, v3Ton } = JSON.parse(line) as { readonly [name: string]: string }
  assert.deepEqual([v2, v2Ton], [`${url}/api/v2`, `${url}/ton/api/v2`])
  assert.deepEqual([v3, v3Ton], [`${url}/api/v3`, `${url}/ton/api/v3`])
  await untilIndexed(v3!, 3)
  for (const base of [v2, v2Ton]) {
    const response = await fetch(`${base}/getMasterchainInfo`)
    // Limits are on for whoever is not told otherwise.
    assert.equal(response.headers.get('ratelimit-limit'), '50')
    const { result } = (await response.json()) as { result: { last: { '@type': string; seqno: number } } }
    assert.deepEqual([result.last['@type'], result.last.seqno], ['ton.blockIdExt', 3])
  }
  assert.equal((await fetch(`${url}/dev/status`)).status, 404)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.equal(collector.requests, 0)
})

test('told to stop, an embedded network that is being indexed ends without a complaint', {
  timeout: 120_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const args = ['start', '--port', '0', '--json', '--log-level', 'warn', '--block-interval', '200ms']
  const folder = tempFolder(t)
  const child = spawn(process.execPath, [launcher, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const said = child.stderr.toArray()
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  await untilIndexed((JSON.parse(line) as { readonly v3: string }).v3, 10)
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await exit, [0, null])
  assert.equal((await said).join(''), '')

  await t.test('a data folder that is read-only is named with what to do, an old one and a new one', async (part) => {
    if (!haveReadOnlyMount(part, folder)) return
    for (const dataDir of ['.chaincenter', 'new']) {
      const command = [process.execPath, launcher, 'start', '--port', '0', '--data-dir', join(folder, dataDir)]
      const { exitCode, err } = await runWithReadOnly(folder, command)
      assert.equal(exitCode, 1, err)
      const [said = '', advice, ...more] = err.trimEnd().split('\n')
      assert.match(said, /^The .*\bread-only\b.*\.$/)
      assert.ok(said.includes(join(folder, dataDir)), said)
      assert.equal(advice, 'Set a writable folder with --data-dir, or mount this one read-write.')
      assert.deepEqual(more, [])
      assert.doesNotMatch(err, /bug| {4}at /)
    }
  })
})

type Head = { readonly result: { readonly last: { readonly seqno: number } } }

test('requests have a process of their own: controls take effect at once, and it is replaced when it dies', {
  timeout: 240_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const folder = tempFolder(t)
  const collector = await startOtlpReceiver()
  t.after(() => collector.close())
  const settings = ['--data-dir', folder, '--mining', 'manual', '--log-level', 'error', '--no-limits']
  const telemetry = ['--otlp-endpoint', collector.url, '--trust-traceparent']
  const service = new ServeProcess(['start', '--workers', '1', '--port', '0', ...settings, ...telemetry], folder)
  t.after(() => service.kill())
  const url = await service.url
  const post = async (path: string, body: unknown = {}): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const readHead = async (): Promise<number> =>
    ((await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as Head).result.last.seqno
  // A message that a control sent is pending soon. Emulation begins a moment after the service answers: the first may be too early.
  await waitUntil(
    'a trace is pending',
    async () => {
      const { result: sent } = (await (
        await post('/dev/faucet', { address: `0:${'7'.repeat(64)}`, amount: '1000000000' })
      ).json()) as { result: { message_hash: string } }
      await delay(1000)
      const pending = `${url}/api/v3/pendingTraces?ext_msg_hash=${encodeURIComponent(sent.message_hash)}`
      const { traces = [] } = (await (await fetch(pending)).json()) as { traces?: unknown[] }
      return traces.length === 1
    },
    { timeoutMs: 60_000 },
  )
  const before = await readHead()
  const { result: snapshot } = (await (await post('/dev/snapshot')).json()) as { result: { id: string } }
  for (let k = 1; k <= 5; k++) {
    await post('/dev/mine', { blocks: 2 })
    assert.equal(await readHead(), before + 2 * k)
  }
  // As JSON-RPC, and refused for the same reasons as ever.
  const rpc = await post('/dev/jsonRPC', { jsonrpc: '2.0', id: 1, method: 'mine', params: { blocks: 1 } })
  assert.equal(((await rpc.json()) as { result: { head: { seqno: number } } }).result.head.seqno, before + 11)
  assert.equal((await post('/dev/mine', { blocks: 0 })).status, 422)
  const unknown = await post('/dev/revert', { id: 'none' })
  assert.deepEqual(
    [unknown.status, ((await unknown.json()) as { error_code: string }).error_code],
    [404, 'dev_snapshot_not_found'],
  )
  assert.equal((await fetch(`${url}/dev/status`, { headers: { origin: 'https://example.org' } })).status, 403)
  await post('/dev/revert', { id: snapshot.id })
  assert.equal(await readHead(), before)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /chaincenter_work_in_flight\{worker="0",work="index"\} \d/)
  assert.match(metrics, /process_resident_memory_bytes\{worker="primary"\}/)
  await t.test('traces go through all processes to one collector', () => expectTraces(url, service.pid, collector))
  // A collector that is gone harms nobody.
  await collector.close()
  const [answering] = childrenOf(service.pid).filter((pid) => commandOf(pid).startsWith('chaincenter answers'))
  process.kill(answering!, 'SIGKILL')
  await waitUntil('it answers again', () =>
    readHead().then(
      (seqno) => seqno === before,
      () => false,
    ),
  )
  service.send('SIGTERM')
  assert.equal(await service.exited, 0)
  assert.deepEqual(
    service.lines.map((line) => (JSON.parse(line) as { message: string }).message),
    ['answering process exited, restarting'],
  )
  assert.throws(() => process.kill(answering!, 0))
})

/** Requests and blocks, each a trace from its begin to the liteserver, the database and the rows. */
const expectTraces = async (
  url: string,
  primary: number,
  { spans, pathOf }: Awaited<ReturnType<typeof startOtlpReceiver>>,
): Promise<void> => {
  const lastId = 'cd'.repeat(8)
  /** Asks with a trace of its own, until the span comes that the test waits for. Returns the way to it from the top. */
  const traceOf = async (wanted: RegExp, ask: (account: string) => [path: string, init?: RequestInit]) => {
    let found: ReceivedSpan | undefined
    const ids: string[] = []
    await waitUntil(String(wanted), async () => {
      const id = randomBytes(16).toString('hex')
      ids.push(id)
      // Of another account each time: the state of one that was read before is cached.
      const [path, init] = ask(`0:${id}${id}`)
      const headers = { traceparent: `00-${id}-${lastId}-01`, 'content-type': 'application/json' }
      assert.equal((await fetch(url + path, { ...init, headers })).status, 200, path)
      await delay(SPAN_DELAY_MS)
      found = spans.find((span) => ids.includes(span.traceId) && wanted.test(span.name) && pathOf(span).length > 1)
      return found !== undefined
    })
    return pathOf(found!).reverse()
  }
  const namesOf = (path: readonly ReceivedSpan[]): string[] => path.map(({ name }) => name)
  const rpcBody = (address: string): string =>
    JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'getAddressBalance', params: { address } })
  const [live, posted, rpc, indexed, slow] = await Promise.all([
    traceOf(/getAccountState/, (address) => [`/api/v2/getAddressInformation?address=${address}`]),
    traceOf(/getAccountState/, (address) => [
      '/api/v2/getAddressBalance',
      { method: 'POST', body: JSON.stringify({ address }) },
    ]),
    traceOf(/getAccountState/, (address) => ['/api/v2/jsonRPC', { method: 'POST', body: rpcBody(address) }]),
    traceOf(/^SELECT/, () => ['/api/v3/transactions?limit=3']),
    traceOf(/^slow lane$/, () => ['/api/v3/blocks?limit=500']),
  ])

  assert.deepEqual(namesOf(live), ['GET /api/v2/getAddressInformation', 'liteServer.getAccountState'])
  assert.equal(live[0]!.parentSpanId, lastId)
  assert.deepEqual([live[0]!.kind, live[0]!.attributes['http.response.status_code']], [2, 200])
  assert.equal(live[1]!.attributes['rpc.system.name'], 'liteserver')

  // Bodies arrive in events of the socket.
  assert.deepEqual(namesOf(posted), ['POST /api/v2/getAddressBalance', 'liteServer.getAccountState'])
  assert.deepEqual(namesOf(rpc), ['POST /api/v2/jsonRPC', 'liteServer.getAccountState'])
  assert.equal(rpc[0]!.attributes['rpc.method'], 'getAddressBalance')

  assert.equal(indexed[0]!.name, 'GET /api/v3/transactions')
  assert.equal(indexed.at(-1)!.attributes['db.system.name'], 'postgresql')
  assert.match(String(indexed.at(-1)!.attributes['db.query.text']), /^select/i)

  assert.deepEqual(namesOf(slow), ['GET /api/v3/blocks', 'slow lane'])
  const reads = spans.filter(({ parentSpanId }) => parentSpanId === slow[1]!.spanId)
  assert.ok(
    reads.some(({ name }) => name.startsWith('SELECT')),
    JSON.stringify(reads),
  )
  // The network and its index, the answers, the long answers.
  const pids = [indexed[0]!.pid, slow[1]!.pid]
  assert.equal(new Set([primary, ...pids]).size, 3)

  const rows = spans.find(({ name }) => name === 'COPY transactions')!
  const block = pathOf(rows).reverse()
  assert.deepEqual(namesOf(block), ['index block', 'commit', 'COPY transactions'])
  assert.ok(Number(rows.attributes['chaincenter.rows']) > 0)
  assert.deepEqual([block[0]!.pid, block[0]!.parentSpanId ?? ''], [primary, ''])
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === block[0]!.spanId).map(({ name }) => name)
  assert.deepEqual([...new Set(parts)].toSorted(), ['commit', 'decode', 'fetch', 'inspect', 'link', 'resolve'])
}

/** Longer than spans wait to be sent. */
const SPAN_DELAY_MS = 1200
test('a global configuration of another network is refused', async (t) => {
  const network = await startStill(t)
  const { path } = network.globalConfig
  const args = ['start', '--network', 'main', '--global-config', path, '--port', '0']
  const { exitCode, err } = await runCommandLine(t, args)
  assert.notEqual(exitCode, 0)
  assert.match(err, /does not belong to the network main/)
})

test('the published configuration is fetched, and kept for when it cannot be', async (t) => {
  const network = await startStill(t)
  const lines: string[] = []
  const write = (text: string): void => void lines.push(text)
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write })
  const text = readFileSync(network.globalConfig.path)
  let status = 200
  const server = createServer((_request, response) => {
    response.writeHead(status)
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const path = join(tempFolder(t), 'deep', 'main.config.json')
  status = 500
  await assert.rejects(fetchGlobalConfig(url, path, logger), GlobalConfigError)
  status = 200
  const fetched = await fetchGlobalConfig(url, path, logger)
  assert.equal(fetched.liteServers[0]?.port, network.liteserver.port)
  status = 500
  assert.deepEqual(await fetchGlobalConfig(url, path, logger), fetched)
  assert.equal(lines.length, 1)
})

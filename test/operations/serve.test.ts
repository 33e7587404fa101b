import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { openClient as openDatabaseClient } from '../../src/store/connect/openClient.ts'
import { repository } from '../support/childScript.ts'
import { freshDatabase, haveDatabase, serverFolder } from '../support/database.ts'
import { parseMetrics } from '../support/parseMetrics.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil } from '../support/waitUntil.ts'

type Ground = { readonly network: RunningNetwork; readonly databaseUrl: string }

/** A network that makes blocks when told to, with its index in a database. */
const startGround = async (t: TestContext, url?: string): Promise<Ground> => {
  const databaseUrl = url ?? (await freshDatabase(t))
  const network = await startNetwork({ mining: { mode: 'manual' }, http: {}, index: { databaseUrl } })
  t.after(() => network.close())
  await network.controls.mine(2)
  await network.indexed
  await untilIndexed(`${network.url}/api/v3`, 4)
  return { network, databaseUrl }
}

const serve = (t: TestContext, args: readonly string[]): ServeProcess => {
  const process = new ServeProcess(['serve', '--port', '0', ...args], tempFolder(t))
  t.after(() => process.kill())
  return process
}

const readJson = async (url: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
  const response = await fetch(url)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** A request on a connection of its own, so that each may come to another worker. */
const ask = (url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    get(url, { agent: new Agent(), headers }, (response) => done(response.resume())).on('error', fail)
  })

/** A request on a connection of its own; `ended` says how it came to an end. */
const openClient = (url: string): { readonly state: { ended: string | undefined } } => {
  const { hostname, port } = new URL(url)
  const state: { ended: string | undefined } = { ended: undefined }
  const socket = connect(Number(port), hostname)
  const end = (how: string): void => {
    state.ended ??= how
    socket.destroy()
  }
  socket.write(`GET /healthcheck HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
  socket.on('data', () => end('answered'))
  socket.on('error', (error: NodeJS.ErrnoException) => end(String(error.code)))
  socket.on('close', () => end('closed'))
  return { state }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, k) => k)

test('serve answers for a network and its index in two processes that act as one', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const { network, databaseUrl } = await startGround(t)
  const settings = ['--workers', '2', '--global-config', network.globalConfig.path, '--database-url', databaseUrl]
  const service = serve(t, [...settings, '--ready-head-age', '1d', '--drain-delay', '1s', '--anonymous-v2', '1:30'])
  const url = await service.url
  assert.deepEqual(await readJson(`${url}/healthcheck`), { status: 200, body: { alive: true } })
  const ready = await readJson(`${url}/ready`)
  assert.deepEqual([ready.status, ready.body['ready'], ready.body['reasons']], [200, true, []])
  assert.deepEqual(ready.body['index'], { seqno: 4, lag: 0 })
  const live = (await readJson(`${url}/api/v2/getMasterchainInfo`)).body as { result: { last: { seqno: number } } }
  const indexed = (await readJson(`${url}/api/v3/masterchainInfo`)).body as { last: { seqno: number } }
  assert.deepEqual([live.result.last.seqno, indexed.last.seqno], [4, 4])

  const named = await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-request-id': 'mine-1' })
  assert.equal(named.headers['x-request-id'], 'mine-1')
  const unnamed = await ask(`${url}/api/v2/getMasterchainInfo`, { 'x-request-id': 'no\tgood' })
  assert.match(String(unnamed.headers['x-request-id']), /^[0-9a-f]{12}-[0-9a-z]+$/)

  // Each worker alone would let 30 in at once.
  const begun = Date.now()
  const statuses = await Promise.all(
    range(60).map(async () => (await ask(`${url}/api/v2/getMasterchainInfo`)).statusCode),
  )
  const most = 31 + Math.ceil((Date.now() - begun) / 1000)
  const allowed = statuses.filter((status) => status === 200).length
  assert.ok(allowed >= 20 && allowed <= most, `${allowed} were let in, and ${most} may be`)
  assert.equal(statuses.filter((status) => status === 429).length, 60 - allowed)

  const { operations } = await service.ready
  const { samples, types } = await readMetrics(operations!)
  const counted = samples.filter(
    ({ name, labels }) => name === 'chaincenter_http_requests_total' && labels['interface'] === '/api/v2',
  )
  const countOf = (label: string, value: string): number =>
    counted.reduce((sum, sample) => sum + (sample.labels[label] === value ? sample.value : 0), 0)
  assert.deepEqual([countOf('status', '200'), countOf('status', '429')], [allowed + 3, 60 - allowed])
  for (const worker of ['0', '1'])
    assert.ok(countOf('worker', worker) > 0, `worker ${worker}: ${countOf('worker', worker)}`)
  assert.deepEqual(samples.find(({ name }) => name === 'chaincenter_workers')?.value, 2)

  await t.test('the dashboard and the alerts ask for nothing that is not there', async () => {
    const known = new Set([...types.keys(), ...(await readMetrics(network.url!)).types.keys()])
    const asked = listWatchedMetrics()
    assert.ok(asked.size > 30)
    assert.deepEqual(
      [...asked].filter((name) => !known.has(name)),
      [],
    )
  })

  await t.test('a worker that dies leaves no connection behind: its clients know at once', async () => {
    const [victim] = workersOf(service.pid)
    // It takes nothing any more, and does not know that it is to.
    process.kill(victim!, 'SIGSTOP')
    const clients = range(4).map(() => openClient(url))
    await delay(1000)
    const waiting = clients.filter(({ state }) => state.ended === undefined)
    assert.ok(waiting.length > 0, 'one connection was handed to the worker that is stopped')
    process.kill(victim!, 'SIGKILL')
    const begun = Date.now()
    while (waiting.some(({ state }) => state.ended === undefined) && Date.now() < begun + 10_000) await delay(20)
    const ms = Date.now() - begun
    assert.deepEqual(
      waiting.map(({ state }) => state.ended),
      waiting.map(() => 'ECONNRESET'),
    )
    assert.ok(ms < 2000, `they knew after ${ms} ms`)
    assert.ok(service.lines.some((line) => line.includes('connections of exited worker reset')))
    await untilBothServe(operations!)
  })

  await t.test('a worker that dies is replaced, and nobody is turned away for long', async () => {
    const long = await Promise.all(range(4).map(() => ask(`${url}/api/v3/blocks?limit=200`)))
    assert.deepEqual([...new Set(long.map(({ statusCode }) => statusCode))], [200])
    const victim = workersOf(service.pid).find((worker) => lanesOf(worker).length > 0)
    const [lane] = lanesOf(victim!)
    process.kill(victim!, 'SIGKILL')
    await waitUntil('the end of its slow lane', () => !isRunning(lane!))
    const end = Date.now() + 30_000
    let lost = 0
    for (;;) {
      const workers = workersOf(service.pid)
      if (workers.length === 2 && !workers.includes(victim!)) break
      assert.ok(Date.now() < end, 'no worker came in place of the one that died')
      // What was handed to it in the moment of its death is lost with it.
      await fetch(`${url}/healthcheck`, { signal: AbortSignal.timeout(10_000) }).catch(() => lost++)
      await delay(50)
    }
    assert.ok(lost <= 2, `${lost} requests were lost`)
    assert.ok(service.lines.some((line) => line.includes('worker exited, restarting')))
    await untilBothServe(operations!)
  })

  await t.test('told to stop, it says that it is not ready, finishes and ends', async () => {
    await Promise.all(range(4).map(() => ask(`${url}/api/v3/blocks?limit=200`)))
    const lanes = workersOf(service.pid).flatMap(lanesOf)
    assert.ok(lanes.length > 0)
    service.send('SIGTERM')
    const end = Date.now() + 900
    let last = await readJson(`${url}/ready`)
    while (last.status !== 503 && Date.now() < end) last = await readJson(`${url}/ready`)
    assert.equal(last.status, 503)
    assert.match(String(last.body['reasons']), /about to stop/)
    const answer = await ask(`${url}/api/v3/masterchainInfo`)
    assert.deepEqual([answer.statusCode, answer.headers.connection], [200, 'close'])
    assert.equal(await service.exited, 0)
    assert.deepEqual(workersOf(service.pid), [])
    assert.deepEqual(lanes.filter(isRunning), [])
    await assert.rejects(fetch(`${url}/healthcheck`))
  })
})

/** A worker that has been started serves a while later. */
const untilBothServe = async (operations: string): Promise<void> => {
  const end = Date.now() + 60_000
  for (;;) {
    const { samples } = await readMetrics(operations)
    if (samples.find(({ name }) => name === 'chaincenter_workers')?.value === 2) return
    assert.ok(Date.now() < end, 'the worker in place of the one that died does not serve')
    await delay(50)
  }
}

const readMetrics = async (url: string) => parseMetrics(await (await fetch(`${url}/metrics`)).text())

const deploy = join(repository, 'deploy')

/** The names that the dashboard and the alert rules have in their expressions. */
const listWatchedMetrics = (): Set<string> => {
  const files = ['grafana/dashboards/chaincenter.json', 'prometheus/alerts.yml']
  const text = files.map((file) => readFileSync(join(deploy, file), 'utf8')).join('\n')
  const names = text.match(/\b(chaincenter|process|nodejs)_[a-z0-9_]+/g) ?? []
  return new Set(names.map((name) => name.replace(/_seconds_bucket$/, '_seconds')))
}

/** The processes that another has started, by what the system says of them. */
const workersOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The slow lanes of a worker. */
const lanesOf = (worker: number): number[] =>
  workersOf(worker).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('slowLaneProcess'))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What a coordinator says whose worker is away, for each read of a table. */
const loseWorker = `
  ALTER TABLE transactions RENAME TO kept_transactions;
  CREATE FUNCTION lost() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'connection to the remote node worker:5432 failed' USING ERRCODE = '08006';
  END $$;
  CREATE VIEW transactions AS SELECT * FROM kept_transactions WHERE lost()`

const findWorker = 'DROP VIEW transactions; ALTER TABLE kept_transactions RENAME TO transactions'

test('ready says what is missing: a node, an index that keeps up, reads, actions, the database', {
  timeout: 90_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const server = await serverFolder(t).start()
  const { network, databaseUrl } = await startGround(t, server.url)
  const settings = ['--global-config', network.globalConfig.path, '--database-url', databaseUrl]
  const service = serve(t, [...settings, '--ready-head-age', '1s', '--ready-index-lag', '1s'])
  const url = await service.url
  await delay(1500)
  const old = await readJson(`${url}/ready`)
  assert.equal(old.status, 503)
  assert.match(String(old.body['reasons']), /^The newest block of the network is \d+ s old, and 1 s are allowed\.$/)
  await network.close()
  await delay(2500)
  const alone = await readJson(`${url}/ready`)
  assert.match(String(alone.body['reasons']), /None of 1 liteservers answers\..*The index is \d+ s behind/)
  // What needs no node is answered still.
  const indexed = (await readJson(`${url}/api/v3/masterchainInfo`)).body as { last: { seqno: number } }
  assert.equal(indexed.last.seqno, 4)
  const live = await readJson(`${url}/api/v2/getMasterchainInfo`)
  assert.deepEqual([live.status, live.body['code']], [542, 542])

  const change = async (statements: string): Promise<void> => {
    const client = await openDatabaseClient({ url: databaseUrl, name: 'test', statementTimeoutMs: 10_000 })
    await client.query(statements).finally(() => client.end())
  }
  const untilReason = (pattern: RegExp): Promise<void> =>
    waitUntil(String(pattern), async () => pattern.test(String((await readJson(`${url}/ready`)).body['reasons'])))
  await change(
    `UPDATE index_state SET classifier_failing_since = now() - interval '1 minute', classifier_failure = 'No.'`,
  )
  await untilReason(/Actions are not classified since .*Z: No\./)
  await change('UPDATE index_state SET classifier_failing_since = NULL, classifier_failure = NULL')

  await change(loseWorker)
  await untilReason(/The index cannot be read: A worker of the database cluster is not available/)
  const lost = await fetch(`${url}/api/v3/transactions?limit=1`)
  assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '1'])
  assert.match(await lost.text(), /^{"error":"A worker of the index database is unavailable/)
  assert.equal((await readJson(`${url}/api/v3/masterchainInfo`)).status, 200)
  await change(findWorker)
  assert.equal((await readJson(`${url}/api/v3/transactions?limit=1`)).status, 200)

  await server.stop()
  await untilReason(/The database does not answer: /)
  const away = await fetch(`${url}/api/v3/transactions?limit=2`)
  assert.deepEqual([away.status, away.headers.get('retry-after')], [500, '1'])
  assert.match(await away.text(), /^{"error":"The index database is unavailable\. Retry later\."}/)
})

test('there must be something to serve', async (t) => {
  const { exitCode, err } = await runCommandLine(t, ['serve'])
  assert.equal(exitCode, 2)
  assert.match(err, /no network and no --database-url is configured/)
})

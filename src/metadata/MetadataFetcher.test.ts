import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { childArguments, childModule } from '../../test/support/childScript.ts'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../test/support/database.ts'
import { silentLogger } from '../../test/support/databaseServer.ts'
import { type MetadataRow, passTime, putTokens, readMetadataRows, type TokenRow } from '../../test/support/tokenRows.ts'
import { openRules, serveWeb } from '../../test/support/webServer.ts'
import { Metrics } from '../observe/Metrics.ts'
import type { Database } from '../store/connect/Database.ts'
import type { FetchRules } from './fetch/FetchRules.ts'
import { MetadataFetcher, type MetadataOptions, metadataTimes } from './MetadataFetcher.ts'

const WEEK = 7 * 86_400

// Everything is looked at at once; the rest of the time is moved by hand.
const times = { ...metadataTimes, idleMs: 20, lookMs: 20 }

const startFetcher = (
  t: TestContext,
  database: Database,
  rules: FetchRules,
  options: Partial<MetadataOptions> = {},
): MetadataFetcher => {
  const fetcher = new MetadataFetcher({
    database,
    rules,
    imageProxy: undefined,
    parallel: 32,
    logger: silentLogger,
    metrics: new Metrics(),
    times,
    ...options,
  })
  t.after(() => fetcher.close())
  fetcher.start()
  return fetcher
}

const waitFor = async (
  database: Database,
  isReached: (rows: readonly MetadataRow[]) => boolean,
): Promise<MetadataRow[]> => {
  const end = performance.now() + 30_000
  for (;;) {
    const rows = await readMetadataRows(database)
    if (isReached(rows)) return rows
    assert.ok(performance.now() < end, `not reached: ${JSON.stringify(rows.slice(0, 5))}`)
    await delay(20)
  }
}

const allFound =
  (count: number) =>
  (rows: readonly MetadataRow[]): boolean =>
    rows.length === count && rows.every(({ valid }) => valid !== null)

const answer =
  (documents: Readonly<Record<string, unknown>>): RequestListener =>
  ({ url = '' }, response) => {
    const document = documents[url.slice(1)]
    if (document === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  }

test('tokens of every kind are found and looked up', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const documents = {
    'jetton.json': { name: 'Jetton', symbol: 'JET', decimals: 6, image: 'https://x.test/j.png', big: 'a\0b' },
    'half.json': { name: 'not this', description: 'from outside' },
    'item.json': { name: 'Item', attributes: [{ trait_type: 'a', value: 1 }] },
  }
  const { port } = await serveWeb(t, answer(documents))
  const at = (path: string): string => `http://web.test:${port}/${path}`
  await putTokens(database, [
    { type: 'jetton_masters', number: 1, content: { uri: at('jetton.json') } },
    { type: 'jetton_masters', number: 2, content: { uri: at('half.json'), name: 'Half', symbol: 'HALF' } },
    { type: 'jetton_masters', number: 3, content: { name: 'On chain', symbol: 'ON', decimals: '9' } },
    { type: 'nft_collections', number: 4, content: { uri: 'data:application/json,{"name":"Inline"}' } },
    { type: 'nft_items', number: 5, content: { uri: at('item.json') } },
    { type: 'nft_items', number: 6, content: { uri: 'http://10.0.0.1/x' } },
    { type: 'nft_items', number: 7, content: null },
    // One address with two roles.
    { type: 'nft_collections', number: 7, content: { name: 'Both' } },
  ])
  const fetcher = startFetcher(t, database, openRules(), { imageProxy: new URL('https://proxy.test') })
  const rows = await waitFor(database, allFound(8))
  const nothing = { tries: 0, valid: true, name: null, description: null, symbol: null, image: null, error: null }
  const source = Buffer.from('https://x.test/j.png').toString('base64url')
  assert.deepEqual(
    rows.map(({ next, ...row }) => {
      assert.ok(next > WEEK - 60 && next <= WEEK, `${row.number} is due in ${next} s`)
      return row
    }),
    [
      {
        ...nothing,
        number: 1,
        type: 'jetton_masters',
        name: 'Jetton',
        symbol: 'JET',
        image: 'https://x.test/j.png',
        extra: {
          uri: at('jetton.json'),
          decimals: '6',
          big: 'ab',
          _image_small: `https://proxy.test/pr:small/${source}`,
          _image_medium: `https://proxy.test/pr:medium/${source}`,
          _image_big: `https://proxy.test/pr:big/${source}`,
        },
      },
      {
        ...nothing,
        number: 2,
        type: 'jetton_masters',
        name: 'Half',
        symbol: 'HALF',
        description: 'from outside',
        extra: { uri: at('half.json') },
      },
      { ...nothing, number: 3, type: 'jetton_masters', name: 'On chain', symbol: 'ON', extra: { decimals: '9' } },
      {
        ...nothing,
        number: 4,
        type: 'nft_collections',
        name: 'Inline',
        extra: { uri: 'data:application/json,{"name":"Inline"}' },
      },
      {
        ...nothing,
        number: 5,
        type: 'nft_items',
        name: 'Item',
        extra: { uri: at('item.json'), attributes: [{ trait_type: 'a', value: 1 }] },
      },
      {
        ...nothing,
        number: 6,
        type: 'nft_items',
        tries: 1,
        valid: false,
        extra: { uri: 'http://10.0.0.1/x' },
        error: '10.0.0.1 is not a public address.',
      },
      { ...nothing, number: 7, type: 'nft_collections', name: 'Both', extra: {} },
      { ...nothing, number: 7, type: 'nft_items', valid: false, extra: {}, error: 'No metadata found.' },
    ],
  )
  assert.deepEqual(fetcher.totals, { found: 7, failed: 1, retry: 0, postponed: 0 })
  // Those that come later, at either end of time, are found, too.
  await putTokens(database, [
    { type: 'nft_items', number: 8, content: { name: 'newer' }, sinceLt: 10n ** 12n },
    { type: 'nft_items', number: 9, content: { name: 'older' }, sinceLt: -(10n ** 12n) },
    { type: 'jetton_masters', number: 10, content: { symbol: 'first' }, sinceLt: 5n },
  ])
  await waitFor(database, allFound(11))
})

test('what fails is tried five times more, each time after a longer pause, and again after a week', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  let requests = 0
  let document: unknown
  const { port } = await serveWeb(t, (request, response) => {
    requests++
    answer({ x: document })(request, response)
  })
  await putTokens(database, [{ type: 'nft_items', number: 1, content: { uri: `http://web.test:${port}/x` } }])
  startFetcher(t, database, openRules())
  const reach = (tries: number) => waitFor(database, ([row]) => row?.tries === tries && row.error !== null)
  for (let tries = 1; tries <= 5; tries++) {
    const [row] = await reach(tries)
    const pause = 5 * 2 ** (tries - 1)
    assert.equal(row!.valid, null)
    assert.equal(row!.error, `web.test:${port} responded with status 404; expected 200.`)
    assert.ok(row!.next > pause - 3 && row!.next <= pause * 1.1, `after ${tries}: ${row!.next} s`)
    assert.equal(requests, tries)
    await passTime(database, pause * 1.1)
  }
  const [failed] = await reach(6)
  assert.deepEqual([failed!.valid, requests], [false, 6])
  assert.ok(failed!.next > WEEK - 60)
  // A week later it begins from the start, and this time it is there.
  await passTime(database, WEEK)
  await reach(1)
  document = { name: 'at last' }
  await passTime(database, 10)
  const [found] = await waitFor(database, ([row]) => row?.valid === true)
  assert.deepEqual([found!.name, found!.tries, found!.error], ['at last', 0, null])
  // Once it was there, it stays, also when it cannot be had again.
  document = undefined
  for (let tries = 1; tries <= 6; tries++) {
    await passTime(database, WEEK)
    await reach(tries)
  }
  const [kept] = await readMetadataRows(database)
  assert.deepEqual([kept!.valid, kept!.name, kept!.tries], [true, 'at last', 6])
  assert.ok(kept!.next > WEEK - 60)
})

test('when the content on the chain changes, it is looked up again; when the token goes, it goes', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const { port } = await serveWeb(t, answer({ a: { name: 'A' }, b: { name: 'B' } }))
  const put = (path: string): Promise<void> =>
    putTokens(database, [{ type: 'nft_items', number: 1, content: { uri: `http://web.test:${port}/${path}` } }])
  await put('a')
  const fetcher = startFetcher(t, database, openRules(), { times: { ...times, sweepMs: 100 } })
  await waitFor(database, ([row]) => row?.name === 'A')
  await put('b')
  await waitFor(database, ([row]) => row?.name === 'B')
  // Of what is not there any more, nothing is kept.
  await put('gone')
  await waitFor(database, ([row]) => row?.valid === null && row.tries === 1)
  await fetcher.close()
  await database.transaction((client) => client.query('DELETE FROM nft_items'))
  await passTime(database, 3600)
  startFetcher(t, database, openRules())
  await waitFor(database, (rows) => rows.length === 0)
})

test('one host with many tokens is asked gently, and holds up no other', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  let active = 0
  let most = 0
  let answered = 0
  const { port } = await serveWeb(t, (request, response) => {
    if (request.headers.host?.startsWith('web')) {
      // When the other host is asked, most of the many are still to come.
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"name":"${answered}"}`)
      return
    }
    most = Math.max(most, ++active)
    setTimeout(() => {
      active--
      answered++
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}')
    }, 100)
  })
  const many = 60
  const rows = Array.from({ length: many }, (_, k) => ({ host: 'many.test', number: k + 2 }))
  await putTokens(
    database,
    [...rows, { host: 'web.test', number: 1 }].map(({ host, number }) => ({
      type: 'nft_items',
      number,
      content: { uri: `http://${host}:${port}/${number}` },
    })),
  )
  const rules = openRules({ 'many.test': ['127.0.0.1'] })
  const fetcher = startFetcher(t, database, rules, { parallel: 8 })
  const [other] = await waitFor(database, allFound(many + 1))
  assert.ok(Number(other!.name) < many / 2, `${other!.name} came before it`)
  assert.deepEqual([most, answered], [4, many])
  // Each had to come back about once.
  assert.ok(fetcher.totals.postponed < 3 * many, `${fetcher.totals.postponed} times`)
  t.diagnostic(`${fetcher.totals.postponed} times postponed`)
})

const COUNT = 400

const manyTokens = (port: number): TokenRow[] =>
  Array.from({ length: COUNT }, (_, k) => ({
    type: 'nft_items',
    number: k,
    content: { uri: `http://h${k % 20}.test:${port}/${k}` },
  }))

const countingRules = (): FetchRules => ({ ...openRules(), resolve: async () => ['127.0.0.1'] })

test('several workers share the work, and none does that of another', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const databases = await Promise.all(Array.from({ length: 3 }, () => openFreshDatabase(t, { url })))
  const seen = new Map<string, number>()
  const active = new Map<string, number>()
  let most = 0
  let mostOfOne = 0
  const { port } = await serveWeb(t, (request, response) => {
    const host = request.headers.host ?? ''
    seen.set(request.url ?? '', (seen.get(request.url ?? '') ?? 0) + 1)
    active.set(host, (active.get(host) ?? 0) + 1)
    most = Math.max(
      most,
      [...active.values()].reduce((sum, each) => sum + each, 0),
    )
    mostOfOne = Math.max(mostOfOne, active.get(host)!)
    setTimeout(() => {
      active.set(host, active.get(host)! - 1)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}')
    }, 10)
  })
  await putTokens(databases[0]!, manyTokens(port))
  const fetchers = databases.map((database) => startFetcher(t, database, countingRules(), { parallel: 8 }))
  await waitFor(databases[0]!, allFound(COUNT))
  await Promise.all(fetchers.map((fetcher) => fetcher.close()))
  assert.equal(seen.size, COUNT)
  assert.deepEqual(
    [...seen].filter(([, times]) => times !== 1),
    [],
  )
  const shares = fetchers.map(({ totals }) => totals.found)
  assert.equal(
    shares.reduce((sum, each) => sum + each, 0),
    COUNT,
  )
  assert.ok(most <= 24 && mostOfOne <= 12, `${most} at once, ${mostOfOne} from one host`)
  t.diagnostic(`shares ${shares.join(', ')}; at most ${most} at once, ${mostOfOne} from one host`)
})

test('a worker that is stopped gives back what it held, and another goes on', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  let isStuck = true
  let answered = 0
  const { port } = await serveWeb(t, (request, response) => {
    if (isStuck && Number(request.url?.slice(1)) % 2 === 0) return
    answered++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}')
  })
  const count = 20
  await putTokens(database, manyTokens(port).slice(0, count))
  const first = startFetcher(t, database, countingRules())
  const done = (rows: readonly MetadataRow[]): number => rows.filter(({ valid }) => valid !== null).length
  await waitFor(database, (rows) => done(rows) === count / 2)
  // Those under way are claimed: nobody else sees them.
  const held = (await readMetadataRows(database)).filter(({ valid }) => valid === null)
  assert.ok(held.every(({ next }) => next > 60))
  const start = performance.now()
  await first.close()
  assert.ok(performance.now() - start < 5000)
  const back = (await readMetadataRows(database)).filter(({ valid }) => valid === null)
  assert.equal(back.length, count / 2)
  assert.ok(back.every(({ next, tries, error }) => next <= 0 && tries === 0 && error === null))
  isStuck = false
  startFetcher(t, database, countingRules())
  await waitFor(database, allFound(count))
  assert.equal(answered, count)
})

/** A process of its own that fetches, and whose claims last five seconds. */
const fetchElsewhere = (t: TestContext, url: string) => {
  const at = (path: string): string => childModule(path, import.meta.url)
  const code = `
    const { connectDatabase } = await import(${at('../store/connect/connectDatabase')})
    const { MetadataFetcher, metadataTimes } = await import(${at('./MetadataFetcher')})
    const { Metrics } = await import(${at('../observe/Metrics')})
    const { silentLogger: logger } = await import(${at('../../test/support/databaseServer')})
    const { openRules } = await import(${at('../../test/support/webServer')})
    const { signal } = new AbortController()
    const database = await connectDatabase({ url: ${JSON.stringify(url)}, logger, signal })
    const rules = { ...openRules(), resolve: async () => ['127.0.0.1'] }
    const times = { ...metadataTimes, idleMs: 20, lookMs: 20, claimMs: 5000 }
    new MetadataFetcher({ database, rules, imageProxy: undefined, parallel: 8, logger, metrics: new Metrics(), times }).start()`
  const child = spawn(process.execPath, [...childArguments, '--input-type=module', '-e', code], { stdio: 'inherit' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

test('workers that are killed lose nothing: others go on where they were', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  const seen = new Map<string, number>()
  const { port } = await serveWeb(t, ({ url: path = '' }, response) => {
    seen.set(path, (seen.get(path) ?? 0) + 1)
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}'), 30)
  })
  const count = 200
  await putTokens(database, manyTokens(port).slice(0, count))
  const kills = 3
  for (let k = 0; k < kills; k++) {
    const before = seen.size
    const child = fetchElsewhere(t, url)
    while (seen.size < Math.min(count, before + 30)) await delay(5)
    child.kill('SIGKILL')
  }
  startFetcher(t, database, countingRules())
  await waitFor(database, allFound(count))
  assert.equal(seen.size, count)
  // Only what was under way is asked for again.
  const repeated = [...seen.values()].reduce((sum, times) => sum + times - 1, 0)
  assert.ok(repeated <= kills * 8, `${repeated} were asked for again`)
  t.diagnostic(`${repeated} of ${count} were asked for again after ${kills} kills`)
})

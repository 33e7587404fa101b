import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { freshDatabase, haveDatabase, openFreshDatabase, serverFolder } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { startDyingServer } from '../../../test/support/dyingServer.ts'
import { startFrozenProxy } from '../../../test/support/frozenProxy.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { CodedError } from '../../primitives/errors.ts'
import { KeyBytes } from '../../primitives/KeyBytes.ts'
import { queryBuilder } from '../schema/tables.ts'
import { connectDatabase } from './connectDatabase.ts'
import { describeEndpoint } from './openClient.ts'

const { signal } = new AbortController()

const compile = <Row>(query: ReturnType<typeof sql<Row>>) => query.compile(queryBuilder)

const failureOf = async (work: Promise<unknown>): Promise<CodedError> => {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof CodedError, String(failure))
  return failure
}

const toKey = (...bytes: number[]): KeyBytes => new KeyBytes(Uint8Array.from(bytes).buffer, 0, bytes.length)

test('values come as they are kept here', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  assert.ok(database.majorVersion >= 15 && database.majorVersion <= 18, String(database.majorVersion))
  const { keyedReads, listReads } = database.reader()
  const query = compile(
    sql`SELECT ${2n ** 63n - 1n}::bigint AS int8, ${10n ** 30n}::numeric AS numeric, 7::int AS int4, 1.5::float8 AS float8,
      ${Uint8Array.of(0, 255)}::bytea AS bytea, '{1,-2,NULL}'::bigint[] AS int8s, '{}'::numeric[] AS numerics, NULL::bigint AS none,
      '{"a":[1]}'::jsonb AS jsonb, true AS bool, 'ü' AS text, ARRAY['\\x00ff'::bytea] AS byteas`,
  )
  const expected = [
    {
      int8: 2n ** 63n - 1n,
      numeric: 10n ** 30n,
      int4: 7,
      float8: 1.5,
      bytea: toKey(0, 255),
      int8s: [1n, -2n, null],
      numerics: [],
      none: null,
      jsonb: { a: [1] },
      bool: true,
      text: 'ü',
      byteas: [toKey(0, 255)],
    },
  ]
  assert.deepEqual(await keyedReads.read(query), expected)
  assert.deepEqual(await listReads.read(query), expected)
})

test('many questions at once are each answered with their own', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const { keyedReads } = database.reader()
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, k) => keyedReads.read<{ k: number }>(compile(sql`SELECT ${k}::int AS k`))),
  )
  assert.deepEqual(
    answers.map(([row]) => row?.k),
    Array.from({ length: 600 }, (_, k) => k),
  )
  // One that fails leaves the others alone.
  const mixed = await Promise.allSettled(
    [1, 0, 2].map((k) => keyedReads.read(compile(sql`SELECT 4 / ${k}::int AS value`))),
  )
  assert.deepEqual(
    mixed.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  // More than can wait are refused, not kept.
  const flood = await Promise.allSettled(
    Array.from({ length: 3000 }, () => keyedReads.read(compile(sql`SELECT 1 AS value`))),
  )
  const refused = flood.filter((result) => result.status === 'rejected')
  assert.ok(refused.length > 0 && refused.every(({ reason }) => reason.code === 'database_unavailable'))
})

test('a statement that takes too long is ended, and the connection goes on', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t, { pointTimeoutMs: 200, listTimeoutMs: 200, writeTimeoutMs: 200 })
  const { keyedReads, listReads } = database.reader()
  const slow = compile(sql`SELECT pg_sleep(30)`)
  const works = [
    () => keyedReads.read(slow),
    () => listReads.read(slow),
    () => database.transaction((client) => client.query('SELECT pg_sleep(30)')),
  ]
  for (const work of works) {
    const { code, retryable } = await failureOf(work())
    assert.deepEqual([code, retryable], ['database_timeout', true])
  }
  assert.deepEqual(await keyedReads.read(compile(sql`SELECT 1 AS value`)), [{ value: 1 }])
})

test('a transaction is all or nothing', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction((client) => client.query('CREATE TABLE kept (value int UNIQUE)'))
  const add = (value: number) => database.transaction((client) => client.query('INSERT INTO kept VALUES ($1)', [value]))
  await add(1)
  // A wrong statement is a bug and stays what it is.
  await assert.rejects(add(1), { code: '23505' })
  await assert.rejects(
    database.transaction(async (client) => {
      await client.query('INSERT INTO kept VALUES (2)')
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  // The server undoes what contains a failed statement even when it is asked to commit; that must not look like success.
  const failure = await failureOf(
    database.transaction(async (client) => {
      await client.query('INSERT INTO kept VALUES (3)')
      await client.query('INSERT INTO kept VALUES (1)').catch(() => {})
    }),
  )
  assert.equal(failure.code, 'database_conflict')
  assert.deepEqual(await database.reader().listReads.read(compile(sql`SELECT value FROM kept`)), [{ value: 1 }])
})

test('who is not let in is told why, without secrets', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const connect = (changed: string, waitMs = 0) =>
    failureOf(connectDatabase({ url: changed, logger: silentLogger, signal, waitMs }))
  const wrongPassword = await connect(url.replace(/:[^:/@]+@/, ':hunter2@'))
  assert.deepEqual([wrongPassword.code, wrongPassword.retryable], ['database_refused', false])
  assert.match(wrongPassword.message, /^The database refuses: password authentication failed for user "chaincenter"\.$/)
  assert.doesNotMatch(wrongPassword.message, /hunter2/)
  const noDatabase = await connect(url.replace(/\/test_\w+/, '/nothing'))
  assert.match(noDatabase.message, /^The database refuses: database "nothing" does not exist\.$/)
  for (const unreadable of [
    'mysql://hunter2',
    'postgres://',
    'hunter2',
    'postgres://a b:hunter2@c/d',
    'postgres://u:hunter2@host:port/x',
  ]) {
    const { code, message } = await connect(unreadable)
    assert.equal(code, 'database_refused')
    assert.match(message, /cannot be read: it must look like postgres:\/\/user:password@host:5432\/name\.$/)
    assert.doesNotMatch(message, /hunter2/)
  }
  const nobodyThere = await connect('postgres://u:hunter2@127.0.0.1:1/x', 300)
  assert.deepEqual([nobodyThere.code, nobodyThere.retryable], ['database_unavailable', true])
  assert.match(
    nobodyThere.message,
    /^The database at 127\.0\.0\.1:1\/x did not become available within 0 s\. .*ECONNREFUSED/,
  )
  assert.match(describeEndpoint(url), /^\S+:\d+\/test_\w+$/)
})

test('a server that comes late is waited for, and one that goes is found again', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  const first = await start()
  const { url } = first
  await first.stop()
  const connecting = connectDatabase({ url, logger: silentLogger, signal })
  const second = await start()
  const database = await connecting
  t.after(() => database.close())
  const { keyedReads, listReads } = database.reader()
  const one = compile(sql`SELECT 1 AS value`)
  assert.deepEqual(await keyedReads.read(one), [{ value: 1 }])
  assert.deepEqual(await listReads.read(one), [{ value: 1 }])
  assert.deepEqual((await database.transaction((client) => client.query('SELECT 1 AS value'))).rows, [{ value: 1 }])

  process.kill(second.pid, 'SIGKILL')
  const slow = await failureOf(listReads.read(compile(sql`SELECT pg_sleep(30)`)))
  assert.equal(slow.code, 'database_unavailable')
  const third = await start()
  assert.notEqual(third.pid, second.pid)
  assert.deepEqual(await keyedReads.read(one), [{ value: 1 }])
  assert.deepEqual(await listReads.read(one), [{ value: 1 }])
  assert.deepEqual((await database.transaction((client) => client.query('SELECT 1 AS value'))).rows, [{ value: 1 }])
  assert.ok(folder.length > 0)
})

test('after closing nothing is asked any more, and no connection is left', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  const watcher = await openFreshDatabase(t, { url })
  const { keyedReads, listReads } = database.reader()
  const one = compile(sql`SELECT 1 AS value`)
  await Promise.all([keyedReads.read(one), listReads.read(one)])
  const underWay = keyedReads.read(one)
  await database.close()
  await database.close()
  assert.deepEqual(await underWay, [{ value: 1 }])
  for (const reader of [keyedReads, listReads])
    assert.equal((await failureOf(reader.read(one))).code, 'database_unavailable')
  const left = compile<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'chaincenter %' AND pid <> pg_backend_pid()`,
  )
  for (let tries = 0; ; tries++) {
    const [row] = await watcher.reader().listReads.read(left)
    if (row?.count === 0) break
    assert.ok(tries < 100, `${row?.count} connections are left`)
    await new Promise((done) => setTimeout(done, 20))
  }
})

test('a transaction whose signal has come is broken off soon, and the next one is not touched by it', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url, writeConnections: 1 })
  const watcher = (await openFreshDatabase(t, { url })).reader().listReads
  const asleep = compile(
    sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
  )
  const ending = new AbortController()
  const start = performance.now()
  let isBrokenOff = false
  const slow = failureOf(database.transaction((client) => client.query('SELECT pg_sleep(60)'), ending.signal))
  void slow.then(() => {
    isBrokenOff = true
  })
  // There is one connection, so that this one waits for it.
  const waiting = database.transaction(async () => assert.fail('it must not begin'), ending.signal)
  const refused = assert.rejects(waiting, { message: 'enough' })
  await waitUntil('the statement runs', async () => (await watcher.read(asleep)).length > 0)
  ending.abort(new Error('enough'))
  await refused
  assert.equal(isBrokenOff, false, 'nobody waits for a connection any more')
  assert.equal((await slow).code, 'database_unavailable')
  assert.ok(performance.now() - start < 20_000)
  await assert.rejects(
    database.transaction(async () => 1, ending.signal),
    { message: 'enough' },
  )
  assert.equal(await database.transaction(async () => 2), 2)
})

test('a server that dies in the moment in which a connection is ready ends the transaction, and not the process', async (t) => {
  const database = await connectDatabase({ url: await startDyingServer(t), logger: silentLogger, signal })
  t.after(() => database.close())
  const { code } = await failureOf(database.transaction(async (client) => client.query('SELECT 1')))
  assert.equal(code, 'database_unavailable')
})

test('a server that is too old is refused in one sentence, and the oldest that will do is not', async (t) => {
  const connect = async (version: number) =>
    connectDatabase({ url: await startDyingServer(t, version), logger: silentLogger, signal, waitMs: 0 })
  const { code, message } = await failureOf(connect(140_012))
  assert.equal(code, 'database_version')
  assert.match(message, /^The server at 127\.0\.0\.1:\d+\/none is PostgreSQL 14, and 15 or newer is needed\.$/)
  const database = await connect(150_000)
  assert.equal(database.majorVersion, 15)
  await database.close()
})

test('it closes within a second where the server does not answer any more', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const proxy = await startFrozenProxy(t, await freshDatabase(t))
  const database = await connectDatabase({ url: proxy.url, logger: silentLogger, signal })
  const { keyedReads, listReads } = database.reader()
  const one = compile(sql`SELECT 1 AS one`)
  // Each kind has a connection that is idle.
  await Promise.all([
    keyedReads.read(one),
    listReads.read(one),
    database.transaction((client) => client.query('SELECT 1')),
  ])
  const kept = await database.openConnection('kept')
  proxy.freeze()
  // Each is asked on the connection that it has, and on some that it would have to open.
  const asked = [
    ...Array.from({ length: 3 }, () => keyedReads.read(one)),
    ...Array.from({ length: 3 }, () => listReads.read(one)),
    ...Array.from({ length: 3 }, () => database.transaction((client) => client.query('SELECT 1'))),
    kept.query('SELECT 1'),
  ].map((each) =>
    each.then(
      () => 'answered',
      () => 'failed',
    ),
  )
  await delay(100)
  const start = performance.now()
  await database.close()
  const closedMs = performance.now() - start
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['failed']))
  const allMs = performance.now() - start
  t.diagnostic(`closed after ${Math.round(closedMs)} ms, nobody waited any more after ${Math.round(allMs)} ms`)
  assert.ok(closedMs < 1500 && allMs < 2000, `closed after ${closedMs} ms, all over after ${allMs} ms`)
})

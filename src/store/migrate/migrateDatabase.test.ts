import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { openClient } from '../connect/openClient.ts'
import { checkUpToDate, readApplied } from './appliedMigrations.ts'
import { listMigrations } from './Migration.ts'
import { migrateDatabase } from './migrateDatabase.ts'

const { signal } = new AbortController()

const connect = async (t: TestContext, url: string) => {
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 10_000 })
  t.after(() => client.end())
  return client
}

const first = {
  '0001_bookkeeping.sql': listMigrations()[0]!.sql,
  '0002_things.sql': 'CREATE TABLE things (id int PRIMARY KEY, name text);\nINSERT INTO things VALUES (1, NULL);\n',
}

test('of many that start at once one migrates, and all find everything done', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t, 'empty')
  const migrations = listMigrations(writeTree(t, first))
  const clients = await Promise.all(Array.from({ length: 8 }, () => connect(t, url)))
  const done = await Promise.all(
    clients.map((client) => migrateDatabase(client, { logger: silentLogger, signal, migrations })),
  )
  assert.deepEqual(done.map(({ length }) => length).sort(), [0, 0, 0, 0, 0, 0, 0, 2])
  const applied = await readApplied(clients[0]!)
  assert.deepEqual(
    applied.map(({ number, name }) => [number, name]),
    [
      [1, 'bookkeeping'],
      [2, 'things'],
    ],
  )
  assert.deepEqual(new Uint8Array(applied[1]!.checksum), migrations[1]!.checksum)
  checkUpToDate(applied, migrations)
})

test('a database that is ahead, or another, is refused', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t, await freshDatabase(t, 'empty'))
  const migrate = (files: Record<string, string>) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: listMigrations(writeTree(t, files)) })
  await migrate(first)
  await assert.rejects(migrate({ '0001_bookkeeping.sql': first['0001_bookkeeping.sql'] }), {
    code: 'database_schema',
    message:
      'The database was changed by a newer version of the program: it has migration 2 (things), and this version knows 1. Use the newer version, or another database.',
  })
  await assert.rejects(migrate({ ...first, '0002_things.sql': 'SELECT 1;' }), {
    code: 'database_schema',
    message: /^The database has a migration 2 \(things\) that is not the one this version knows/,
  })
  // Other line ends are not another migration, and who only reads is told what to do.
  assert.deepEqual(
    await migrate({ ...first, '0002_things.sql': first['0002_things.sql'].replaceAll('\n', '\r\n') }),
    [],
  )
  const ahead = listMigrations(writeTree(t, { ...first, '0003_more.sql': 'SELECT 1;' }))
  assert.throws(
    () => checkUpToDate([], ahead),
    /The database lacks 3 of 3 migrations\. Run "chaincenter db migrate"\.$/,
  )
})

test('a migration that fails leaves nothing of itself, and those before it', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t, await freshDatabase(t, 'empty'))
  const bad = { ...first, '0003_bad.sql': 'CREATE TABLE half (id int);\nALTER TABLE nothing ADD x int;\n' }
  const migrate = (files: Record<string, string>) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: listMigrations(writeTree(t, files)) })
  await assert.rejects(migrate(bad), { code: '42P01' })
  assert.equal((await readApplied(client)).length, 2)
  const { rows } = await client.query(`SELECT to_regclass('half') AS half`)
  assert.deepEqual(rows, [{ half: null }])
  assert.equal((await migrate({ ...first, '0003_good.sql': 'CREATE TABLE half (id int);' })).length, 1)
})

test('an index is built beside a writer, also when an earlier try was broken off', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t, 'empty')
  const client = await connect(t, url)
  const waiter = await connect(t, url)
  await migrateDatabase(client, { logger: silentLogger, signal, migrations: listMigrations(writeTree(t, first)) })
  const build = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS things_name ON things (name)'
  await client.query(`INSERT INTO things VALUES (2, 'a'), (3, 'a')`)
  await assert.rejects(client.query(build), { code: '23505' })
  await client.query('DELETE FROM things WHERE id = 3')
  const migrations = listMigrations(
    writeTree(t, { ...first, '0003_index.sql': `-- outside a transaction\n${build};\n` }),
  )
  // Both at once: the one that waits must not be what the other waits for.
  const options = { logger: silentLogger, signal, migrations }
  await Promise.all([migrateDatabase(client, options), migrateDatabase(waiter, options)])
  const { rows } = await client.query(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'things_name'::regclass`,
  )
  assert.deepEqual(rows, [{ valid: true }])
})

test('the wait for another process has an end', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t, 'empty')
  const [holder, waiter] = [await connect(t, url), await connect(t, url)]
  const slow = listMigrations(writeTree(t, { ...first, '0003_slow.sql': 'SELECT pg_sleep(1.5);' }))
  const working = migrateDatabase(holder, { logger: silentLogger, signal, migrations: slow })
  await new Promise((done) => setTimeout(done, 300))
  await assert.rejects(migrateDatabase(waiter, { logger: silentLogger, signal, migrations: slow, waitMs: 400 }), {
    code: 'database_timeout',
  })
  assert.equal((await working).length, 3)
})

test('files out of order are refused', (t) => {
  assert.throws(() => listMigrations(writeTree(t, { '0002_b.sql': '' })), /0002_b\.sql is out of order: number 1/)
  assert.throws(
    () => listMigrations(writeTree(t, { '0001_a.sql': '', '0001_b.sql': '' })),
    /0001_b\.sql is out of order/,
  )
  assert.throws(() => listMigrations(writeTree(t, { 'x.sql': '' })), { code: 'database_schema' })
})

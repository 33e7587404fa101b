import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { dumpSchema } from '../../../test/support/dumpSchema.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { openClient } from '../connect/openClient.ts'
import { checkUpToDate, listMigrations, migrateDatabase, readApplied } from './migrateDatabase.ts'

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
  assert.throws(
    () => listMigrations(writeTree(t, { '0002_b.sql': '' })),
    /0002_b\.sql is out of order: expected number 1/,
  )
  assert.throws(
    () => listMigrations(writeTree(t, { '0001_a.sql': '', '0001_b.sql': '' })),
    /0001_b\.sql is out of order/,
  )
  assert.throws(() => listMigrations(writeTree(t, { 'x.sql': '' })), { code: 'database_schema' })
})

const NARROW = 8

const openEmpty = async (t: TestContext): Promise<pg.Client> => {
  const url = await freshDatabase(t, 'empty')
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 20_000 })
  t.after(() => client.end())
  return client
}

test('actions that were written before they were narrowed are all found again', async (t) => {
  if (!haveDatabase(t)) return
  const client = await openEmpty(t)
  const migrations = listMigrations()
  const migrate = (upTo: number) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: migrations.slice(0, upTo) })
  await migrate(NARROW - 1)
  for (const table of ['traces', 'actions', 'action_accounts']) {
    await client.query(`CREATE TABLE ${table}_p0 PARTITION OF ${table} FOR VALUES FROM (0) TO (100)`)
  }
  const [trace, action] = ['11', '22'].map((byte) => Buffer.from(byte.repeat(32), 'hex'))
  const accounts = ['aa', 'bb'].map((byte) => Buffer.from(byte.repeat(33), 'hex'))
  const details = { comment: '\u00010', other: 'x\u0001', source: '0:AA' }
  await client.query(
    `INSERT INTO actions (start_lt, end_lt, trace_end_lt, start_utime, end_utime, trace_end_utime, mc_seqno, success, type,
       trace_id, action_id, transactions, accounts, ancestor_types, details)
     VALUES (1, 2, 3, 4, 5, 6, 7, true, 'a', $1, $2, '{}', $3, '{b,c}', $4)`,
    [trace, action, accounts, details],
  )
  await migrate(NARROW)
  const { rows: places } = await client.query('SELECT * FROM action_accounts_p0 ORDER BY account')
  assert.deepEqual(
    places,
    accounts.map((account) => ({
      end_lt: 2n,
      trace_end_lt: 3n,
      end_utime: 5,
      trace_end_utime: 6,
      mc_seqno: 7,
      account,
      trace_start: trace!.subarray(0, 8),
      action_start: action!.subarray(0, 8),
      type: 'a',
      ancestor_types: ['b', 'c'],
    })),
  )
  const { rows } = await client.query('SELECT details FROM actions')
  assert.deepEqual(rows, [{ details: { comment: '\u0001\u00010', other: 'x\u0001', source: '0:AA' } }])
})

test('a database that has it as it was before version 15 was supported is taken, and comes to the same tables', async (t) => {
  if (!haveDatabase(t)) return
  const [fresh, old] = [await openEmpty(t), await openEmpty(t)]
  const migrations = listMigrations()
  const migrate = (client: pg.Client, upTo?: number) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: migrations.slice(0, upTo) })
  await migrate(fresh)
  await migrate(old, NARROW)
  const { rows } = await old.query<{ is: boolean }>(`SELECT to_regproc('hashbyteaextended') IS NOT NULL AS is`)
  // Only such a server can have it; on another a function stands for the one that is not there.
  if (!rows[0]!.is) {
    await old.query(`CREATE FUNCTION hashbyteaextended(bytea, bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
      RETURN hash_array_extended(ARRAY[$1], $2)`)
  }
  await old.query('DROP INDEX action_accounts_by_lt, action_accounts_by_utime')
  for (const column of ['lt', 'utime']) {
    await old.query(
      `CREATE INDEX action_accounts_by_${column} ON action_accounts (hashbyteaextended(account, 0), trace_end_${column})`,
    )
  }
  const { formerChecksums = [] } = migrations[NARROW - 1]!
  await old.query('UPDATE schema_migrations SET checksum = $1 WHERE number = $2', [formerChecksums[0], NARROW])
  await migrate(old)
  if (!rows[0]!.is) await old.query('DROP FUNCTION hashbyteaextended')
  assert.equal(await dumpSchema(old), await dumpSchema(fresh))
  await old.query('UPDATE schema_migrations SET checksum = $1 WHERE number = $2', [new Uint8Array(32), NARROW])
  await assert.rejects(migrate(old), /a migration 8 \(narrow_actions\) that is not the one this version knows/)
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../src/store/embedded/ServerFolder.ts'
import { listMigrations } from '../src/store/migrate/migrateDatabase.ts'
import { freshDatabase, haveDatabase } from './support/database.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { writeTree } from './support/writeTree.ts'

const known = listMigrations().length

test('db on a server of one’s own', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t, 'empty')
  const db = (...args: string[]) => runCommandLine(t, ['db', ...args, '--database-url', url, '--log-level', 'silent'])
  const empty = await db('status')
  assert.deepEqual([empty.exitCode, empty.err], [0, ''])
  assert.match(
    empty.out,
    new RegExp(
      `^PostgreSQL 18\\.\\d+, database test_\\w+, \\d+\\.\\d MB, connections: \\d+\\nmigrations: 0 of ${known}\\n`,
    ),
  )
  assert.match(empty.out, /\nRun "chaincenter db migrate" to bring it up to date\.\nThere are no tables\.\n$/)

  const [one, two] = await Promise.all([db('migrate', '--json'), db('migrate', '--json')])
  const applied = [one, two].map(
    ({ out }) => (JSON.parse(out) as { applied: { name: string }[]; total: number }).applied,
  )
  assert.deepEqual(
    applied.map(({ length }) => length).sort((a, b) => a - b),
    [0, known],
  )
  assert.match((await db('migrate')).out, new RegExp(`^The database is up to date: ${known} migrations?\\.\\n$`))

  assert.deepEqual(JSON.parse((await db('compact', '--json')).out), { indexes: 0, bytesBefore: 0, bytes: 0 })
  const { out } = await db('status', '--json')
  const status = JSON.parse(out) as {
    tables: { name: string; rows: number; bytes: number }[]
    migrations: { applied: number; known: number; last: string }
  }
  assert.deepEqual([status.migrations.applied, status.migrations.known], [known, known])
  const migrations = status.tables.find(({ name }) => name === 'schema_migrations')
  assert.ok(migrations !== undefined && migrations.bytes > 0)
  assert.match((await db('status')).out, /\ntable +rows +bytes +of it indexes +partitions\n(.*\n)*leases +0 +16\.4 kB/)
})

test('db starts the server that comes with the program, and stops it again', async (t) => {
  if (!haveDatabase(t)) return
  const workingDir = writeTree(t, {})
  const db = (...args: string[]) => runCommandLine(t, ['db', ...args], { workingDir })
  const { exitCode, out, err } = await db('migrate')
  assert.equal(exitCode, 0, err)
  assert.match(out, /^applied 0001 bookkeeping\n/)
  const lines = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { message: string; pid?: number })
  assert.deepEqual([lines[0]?.message, lines.at(-1)?.message], ['database server started', 'database server stopped'])
  // A server takes a moment to end after it has said so.
  for (let tries = 0; isAlive(lines[0]!.pid!) && tries < 500; tries++) await delay(20)
  assert.equal(isAlive(lines[0]!.pid!), false)
  assert.ok(existsSync(join(workingDir, '.chaincenter', 'postgres', 'data', 'PG_VERSION')))
  assert.match((await db('status')).out, new RegExp(`\\nmigrations: ${known} of ${known}, the last is \\w+\\n`))
})

test('what is wrong is told, and no password with it', async (t) => {
  const unknown = await runCommandLine(t, ['db', 'explode'])
  assert.deepEqual([unknown.exitCode, unknown.out], [2, ''])
  assert.match(
    unknown.err,
    /^Unknown db action "explode"\.\nThe actions are: migrate, status, verify, repair, reclassify, rewind, export, import, move, compact\.\n$/,
  )
  assert.equal((await runCommandLine(t, ['db'])).exitCode, 2)
  const url = await runCommandLine(t, ['db', 'status', '--database-url', 'mysql://u:hunter2@h/d', '--json'])
  assert.equal(url.exitCode, 1)
  assert.equal((JSON.parse(url.out) as { error: { code: string } }).error.code, 'database_refused')
  assert.doesNotMatch(url.out + url.err, /hunter2/)
})

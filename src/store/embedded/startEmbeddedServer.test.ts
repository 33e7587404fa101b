import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { childArguments, childModule } from '../../../test/support/childScript.ts'
import { haveDatabase, serverFolder } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { openClient } from '../connect/openClient.ts'
import { EmbeddedServerError } from '../errors.ts'
import { findStart, isAlive } from './ServerFolder.ts'
import { startEmbeddedServer } from './startEmbeddedServer.ts'

const isRoot = process.getuid?.() === 0

const ask = async <T>(url: string, sql: string): Promise<T> => {
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 10_000 })
  try {
    return (await client.query<{ value: T }>(sql)).rows[0]?.value as T
  } finally {
    await client.end()
  }
}

/** A process of its own that starts the server, says so, and then does nothing more. */
const startElsewhere = async (t: TestContext, folder: string) => {
  const module = childModule('./startEmbeddedServer', import.meta.url)
  const logger = childModule('../../../test/support/databaseServer', import.meta.url)
  const code = `
    const { startEmbeddedServer } = await import(${module})
    const { silentLogger: logger } = await import(${logger})
    const { signal } = new AbortController()
    const server = await startEmbeddedServer({ folder: ${JSON.stringify(folder)}, logger, signal })
    process.on('SIGINT', () => server.stop().then(() => process.exit(0)))
    process.on('SIGTERM', () => process.exit(3))
    setInterval(() => {}, 1000)
    console.log(server.pid)`
  const child = spawn(process.execPath, [...childArguments, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  const pid = await new Promise<number>((done, refuse) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => done(Number(text)))
    child.on('exit', () => refuse(new Error('It ended before it had started the server.')))
  })
  return { pid, child, ended }
}

const gone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 500; tries++) {
    if (!isAlive(pid)) return true
    await delay(20)
  }
  return false
}

test('starts, keeps what was written, and ends without a trace of itself', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t, 'data/postgres')
  const first = await start()
  assert.equal(first.wasRunning, false)
  assert.equal(
    await ask(
      first.url,
      `SELECT current_setting('server_encoding') || ' ' || datcollate || ' ' || datlocale AS value FROM pg_database WHERE datname = 'chaincenter'`,
    ),
    'UTF8 C C.UTF-8',
  )
  await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS value')
  assert.equal(statSync(join(folder, 'password')).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'data')).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, 'run')).mode & 0o777, 0o700)
  await first.stop()
  await first.stop()
  assert.ok(await gone(first.pid))
  assert.deepEqual(readdirSync(join(folder, 'users')), [])
  assert.deepEqual(readdirSync(join(folder, 'run')), [])
  assert.equal(existsSync(join(folder, 'lock')), false)

  const second = await start()
  assert.equal(await ask(second.url, 'SELECT value FROM kept'), 42)
})

test('several users share one server, and the last stops it', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  const [first, second] = await Promise.all([start(), start()])
  assert.equal(first.pid, second.pid)
  assert.deepEqual([first.wasRunning, second.wasRunning].sort(), [false, true])
  const elsewhere = await startElsewhere(t, folder)
  assert.equal(elsewhere.pid, first.pid)
  await Promise.all([first.stop(), second.stop()])
  assert.equal(isAlive(first.pid), true)
  // A Ctrl-C at a terminal goes to all processes of a group; the server is not one of them.
  process.kill(-elsewhere.child.pid!, 'SIGINT')
  assert.equal(await elsewhere.ended, 0)
  assert.ok(await gone(first.pid))
})

test('a server whose starter was killed is taken up, and stopped by who took it up', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  const elsewhere = await startElsewhere(t, folder)
  elsewhere.child.kill('SIGKILL')
  await elsewhere.ended
  assert.equal(isAlive(elsewhere.pid), true)
  const server = await start()
  assert.deepEqual([server.pid, server.wasRunning], [elsewhere.pid, true])
  assert.equal(await ask(server.url, 'SELECT 1 AS value'), 1)
  await server.stop()
  assert.ok(await gone(server.pid))
})

test('a process that ends in a hurry takes the server with it', async (t) => {
  if (!haveDatabase(t)) return
  const elsewhere = await startElsewhere(t, serverFolder(t).folder)
  elsewhere.child.kill('SIGTERM')
  assert.equal(await elsewhere.ended, 3)
  assert.equal(await gone(elsewhere.pid), true)
})

test('after a kill of the server all that was committed is there', async (t) => {
  if (!haveDatabase(t)) return
  const { start } = serverFolder(t)
  const first = await start()
  await ask(first.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS value')
  process.kill(first.pid, 'SIGKILL')
  const second = await start()
  assert.notEqual(second.pid, first.pid)
  assert.equal(await ask(second.url, 'SELECT count(*)::int AS value FROM kept'), 1000)
  await first.stop()
  assert.equal(await ask(second.url, 'SELECT 1 AS value'), 1)
})

test('a stale file that names a process of somebody else does no harm', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  const first = await start()
  const path = join(folder, 'data', 'postmaster.pid')
  const lines = readFileSync(path, 'utf8').split('\n')
  await first.stop()
  // A number that is in use, as it happens in containers: of this process, which the server could even signal if it were not root.
  writeFileSync(path, [process.pid, ...lines.slice(1)].join('\n'))
  const second = await start()
  assert.equal(second.wasRunning, false)
  assert.equal(await ask(second.url, 'SELECT 1 AS value'), 1)
})

test('the lock of a killed process is taken over', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  writeFileSync(join(folder, 'lock'), `${process.pid} ${Number(findStart(process.pid)) + 1} 0\n`)
  const server = await start()
  assert.equal(await ask(server.url, 'SELECT 1 AS value'), 1)
})

test('a half-made data folder is made anew', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  mkdirSync(join(folder, 'data.new'))
  writeFileSync(join(folder, 'data.new', 'PG_VERSION'), '18\n')
  const server = await start()
  assert.equal(await ask(server.url, 'SELECT 1 AS value'), 1)
  assert.equal(existsSync(join(folder, 'data.new')), false)
})

test('a folder whose path is too long for a socket is served on a port', async (t) => {
  if (!haveDatabase(t)) return
  const server = await serverFolder(t, 'x'.repeat(100)).start()
  assert.match(server.url, /@127\.0\.0\.1:\d+\/chaincenter/)
  assert.equal(await ask(server.url, 'SELECT 1 AS value'), 1)
  // Without the password nobody gets in.
  await assert.rejects(ask(server.url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'SELECT 1'), { code: 'database_refused' })
})

test('as root it also works in a folder that is closed to others', {
  skip: !isRoot && 'only root can test it',
}, async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t, 'project/postgres')
  assert.equal(statSync(join(folder, '../..')).mode & 0o777, 0o700)
  const first = await start()
  await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS value')
  assert.notEqual(statSync(join(folder, 'data')).uid, 0)
  process.kill(first.pid, 'SIGKILL')
  const second = await start()
  assert.equal(await ask(second.url, 'SELECT value FROM kept'), 42)
})

test('a server whose folder was removed is stopped all the same', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  const server = await start()
  rmSync(folder, { recursive: true })
  await server.stop()
  assert.equal(await gone(server.pid), true)
})

test('what is wrong is said in a sentence', async (t) => {
  if (!haveDatabase(t)) return
  const { folder, start } = serverFolder(t)
  await (await start()).stop()
  const expectRefusal = async (pattern: RegExp): Promise<void> => {
    const refusal = await start().then(
      (server) => server.stop(),
      (error: unknown) => error,
    )
    assert.ok(refusal instanceof EmbeddedServerError, String(refusal))
    assert.match(refusal.message, pattern)
    assert.deepEqual(readdirSync(join(folder, 'users')), [])
  }
  const version = join(folder, 'data', 'PG_VERSION')
  writeFileSync(version, '17\n')
  await expectRefusal(
    /was made by PostgreSQL 17, and the one that comes with the program is 18\.\d+, which cannot open it/,
  )
  writeFileSync(version, '18\n')

  const control = join(folder, 'data', 'global', 'pg_control')
  renameSync(control, `${control}.away`)
  await expectRefusal(/did not start\. It said: .*could not open file .*pg_control/)
  renameSync(`${control}.away`, control)

  const password = readFileSync(join(folder, 'password'))
  rmSync(join(folder, 'password'))
  await expectRefusal(/^The password of the database in .* cannot be read .*ENOENT/)
  writeFileSync(join(folder, 'password'), password)
  await (await start()).stop()
})

test('a file in the place of the folder, and an abort, end the start', async (t) => {
  if (!haveDatabase(t)) return
  const file = join(tempFolder(t), 'file')
  writeFileSync(file, '')
  await assert.rejects(
    startEmbeddedServer({ folder: join(file, 'x'), logger: silentLogger, signal: new AbortController().signal }),
    /^EmbeddedServerError: The folder .* cannot be prepared for a database: ENOTDIR/,
  )

  const { folder, start } = serverFolder(t)
  const controller = new AbortController()
  const starting = startEmbeddedServer({ folder, logger: silentLogger, signal: controller.signal })
  setTimeout(() => controller.abort(), 200)
  await assert.rejects(starting, { name: 'AbortError' })
  assert.equal(existsSync(join(folder, 'data.new')), false)
  const server = await start()
  assert.equal(await ask(server.url, 'SELECT 1 AS value'), 1)
})

test('one that is to be kept running is there again after a kill, at the same place', async (t) => {
  if (!haveDatabase(t)) return
  const { signal } = new AbortController()
  const options = {
    folder: tempFolder(t),
    logger: silentLogger,
    signal,
    durability: 'none',
    keepRunning: true,
  } as const
  const server = await startEmbeddedServer(options)
  t.after(() => server.stop())
  const first = server.pid
  process.kill(first, 'SIGKILL')
  const answer = async (): Promise<number | undefined> => {
    for (let tries = 0; tries < 600; tries++) {
      const value = await ask<number>(server.url, 'SELECT 7 AS value').catch(() => undefined)
      if (value !== undefined && server.pid !== first) return value
      await delay(50)
    }
    return undefined
  }
  assert.equal(await answer(), 7)
  const second = server.pid
  await server.stop()
  assert.ok(await gone(second))
})

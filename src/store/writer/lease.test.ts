import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { childArguments, childModule } from '../../../test/support/childScript.ts'
import {
  freshDatabase,
  haveDatabase,
  migrateServer,
  openFreshDatabase,
  serverFolder,
} from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { startFrozenProxy } from '../../../test/support/frozenProxy.ts'
import { connectDatabase } from '../connect/connectDatabase.ts'
import type { Database } from '../connect/Database.ts'
import { acquireLease, type Lease, type LeaseTimes, leaseTimes } from './lease.ts'

// The same proportions in a tenth of the time.
const quick: LeaseTimes = { renewMs: 300, giveUpMs: 900, staleMs: 1300, pollMs: 100 }

const acquire = (database: Database, holder: string, times = quick, signal = new AbortController().signal) =>
  acquireLease(database, { name: 'writer', holder, logger: silentLogger, signal, times })

const holdsStill = async (database: Database, lease: Lease): Promise<boolean> => {
  try {
    await database.transaction((client) => lease.guard(client))
    return true
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'lease_lost')
    return false
  }
}

/** A process of its own that takes the lease, says so, and keeps it. */
const holdElsewhere = async (t: TestContext, url: string) => {
  const at = (path: string): string => childModule(path, import.meta.url)
  const code = `
    const { connectDatabase } = await import(${at('../connect/connectDatabase')})
    const { acquireLease } = await import(${at('./lease')})
    const { silentLogger: logger } = await import(${at('../../../test/support/databaseServer')})
    const { signal } = new AbortController()
    const database = await connectDatabase({ url: ${JSON.stringify(url)}, logger, signal })
    const lease = await acquireLease(database, { name: 'writer', holder: 'elsewhere', logger, signal, times: ${JSON.stringify(quick)} })
    lease.signal.addEventListener('abort', () => console.log('lost'))
    console.log('held')`
  const child = spawn(process.execPath, [...childArguments, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const said = (word: string) =>
    new Promise<void>((done) =>
      child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes(word) && done()),
    )
  const lost = said('lost')
  await said('held')
  return { child, lost }
}

test('one leads, the other waits, and takes over when it is given back', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const first = await acquire(database, 'one')
  let second: Lease | undefined
  const waiting = acquire(database, 'two').then((lease) => {
    second = lease
    return lease
  })
  // Longer than a silent holder would be left alone: this one renews.
  await delay(quick.staleMs * 2)
  assert.equal(second, undefined)
  assert.equal(await holdsStill(database, first), true)
  await first.release()
  const lease = await waiting
  assert.deepEqual([first.epoch, lease.epoch], [1n, 2n])
  assert.equal(await holdsStill(database, lease), true)
  assert.equal(await holdsStill(database, first), false)
  assert.equal(first.signal.aborted, true)
  await lease.release()
  await lease.release()
})

test('when the leader is killed another takes over at once', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  const { child } = await holdElsewhere(t, url)
  const waiting = acquire(database, 'two', { ...leaseTimes, pollMs: 200 })
  await delay(500)
  child.kill('SIGKILL')
  const start = performance.now()
  const lease = await waiting
  assert.ok(performance.now() - start < leaseTimes.staleMs / 2)
  assert.equal(lease.epoch, 2n)
  await lease.release()
})

test('a leader that hangs is replaced, and knows it when it wakes up', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url })
  const { child, lost } = await holdElsewhere(t, url)
  child.kill('SIGSTOP')
  const start = performance.now()
  const lease = await acquire(database, 'two')
  assert.equal(lease.epoch, 2n)
  assert.ok(performance.now() - start < 20_000)
  child.kill('SIGCONT')
  await lost
  assert.equal(await holdsStill(database, lease), true)
  await lease.release()
})

test('what a former leader is still writing is not committed, and what it is committing is waited for', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction((client) => client.query('CREATE TABLE written (epoch bigint)'))
  const first = await acquire(database, 'one')
  const write = (lease: Lease, beforeGuard = 0, afterGuard = 0) =>
    database.transaction(async (client) => {
      await client.query('INSERT INTO written VALUES ($1)', [lease.epoch])
      await delay(beforeGuard)
      await lease.guard(client)
      await delay(afterGuard)
    })
  // The server ends the first one's connection; the commit under way is let through before the second may begin.
  const committing = write(first, 0, 700)
  const late = write(first, 1500)
  const lateFails = assert.rejects(late, { code: 'lease_lost' })
  await delay(100)
  await database.transaction((client) =>
    client.query(`SELECT pg_terminate_backend(backend_pid) FROM leases WHERE name = 'writer'`),
  )
  const start = performance.now()
  const second = await acquire(database, 'two')
  assert.ok(performance.now() - start > 300)
  await committing
  await write(second)
  await lateFails
  const { rows } = await database.transaction((client) => client.query('SELECT epoch FROM written ORDER BY 1'))
  assert.deepEqual(rows, [{ epoch: 1n }, { epoch: 2n }])
  await second.release()
})

test('many at once: never two leaders, and each gets its turn', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const { signal } = new AbortController()
  const databases = await Promise.all(
    Array.from({ length: 5 }, () => connectDatabase({ url, logger: silentLogger, signal })),
  )
  let leaders = 0
  const epochs: bigint[] = []
  await Promise.all(
    databases.map(async (database, k) => {
      const lease = await acquire(database, `number ${k}`)
      leaders++
      assert.equal(leaders, 1)
      await database.transaction((client) => lease.guard(client))
      epochs.push(lease.epoch)
      await delay(20)
      leaders--
      await lease.release()
      await database.close()
    }),
  )
  assert.deepEqual(epochs, [1n, 2n, 3n, 4n, 5n])
})

test('one who does not want to wait is told who leads', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const options = { name: 'writer', logger: silentLogger, signal: new AbortController().signal, times: quick }
  const lease = await acquire(database, 'the first')
  const start = performance.now()
  await assert.rejects(acquireLease(database, { ...options, holder: 'two', waitMs: 300 }), {
    code: 'lease_held',
    message: /^The lease "writer" is held by the first, since 20\S+Z\.$/,
  })
  assert.ok(performance.now() - start >= 300)
  assert.equal(await holdsStill(database, lease), true)
  await lease.release()
  const next = await acquireLease(database, { ...options, holder: 'two', waitMs: 0 })
  assert.equal(next.epoch, 2n)
  await next.release()
})

test('the wait can be ended', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const lease = await acquire(database, 'one')
  const controller = new AbortController()
  const waiting = acquire(database, 'two', quick, controller.signal)
  setTimeout(() => controller.abort(), 300)
  await assert.rejects(waiting, { name: 'AbortError' })
  await lease.release()
})

test('a leader whose connection has died without a word knows it within 5 seconds', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const proxy = await startFrozenProxy(t, await freshDatabase(t))
  const database = await openFreshDatabase(t, { url: proxy.url })
  const lease = await acquire(database, 'one', leaseTimes)
  await delay(leaseTimes.renewMs * 1.5)
  proxy.freeze()
  const start = performance.now()
  await new Promise((done) => lease.signal.addEventListener('abort', done, { once: true }))
  const ms = Math.round(performance.now() - start)
  t.diagnostic(`${ms} ms`)
  assert.ok(ms < 5500, `It knew after ${ms} ms.`)
})

test('a leader whose backend is killed knows it within 5 seconds, and another takes over', {
  timeout: 120_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { start } = serverFolder(t)
  const server = await start()
  await migrateServer(server.url)
  const database = await openFreshDatabase(t, { url: server.url })
  // So long that it is not the time since the last renewal that tells.
  const patient: LeaseTimes = { ...leaseTimes, giveUpMs: 60_000, staleMs: 90_000 }
  const kills: Record<string, (pid: number) => unknown> = {
    pg_terminate_backend: (pid) =>
      database.transaction((other) => other.query('SELECT pg_terminate_backend($1)', [pid])),
    // The server ends all other backends after that, and starts anew.
    'SIGKILL to the backend': (pid) => process.kill(pid, 'SIGKILL'),
  }
  for (const [k, [how, kill]] of Object.entries(kills).entries()) {
    const lease = await acquire(database, 'the leader', patient)
    const { rows } = await database.transaction((other) => other.query('SELECT backend_pid FROM leases'))
    const lost = new Promise<number>((done) =>
      lease.signal.addEventListener('abort', () => done(performance.now()), { once: true }),
    )
    const start = performance.now()
    await kill(rows[0]!.backend_pid)
    const ms = Math.round((await lost) - start)
    t.diagnostic(`${how}: ${ms} ms`)
    assert.ok(ms < 5000, `${how}: it knew after ${ms} ms.`)
    assert.equal(lease.signal.reason.code, 'lease_lost')
    const next = await acquire(database, 'another', patient)
    assert.equal(next.epoch, BigInt(2 * k + 2))
    assert.equal(await holdsStill(database, next), true)
    await next.release()
  }
})

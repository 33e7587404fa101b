import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import type { Database } from './Database.ts'
import { NotificationListener, sendNotification } from './notifications.ts'

const tell = (database: Database, channel: string, payload: string): Promise<void> =>
  database.transaction((client) => sendNotification(client, channel, payload))

const never = new AbortController().signal

test('a hint comes when the transaction commits, the newest of several, and none for others', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const listener = new NotificationListener(database, { logger: silentLogger, pollMs: 60_000 })
  t.after(() => listener.close())
  const blocks = listener.watch('Blocks "new"', never)
  const others = listener.watch('others', never)
  assert.deepEqual(await blocks.next(), { value: undefined, done: false })
  assert.deepEqual(await others.next(), { value: undefined, done: false })
  await tell(database, 'Blocks "new"', '1')
  assert.deepEqual(await blocks.next(), { value: '1', done: false })
  const start = performance.now()
  await database.transaction(async (client) => {
    await sendNotification(client, 'Blocks "new"', '2')
    await sendNotification(client, 'Blocks "new"', '3')
  })
  assert.deepEqual(await blocks.next(), { value: '3', done: false })
  assert.ok(performance.now() - start < 5000)
  let isWoken = false
  void others.next().then(() => {
    isWoken = true
  })
  await tell(database, 'Blocks "new"', '4')
  await blocks.next()
  assert.equal(isWoken, false)
})

test('without hints it is time to look now and then', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const listener = new NotificationListener(database, { logger: silentLogger, pollMs: 100 })
  t.after(() => listener.close())
  const seen = []
  for await (const payload of listener.watch('blocks', never)) {
    seen.push(payload)
    if (seen.length === 4) break
  }
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined])
  // Also where no connection can be had at all.
  const cut = new NotificationListener(
    { openConnection: () => Promise.reject(new Error('no connection')) },
    { logger: silentLogger, pollMs: 50 },
  )
  const blind = cut.watch('blocks', never)
  await blind.next()
  assert.deepEqual(await blind.next(), { value: undefined, done: false })
  await cut.close()
})

test('a lost connection is made again, and everybody looks', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const listener = new NotificationListener(database, { logger: silentLogger, pollMs: 60_000 })
  t.after(() => listener.close())
  const blocks = listener.watch('blocks', never)
  await blocks.next()
  await database.transaction((client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'chaincenter hints' AND datname = current_database()`,
    ),
  )
  assert.deepEqual(await blocks.next(), { value: undefined, done: false })
  await tell(database, 'blocks', 'again')
  assert.deepEqual(await blocks.next(), { value: 'again', done: false })
})

test('watching ends with its signal, or with the listener', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const listener = new NotificationListener(database, { logger: silentLogger, pollMs: 60_000 })
  const controller = new AbortController()
  const one = listener.watch('blocks', controller.signal)
  const two = listener.watch('blocks', never)
  await Promise.all([one.next(), two.next()])
  setTimeout(() => controller.abort(), 50)
  assert.deepEqual(await one.next(), { value: undefined, done: true })
  setTimeout(() => void listener.close(), 50)
  assert.deepEqual(await two.next(), { value: undefined, done: true })
})

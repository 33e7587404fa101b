import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  freshDatabase,
  haveDatabase,
  migrateServer,
  openFreshDatabase,
  serverFolder,
} from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { DatabaseUnavailableError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { ensurePartitions } from '../writer/partitions.ts'
import type { Database } from './Database.ts'

/** Has a database say that a block is in its index, as if it had been written then. */
const addBlock = (database: Database, seqno: number, ageMs = 0): Promise<unknown> =>
  database.transaction((client) =>
    client.query(`INSERT INTO indexed_blocks VALUES ($1, $2, 0, now() - $3 * interval '1 ms', '')`, [
      seqno,
      1_700_000_000 + seqno,
      ageMs,
    ]),
  )

const nameQuery = sql<{ name: string }>`SELECT current_database()::text AS name`.compile(queryBuilder)

/** Which of the databases each of some questions goes to, and what is said of its index. */
const askOften = async (database: Database): Promise<string[]> => {
  const asked = new Set<string>()
  for (let k = 0; k < 6; k++) {
    const server = database.reader()
    const seqno = server.findHead()?.seqno
    const [[point], [list]] = await Promise.all([server.keyedReads.read(nameQuery), server.listReads.read(nameQuery)])
    assert.equal(point?.name, list?.name)
    asked.add(`${point?.name} at ${seqno}`)
  }
  return [...asked].sort()
}

const until = async (database: Database, ...expected: string[]): Promise<void> => {
  const sorted = [...expected].sort().join()
  let asked = ''
  await waitUntil(
    () => `${sorted}, but ${asked}`,
    async () => {
      asked = (await askOften(database)).join()
      return asked === sorted
    },
    { pollMs: 50 },
  )
}

/** Until nobody is told any more that a server is away. */
const untilNoticed = async (database: Database): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    await delay(100)
    const error = await askOften(database).catch((failure: unknown) => failure)
    if (!(error instanceof Error)) return
    assert.ok(error instanceof DatabaseUnavailableError, String(error))
  }
  assert.fail('A server that is away is asked again and again.')
}

const nameOf = (url: string): string => /\/(\w+)\?/.exec(url)?.[1] ?? url

test('replicas are read while they are up to date, and say themselves how far they are', async (t) => {
  if (!haveDatabase(t)) return
  const urls = [await freshDatabase(t), await freshDatabase(t), await freshDatabase(t)] as const
  const [main, one, two] = await Promise.all(urls.map((url) => openFreshDatabase(t, { url })))
  for (const each of [main!, one!, two!]) await ensurePartitions(each, [0], 1000)
  const database = await openFreshDatabase(t, { url: urls[0], readerUrls: [urls[1], urls[2]], readerLagMs: 1500 })
  const [writer, first, second] = urls.map(nameOf) as [string, string, string]

  // Nothing is known at first, then all are equally empty.
  assert.deepEqual(await askOften(database), [`${writer} at undefined`])
  await until(database, `${first} at undefined`, `${second} at undefined`)

  // One that is a little behind is read, and says so.
  await Promise.all([main!, one!].map((each) => addBlock(each, 1)))
  await addBlock(two!, 1)
  await until(database, `${first} at 1`, `${second} at 1`)
  await Promise.all([main!, one!].map((each) => addBlock(each, 2)))
  await until(database, `${first} at 2`, `${second} at 1`)

  // And not any more once it has been for long, although nothing else was written.
  await until(database, `${first} at 2`)
  // One that has nothing that new is passed over at once; without any, the writer is read.
  await addBlock(main!, 3, -10_000)
  await until(database, `${writer} at 3`)
  await addBlock(two!, 2)
  await addBlock(two!, 3, -10_000)
  await until(database, `${second} at 3`)
  await addBlock(one!, 3, -10_000)
  await until(database, `${first} at 3`, `${second} at 3`)
})

test('a block is read where it is, and after a rewind nobody waits for what was there before', async (t) => {
  if (!haveDatabase(t)) return
  const urls = [await freshDatabase(t), await freshDatabase(t)] as const
  const [main, copy] = await Promise.all(urls.map((url) => openFreshDatabase(t, { url })))
  for (const each of [main!, copy!]) await ensurePartitions(each, [0], 1000)
  const database = await openFreshDatabase(t, { url: urls[0], readerUrls: [urls[1]], readerLagMs: 60_000 })
  const [writer, replica] = urls.map(nameOf) as [string, string]
  const findAt = async (seqno: number, waitMs = 60_000): Promise<string> => {
    const server = await database.readerAt(seqno, { waitMs })
    return (await server.keyedReads.read(nameQuery))[0]!.name
  }
  await Promise.all([main!, copy!].map((each) => addBlock(each, 1)))
  // Until the first word of a replica the writer is read, which may be sooner by much on a busy machine.
  await until(database, `${replica} at 1`)
  assert.equal(await findAt(1), replica)
  await addBlock(main!, 2)
  assert.equal(await findAt(2), writer)
  const coming = findAt(3)
  await addBlock(main!, 3)
  assert.equal(await coming, writer)
  const behind = { code: 'index_behind', retryable: true }
  await assert.rejects(findAt(4, 50), behind)
  const ending = database.readerAt(4, { waitMs: 60_000_000, isEnded: () => true })
  await assert.rejects(ending, { ...behind, message: /masterchain block 3,/ })
  await assert.rejects(findAt(1000, 60_000_000), { ...behind, message: /asks for block 1000/ })

  // A read that was done before may have shown block 3, which is no longer there.
  await main!.transaction((client) => client.query('DELETE FROM indexed_blocks WHERE mc_seqno > 1'))
  await database.reader().poll()
  await until(database, `${replica} at 1`)
  await waitUntil('the writer is known to be rewound', () => database.stats().servers[0]?.head?.seqno === 1)
  assert.equal(await findAt(3), writer)
  assert.equal(await database.reader().readNewest('any'), 1)
})

test('a replica that is gone is passed over until it is back', async (t) => {
  if (!haveDatabase(t)) return
  const { start } = serverFolder(t)
  const replica = await start()
  await migrateServer(replica.url)
  const main = await freshDatabase(t)
  const database = await openFreshDatabase(t, { url: main, readerUrls: [replica.url] })
  await until(database, `${nameOf(replica.url)} at undefined`)
  process.kill(replica.pid, 'SIGKILL')
  // Whoever asks in that moment may be told so. The processes of a server that was killed outlive it a little, and what they still
  // answer makes it look alive once more.
  await untilNoticed(database)
  await until(database, `${nameOf(main)} at undefined`)
  await start()
  await until(database, `${nameOf(replica.url)} at undefined`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { passTime, putTokens, readMetadataRows, tokenAddress } from '../../../test/support/tokenRows.ts'
import type { Database } from '../connect/Database.ts'
import type { TokenType } from '../schema/contractTables.ts'
import { claimTasks, finishTasks, queueTokens, type TaskEnd } from './metadataTasks.ts'

const CLAIM_MS = 60_000
const WEEK_MS = 604_800_000

const claim = (database: Database, limit: number) =>
  database.transaction((client) => claimTasks(client, limit, CLAIM_MS))

const queue = (database: Database, type: TokenType, limit = 1000) =>
  database.transaction((client) =>
    queueTokens(client, { type, direction: 'older', from: { sinceLt: 2n ** 62n, address: new Uint8Array() }, limit }),
  )

const finish = (database: Database, ends: readonly TaskEnd[]) =>
  database.transaction((client) => finishTasks(client, ends, WEEK_MS))

const nothing = {
  valid: true,
  description: undefined,
  symbol: undefined,
  image: undefined,
  extra: {},
  error: undefined,
}

test('many workers at once never get the same task', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const count = 600
  const databases = await Promise.all(
    Array.from({ length: 4 }, () => openFreshDatabase(t, { url, writeConnections: 3 })),
  )
  await putTokens(
    databases[0]!,
    Array.from({ length: count }, (_, k) => ({ type: 'nft_items', number: k, content: {} })),
  )
  // They look for tasks at the same time, too.
  await Promise.all(databases.flatMap((database) => [queue(database, 'nft_items'), queue(database, 'nft_items', 100)]))
  const work = async (database: Database): Promise<number[]> => {
    const mine: number[] = []
    for (;;) {
      const tasks = await claim(database, 7)
      if (tasks.length === 0) return mine
      mine.push(...tasks.map(({ address }) => Buffer.from(address).readUInt32BE(29)))
    }
  }
  const claimed = await Promise.all([...databases, ...databases].map(work))
  assert.deepEqual(
    claimed.flat().sort((a, b) => a - b),
    Array.from({ length: count }, (_, k) => k),
  )
  assert.ok(claimed.filter(({ length }) => length > 0).length > 1)
})

test('a task whose holder is silent goes to another, and what the first still says is not heard', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await putTokens(database, [{ type: 'jetton_masters', number: 1, content: { name: 'x' } }])
  await queue(database, 'jetton_masters')
  const [first] = await claim(database, 5)
  assert.ok(first !== undefined && first.tries === 0 && !first.hasValid)
  assert.deepEqual([Buffer.from(first.address), first.content], [tokenAddress(1), { name: 'x' }])
  assert.deepEqual(await claim(database, 5), [])
  await passTime(database, CLAIM_MS / 1000 + 1)
  const [second] = await claim(database, 5)
  assert.ok(second !== undefined)
  const end = (task: typeof first, name: string): TaskEnd => ({
    kind: 'found',
    task,
    tries: 0,
    metadata: { ...nothing, name },
  })
  await finish(database, [end(first, 'late')])
  await finish(database, [{ kind: 'later', task: first, tries: 3, delayMs: 0, error: 'late' }])
  const [untouched] = await readMetadataRows(database)
  assert.deepEqual([untouched!.name, untouched!.valid, untouched!.tries], [null, null, 0])
  await finish(database, [end(second, 'in time')])
  const [done] = await readMetadataRows(database)
  assert.deepEqual([done!.name, done!.valid], ['in time', true])
  // It is not due again for a week, and then it is known to be good.
  assert.deepEqual(await claim(database, 5), [])
  await passTime(database, WEEK_MS / 1000 + 1)
  assert.equal((await claim(database, 5))[0]?.hasValid, true)
})

test('tokens are queued once, page by page, and again when their content changes', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const put = (number: number, content: Record<string, string>) =>
    putTokens(database, [{ type: 'nft_collections', number, content, sinceLt: BigInt(number % 3) }])
  for (let k = 0; k < 7; k++) await put(k, { name: String(k) })
  const page = (direction: 'older' | 'newer', sinceLt: bigint, address: Uint8Array, limit: number) =>
    database.transaction((client) =>
      queueTokens(client, { type: 'nft_collections', direction, from: { sinceLt, address }, limit }),
    )
  // By time and address: 0 3 6, 1 4, 2 5.
  const first = await page('older', 10n, new Uint8Array(), 3)
  assert.deepEqual(first, { seen: 3, queued: 3, last: { sinceLt: 1n, address: tokenAddress(4) } })
  const second = await page('older', 1n, tokenAddress(4), 3)
  assert.deepEqual(second, { seen: 3, queued: 3, last: { sinceLt: 0n, address: tokenAddress(3) } })
  const third = await page('newer', -1n, new Uint8Array(), 10)
  assert.deepEqual(third, { seen: 7, queued: 1, last: { sinceLt: 2n, address: tokenAddress(5) } })
  assert.deepEqual(await page('newer', 2n, tokenAddress(5), 10), { seen: 0, queued: 0, last: undefined })
  const tasks = await claim(database, 10)
  assert.equal(tasks.length, 7)
  await finish(
    database,
    tasks.map((task) => ({ kind: 'found', task, tries: 0, metadata: { ...nothing, name: 'known' } })),
  )
  await put(4, { name: 'changed' })
  assert.equal((await page('newer', -1n, new Uint8Array(), 10)).queued, 1)
  const [again] = await claim(database, 10)
  assert.deepEqual(
    [Buffer.from(again!.address), again!.content, again!.hasValid],
    [tokenAddress(4), { name: 'changed' }, false],
  )
})

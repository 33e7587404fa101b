import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { DatabaseTimeoutError, DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Database.ts'
import { type BatchLimits, batchReads, QueryBatcher, shareReads } from './QueryBatcher.ts'
import { boundReader, ReadDeadline } from './readers.ts'

type Row = { readonly key: number; readonly nth: number }

/** What was asked, and a way to answer it: two rows for every even key, none for others. */
type Asked = { readonly keys: readonly number[]; answer(): void; fail(error: unknown): void }

const query = {
  queryOf: (keys: readonly number[]) => CompiledQuery.raw('', [keys]) as CompiledQuery<Row>,
  textOf: String,
  textOfRow: ({ key }: Row) => String(key),
}

const rowsOf = (...keys: number[]): Row[] => keys.flatMap((key) => [1, 2].map((nth) => ({ key, nth })))

const listen = (): { reader: Reader; keyList: Asked[] } => {
  const keyList: Asked[] = []
  const read = (query: CompiledQuery<unknown>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const keys = query.parameters[0] as number[]
      const answer = (): void => resolve(rowsOf(...keys.filter((key) => key % 2 === 0)))
      keyList.push({ keys, answer, fail: reject })
    })
  return { reader: { read: read as Reader['read'] }, keyList }
}

const open = (limits?: Partial<BatchLimits>) => {
  const { reader, keyList } = listen()
  return { keyList, batcher: new QueryBatcher<number, Row>(reader, query, { slowMs: 60_000, ...limits }) }
}

/** What was due is asked, and what was answered is given out. */
const settle = async (): Promise<void> => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve))
}

const keysOf = (keyList: readonly Asked[]): (readonly number[])[] => keyList.map(({ keys }) => keys)

test('who asks while nobody else does is asked for at once, as it stands', async () => {
  const { batcher, keyList } = open()
  const rows = batcher.load([2, 3, 2])
  await settle()
  assert.deepEqual(keysOf(keyList), [[2, 3, 2]])
  keyList[0]!.answer()
  assert.deepEqual(await rows, rowsOf(2, 2))
})

test('those who come meanwhile go together, each key once, and each gets its own rows', async () => {
  const { batcher, keyList } = open()
  const first = batcher.load([2])
  await settle()
  const others = [batcher.load([4, 5]), batcher.load([6, 4, 4]), batcher.load([7])]
  await settle()
  assert.deepEqual(keysOf(keyList), [[2]])
  keyList[0]!.answer()
  assert.deepEqual(await first, rowsOf(2))
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4, 5, 6, 7]])
  keyList[1]!.answer()
  assert.deepEqual(await Promise.all(others), [rowsOf(4), rowsOf(6, 4), []])
})

test('those of one turn of the loop go together, and nothing is asked for nobody', async () => {
  const { batcher, keyList } = open()
  const rows = [batcher.load([2]), batcher.load([4]), batcher.load([])]
  await settle()
  assert.deepEqual(keysOf(keyList), [[2, 4]])
  keyList[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), []])
})

test('a statement has no more keys than it may; a long list goes by itself', async () => {
  const { batcher, keyList } = open({ maxOwn: 3, maxKeys: 4 })
  const rows = [batcher.load([2, 4, 6]), batcher.load([8, 10]), batcher.load([12, 14]), batcher.load([1, 3, 5, 16])]
  assert.deepEqual(keysOf(keyList), [[1, 3, 5, 16]])
  await settle()
  keyList[1]!.answer()
  await settle()
  assert.deepEqual(keysOf(keyList).slice(1), [
    [2, 4, 6],
    [8, 10, 12, 14],
  ])
  keyList[2]!.answer()
  keyList[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2, 4, 6), rowsOf(8, 10), rowsOf(12, 14), rowsOf(16)])
})

test('no more are under way at once than may be', async () => {
  const { batcher, keyList } = open({ maxKeys: 1, maxInFlight: 2 })
  const rows = [2, 4, 6].map((key) => batcher.load([key]))
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4]])
  keyList[1]!.answer()
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4], [6]])
  keyList[0]!.answer()
  keyList[2]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), rowsOf(6)])
})

test('one that takes long holds up nobody, and is answered all the same', async () => {
  const { batcher, keyList } = open({ slowMs: 20 })
  const slow = batcher.load([2])
  await settle()
  const next = batcher.load([4])
  await settle()
  assert.equal(keyList.length, 1)
  for (let k = 0; k < 200 && keyList.length < 2; k++) await delay(20)
  assert.deepEqual(keysOf(keyList), [[2], [4]])
  keyList[1]!.answer()
  assert.deepEqual(await next, rowsOf(4))
  keyList[0]!.answer()
  assert.deepEqual(await slow, rowsOf(2))
  const after = batcher.load([6])
  await settle()
  keyList[2]!.answer()
  assert.deepEqual(await after, rowsOf(6))
})

test('where a statement of several fails, each is asked by itself, once', async () => {
  const { batcher, keyList } = open()
  const rows = [batcher.load([2]), batcher.load([4])]
  await settle()
  keyList[0]!.fail(new DatabaseTimeoutError('The database took too long.'))
  await settle()
  assert.deepEqual(keysOf(keyList), [[2, 4], [2], [4]])
  keyList[1]!.fail(new DatabaseTimeoutError('The database took too long.'))
  keyList[2]!.answer()
  await assert.rejects(rows[0]!, { code: 'database_timeout' })
  assert.deepEqual(await rows[1], rowsOf(4))
  await settle()
  assert.equal(keyList.length, 3)
})

test('where the database is away, all are told so, and nobody is asked again', async () => {
  const { batcher, keyList } = open()
  const rows = [batcher.load([2]), batcher.load([4])]
  await settle()
  keyList[0]!.fail(new DatabaseUnavailableError('The database is not available.'))
  for (const each of rows) await assert.rejects(each, { code: 'database_unavailable' })
  await settle()
  assert.equal(keyList.length, 1)
  const later = batcher.load([6])
  await settle()
  keyList[1]!.answer()
  assert.deepEqual(await later, rowsOf(6))
})

test('a key that cannot be told fails whoever has it, and no other', async () => {
  const { reader, keyList } = listen()
  const textOf = (key: number): string => {
    if (key < 0) throw new RangeError('A key below zero.')
    return String(key)
  }
  const queryOf = (keys: readonly number[]) => {
    keys.forEach(textOf)
    return query.queryOf(keys)
  }
  const batcher = new QueryBatcher<number, Row>(reader, { ...query, textOf, queryOf })
  const rows = [batcher.load([2]), batcher.load([-1])]
  rows[1]!.catch(() => undefined)
  await settle()
  keyList[0]!.answer()
  assert.deepEqual(await rows[0], rowsOf(2))
  await assert.rejects(rows[1]!, RangeError)
})

test('whoever does not wait any longer holds up nobody', async () => {
  const { batcher, keyList } = open()
  // That is all that giving up is: nobody looks at what becomes of it.
  batcher.load([2]).catch(() => undefined)
  await settle()
  const next = batcher.load([4])
  keyList[0]!.fail(new Error('lost'))
  await settle()
  keyList[1]!.answer()
  assert.deepEqual(await next, rowsOf(4))
})

test('what rows belong to a caller may be more than those of its keys', async () => {
  const { reader, keyList } = listen()
  const pick = (texts: readonly string[], find: (text: string) => readonly Row[]): Row[] => [
    ...texts.flatMap(find),
    ...find('100'),
  ]
  const batcher = new QueryBatcher<number, Row>(reader, { ...query, pick })
  const rows = [batcher.load([2]), batcher.load([100])]
  await settle()
  keyList[0]!.answer()
  assert.deepEqual(await rows[0], rowsOf(2, 100))
})

test('rows of keys that nobody asked for are there for those who pick them', async () => {
  const pick = (texts: readonly string[], rowsOf: (text: string) => readonly Row[]): Row[] =>
    texts.flatMap((text) => [...rowsOf(text), ...rowsOf(String(Number(text) + 100))])
  const read = async (asked: CompiledQuery<unknown>): Promise<Row[]> =>
    (asked.parameters[0] as number[]).flatMap((key) => rowsOf(key, key + 100))
  const batcher = new QueryBatcher<number, Row>({ read: read as Reader['read'] }, { ...query, pick })
  assert.deepEqual(await Promise.all([batcher.load([2]), batcher.load([4])]), [rowsOf(2, 102), rowsOf(4, 104)])
})

test('what is asked of one server is not joined with what is asked of another', async () => {
  const [one, other] = [listen(), listen()]
  const read = batchReads<number, Row>(query)
  const rows = [read(one.reader, [2]), read(other.reader, [4]), read(one.reader, [6])]
  await settle()
  assert.deepEqual(keysOf(one.keyList), [[2, 6]])
  assert.deepEqual(keysOf(other.keyList), [[4]])
  one.keyList[0]!.answer()
  other.keyList[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), rowsOf(6)])
})

test('callers with deadlines of their own are batched with all others, and leave when their time is up', async () => {
  const { reader, keyList } = listen()
  const read = batchReads<number, Row>(query, { slowMs: 60_000 })
  const bounded = (timeoutMs: number): Reader => boundReader(reader, new ReadDeadline(timeoutMs))
  const first = read(reader, [2])
  await settle()
  const hasty = read(bounded(30), [4])
  const others = [read(bounded(60_000), [6]), read(reader, [8])]
  await settle()
  assert.deepEqual(keysOf(keyList), [[2]])
  keyList[0]!.answer()
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4, 6, 8]])
  await assert.rejects(hasty, { code: 'database_timeout', message: 'The database did not answer within 30 ms.' })
  keyList[1]!.answer()
  assert.deepEqual(await Promise.all([first, ...others]), [rowsOf(2), rowsOf(6), rowsOf(8)])
})

test('a deadline is one for all reads of a caller, and no read begins after it', async () => {
  const { reader, keyList } = listen()
  const bounded = boundReader(reader, new ReadDeadline(500))
  const rows = bounded.read(query.queryOf([2]))
  await settle()
  keyList[0]!.answer()
  assert.deepEqual(await rows, rowsOf(2))
  await assert.rejects(bounded.read(query.queryOf([4])), { code: 'database_timeout' })
  await assert.rejects(bounded.read(query.queryOf([6])), { code: 'database_timeout' })
  assert.equal(keyList.length, 2)
})

test('callers with the same key share a read that began after they came', async () => {
  const { reader, keyList } = listen()
  const read = shareReads<Row>()
  const ask = (key: number) => read(reader, String(key), (shared) => shared.read(query.queryOf([key])))
  const first = ask(2)
  const others = [ask(2), ask(2), ask(4)]
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4]])
  keyList[0]!.fail(new DatabaseTimeoutError('late'))
  await assert.rejects(first, DatabaseTimeoutError)
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4], [2]])
  const late = ask(2)
  for (const { answer } of keyList) answer()
  assert.deepEqual(await Promise.all(others), [rowsOf(2), rowsOf(2), rowsOf(4)])
  await settle()
  assert.deepEqual(keysOf(keyList), [[2], [4], [2], [2]])
  keyList[3]!.answer()
  assert.deepEqual(await late, rowsOf(2))
  void ask(2)
  await settle()
  assert.equal(keyList.length, 5)
})

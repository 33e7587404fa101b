import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { DatabaseTimeoutError, DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Database.ts'
import { type BatchLimits, batchReads, QueryBatcher } from './QueryBatcher.ts'
import { boundReader, ReadDeadline } from './readers.ts'

type Row = { readonly key: number; readonly nth: number }

/** What was asked, and a way to answer it: two rows for every even key, none for others. */
type Asked = { readonly keys: readonly number[]; answer(): void; fail(error: unknown): void }

const question = {
  queryOf: (keys: readonly number[]) => CompiledQuery.raw('', [keys]) as CompiledQuery<Row>,
  textOf: String,
  textOfRow: ({ key }: Row) => String(key),
}

const rowsOf = (...keys: number[]): Row[] => keys.flatMap((key) => [1, 2].map((nth) => ({ key, nth })))

const listen = (): { reader: Reader; asked: Asked[] } => {
  const asked: Asked[] = []
  const read = (query: CompiledQuery<unknown>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const keys = query.parameters[0] as number[]
      const answer = (): void => resolve(rowsOf(...keys.filter((key) => key % 2 === 0)))
      asked.push({ keys, answer, fail: reject })
    })
  return { reader: { read: read as Reader['read'] }, asked }
}

const open = (limits?: Partial<BatchLimits>) => {
  const { reader, asked } = listen()
  return { asked, joined: new QueryBatcher<number, Row>(reader, question, { slowMs: 60_000, ...limits }) }
}

/** What was due is asked, and what was answered is given out. */
const settle = async (): Promise<void> => {
  for (let k = 0; k < 5; k++) await new Promise((resolve) => setImmediate(resolve))
}

const keysOf = (asked: readonly Asked[]): (readonly number[])[] => asked.map(({ keys }) => keys)

test('who asks while nobody else does is asked for at once, as it stands', async () => {
  const { joined, asked } = open()
  const rows = joined.load([2, 3, 2])
  await settle()
  assert.deepEqual(keysOf(asked), [[2, 3, 2]])
  asked[0]!.answer()
  assert.deepEqual(await rows, rowsOf(2, 2))
})

test('those who come meanwhile go together, each key once, and each gets its own rows', async () => {
  const { joined, asked } = open()
  const first = joined.load([2])
  await settle()
  const others = [joined.load([4, 5]), joined.load([6, 4, 4]), joined.load([7])]
  await settle()
  assert.deepEqual(keysOf(asked), [[2]])
  asked[0]!.answer()
  assert.deepEqual(await first, rowsOf(2))
  await settle()
  assert.deepEqual(keysOf(asked), [[2], [4, 5, 6, 7]])
  asked[1]!.answer()
  assert.deepEqual(await Promise.all(others), [rowsOf(4), rowsOf(6, 4), []])
})

test('those of one turn of the loop go together, and nothing is asked for nobody', async () => {
  const { joined, asked } = open()
  const rows = [joined.load([2]), joined.load([4]), joined.load([])]
  await settle()
  assert.deepEqual(keysOf(asked), [[2, 4]])
  asked[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), []])
})

test('a statement has no more keys than it may; a long list goes by itself', async () => {
  const { joined, asked } = open({ maxOwn: 3, maxKeys: 4 })
  const rows = [joined.load([2, 4, 6]), joined.load([8, 10]), joined.load([12, 14]), joined.load([1, 3, 5, 16])]
  assert.deepEqual(keysOf(asked), [[1, 3, 5, 16]])
  await settle()
  asked[1]!.answer()
  await settle()
  assert.deepEqual(keysOf(asked).slice(1), [
    [2, 4, 6],
    [8, 10, 12, 14],
  ])
  asked[2]!.answer()
  asked[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2, 4, 6), rowsOf(8, 10), rowsOf(12, 14), rowsOf(16)])
})

test('no more are under way at once than may be', async () => {
  const { joined, asked } = open({ maxKeys: 1, maxUnderWay: 2 })
  const rows = [2, 4, 6].map((key) => joined.load([key]))
  await settle()
  assert.deepEqual(keysOf(asked), [[2], [4]])
  asked[1]!.answer()
  await settle()
  assert.deepEqual(keysOf(asked), [[2], [4], [6]])
  asked[0]!.answer()
  asked[2]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), rowsOf(6)])
})

test('one that takes long holds up nobody, and is answered all the same', async () => {
  const { joined, asked } = open({ slowMs: 20 })
  const slow = joined.load([2])
  await settle()
  const next = joined.load([4])
  await settle()
  assert.equal(asked.length, 1)
  await delay(60)
  assert.deepEqual(keysOf(asked), [[2], [4]])
  asked[1]!.answer()
  assert.deepEqual(await next, rowsOf(4))
  asked[0]!.answer()
  assert.deepEqual(await slow, rowsOf(2))
  const after = joined.load([6])
  await settle()
  asked[2]!.answer()
  assert.deepEqual(await after, rowsOf(6))
})

test('where a statement of several fails, each is asked by itself, once', async () => {
  const { joined, asked } = open()
  const rows = [joined.load([2]), joined.load([4])]
  await settle()
  asked[0]!.fail(new DatabaseTimeoutError('The database took too long.'))
  await settle()
  assert.deepEqual(keysOf(asked), [[2, 4], [2], [4]])
  asked[1]!.fail(new DatabaseTimeoutError('The database took too long.'))
  asked[2]!.answer()
  await assert.rejects(rows[0]!, { code: 'database_timeout' })
  assert.deepEqual(await rows[1], rowsOf(4))
  await settle()
  assert.equal(asked.length, 3)
})

test('where the database is away, all are told so, and nobody is asked again', async () => {
  const { joined, asked } = open()
  const rows = [joined.load([2]), joined.load([4])]
  await settle()
  asked[0]!.fail(new DatabaseUnavailableError('The database is not available.'))
  for (const each of rows) await assert.rejects(each, { code: 'database_unavailable' })
  await settle()
  assert.equal(asked.length, 1)
  const later = joined.load([6])
  await settle()
  asked[1]!.answer()
  assert.deepEqual(await later, rowsOf(6))
})

test('a key that cannot be told fails whoever has it, and no other', async () => {
  const { reader, asked } = listen()
  const textOf = (key: number): string => {
    if (key < 0) throw new RangeError('A key below zero.')
    return String(key)
  }
  const queryOf = (keys: readonly number[]) => {
    keys.forEach(textOf)
    return question.queryOf(keys)
  }
  const joined = new QueryBatcher<number, Row>(reader, { ...question, textOf, queryOf })
  const rows = [joined.load([2]), joined.load([-1])]
  rows[1]!.catch(() => undefined)
  await settle()
  asked[0]!.answer()
  assert.deepEqual(await rows[0], rowsOf(2))
  await assert.rejects(rows[1]!, RangeError)
})

test('whoever does not wait any longer holds up nobody', async () => {
  const { joined, asked } = open()
  // That is all that giving up is: nobody looks at what becomes of it.
  joined.load([2]).catch(() => undefined)
  await settle()
  const next = joined.load([4])
  asked[0]!.fail(new Error('lost'))
  await settle()
  asked[1]!.answer()
  assert.deepEqual(await next, rowsOf(4))
})

test('what rows belong to a caller may be more than those of its keys', async () => {
  const { reader, asked } = listen()
  const pick = (texts: readonly string[], find: (text: string) => readonly Row[]): Row[] => [
    ...texts.flatMap(find),
    ...find('100'),
  ]
  const joined = new QueryBatcher<number, Row>(reader, { ...question, pick })
  const rows = [joined.load([2]), joined.load([100])]
  await settle()
  asked[0]!.answer()
  assert.deepEqual(await rows[0], rowsOf(2, 100))
})

test('what is asked of one server is not joined with what is asked of another', async () => {
  const [one, other] = [listen(), listen()]
  const read = batchReads<number, Row>(question)
  const rows = [read(one.reader, [2]), read(other.reader, [4]), read(one.reader, [6])]
  await settle()
  assert.deepEqual(keysOf(one.asked), [[2, 6]])
  assert.deepEqual(keysOf(other.asked), [[4]])
  one.asked[0]!.answer()
  other.asked[0]!.answer()
  assert.deepEqual(await Promise.all(rows), [rowsOf(2), rowsOf(4), rowsOf(6)])
})

test('callers with deadlines of their own are batched with all others, and leave when their time is up', async () => {
  const { reader, asked } = listen()
  const read = batchReads<number, Row>(question, { slowMs: 60_000 })
  const bounded = (timeoutMs: number): Reader => boundReader(reader, new ReadDeadline(timeoutMs))
  const first = read(reader, [2])
  await settle()
  const hasty = read(bounded(30), [4])
  const others = [read(bounded(60_000), [6]), read(reader, [8])]
  await settle()
  assert.deepEqual(keysOf(asked), [[2]])
  asked[0]!.answer()
  await settle()
  assert.deepEqual(keysOf(asked), [[2], [4, 6, 8]])
  await assert.rejects(hasty, { code: 'database_timeout', message: 'The database did not answer within 30 ms.' })
  asked[1]!.answer()
  assert.deepEqual(await Promise.all([first, ...others]), [rowsOf(2), rowsOf(6), rowsOf(8)])
})

test('a deadline is one for all reads of a caller, and no read begins after it', async () => {
  const { reader, asked } = listen()
  const bounded = boundReader(reader, new ReadDeadline(500))
  const rows = bounded.read(question.queryOf([2]))
  await settle()
  asked[0]!.answer()
  assert.deepEqual(await rows, rowsOf(2))
  await assert.rejects(bounded.read(question.queryOf([4])), { code: 'database_timeout' })
  await assert.rejects(bounded.read(question.queryOf([6])), { code: 'database_timeout' })
  assert.equal(asked.length, 2)
})

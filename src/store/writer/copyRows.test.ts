import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type pg from 'pg'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { openClient } from '../connect/openClient.ts'
import { RowValueError } from '../schema/ByteWriter.ts'
import {
  array,
  bool,
  bytea,
  type CopyRow,
  float8,
  int2,
  int4,
  int8,
  type Json,
  jsonb,
  nullable,
  numeric,
  text,
  timestamptz,
} from '../schema/columns.ts'
import { queryBuilder } from '../schema/tables.ts'
import { copyChunks, copyRows, RowEncoder } from './copyRows.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const sample = {
  k: int4,
  a: nullable(int2),
  b: nullable(int4),
  c: nullable(int8),
  d: nullable(numeric),
  e: nullable(text),
  f: nullable(bytea),
  g: nullable(bool),
  h: nullable(timestamptz),
  i: nullable(jsonb),
  j: nullable(float8),
  l: nullable(array(int8)),
  m: nullable(array(text)),
  n: nullable(array(bytea)),
  o: nullable(array(numeric)),
  p: nullable(array(int4)),
} as const

type Row = CopyRow<typeof sample>

const connect = async (t: TestContext): Promise<pg.Client> => {
  const client = await openClient({ url: await freshDatabase(t, 'empty'), name: 'test', statementTimeoutMs: 60_000 })
  t.after(() => client.end())
  const columns = Object.entries(sample).map(
    ([name, { type, nullable }]) => `${name} ${type}${nullable ? '' : ' PRIMARY KEY'}`,
  )
  await client.query(`CREATE TABLE sample (${columns.join(', ')})`)
  return client
}

// The database holds no zero bytes in text.
const someText = fc.string({ unit: 'grapheme', maxLength: 80 }).map((value) => value.replaceAll('\0', '').normalize())
const someInt8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const someNumeric = fc.oneof(
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
)
const someBytes = fc.uint8Array({ maxLength: 300 })
const someJson = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '').replaceAll('-0', '0')) as Json)

const or = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined })

const someRow: fc.Arbitrary<Omit<Row, 'k'>> = fc.record({
  a: or(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
  b: or(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  c: or(someInt8),
  d: or(someNumeric),
  e: or(someText),
  f: or(someBytes),
  g: or(fc.boolean()),
  h: or(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })),
  i: or(someJson),
  j: or(fc.double({ noNaN: true })),
  l: or(fc.array(someInt8, { maxLength: 5 })),
  m: or(fc.array(someText, { maxLength: 5 })),
  n: or(fc.array(someBytes, { maxLength: 3 })),
  o: or(fc.array(someNumeric, { maxLength: 5 })),
  p: or(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 5 })),
})

/** The row as the driver reads it back. */
const expected = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(sample).map((name) => {
      const value = row[name as keyof Row] ?? null
      const toBuffer = (each: unknown): unknown => (each instanceof Uint8Array ? Buffer.from(each) : each)
      return [name, Array.isArray(value) && name !== 'i' ? value.map(toBuffer) : toBuffer(value)]
    }),
  )

test('what was written is read back', async (t) => {
  if (!haveDatabase(t)) return
  t.diagnostic(`seed ${seed}`)
  const client = await connect(t)
  await fc.assert(
    fc.asyncProperty(fc.array(someRow, { minLength: 1, maxLength: 60 }), async (values) => {
      await client.query('TRUNCATE sample')
      const rows = values.map((value, k) => ({ ...value, k }))
      const encoder = new RowEncoder(sample)
      const chunks = rows.map((row) => {
        encoder.add(row)
        return encoder.take()
      })
      assert.equal(await copyChunks(client, 'sample', encoder.columns, chunks), rows.length)
      const { rows: read } = await client.query('SELECT * FROM sample ORDER BY k')
      assert.deepEqual(read, rows.map(expected))
    }),
    { seed, numRuns: 40 },
  )
})

test('numbers at the edges of numeric', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  const values = [
    0n,
    1n,
    -1n,
    9999n,
    10_000n,
    99_999_999n,
    10n ** 12n - 1n,
    10n ** 12n,
    10n ** 16n - 1n,
    10n ** 16n,
    10n ** 16n + 1n,
    10n ** 32n,
    10n ** 100n,
  ]
  const numbers = [...values, ...values.map((value) => -value), 2n ** 256n - 1n, -(2n ** 256n), 7n ** 5000n]
  const encoder = new RowEncoder(sample, ['k', 'd'])
  for (const [k, d] of numbers.entries()) encoder.add({ k, d })
  await copyChunks(client, 'sample', encoder.columns, [encoder.take()])
  const { rows } = await client.query<{ d: bigint }>('SELECT d FROM sample ORDER BY k')
  assert.deepEqual(
    rows.map(({ d }) => d),
    numbers,
  )
})

test('values that do not fit are refused, and leave the encoder as it was', () => {
  const encoder = new RowEncoder(sample)
  encoder.add({ k: 1 })
  const { size } = encoder
  const bad: readonly Partial<Row>[] = [
    { a: 2 ** 15 },
    { a: 1.5 },
    { b: 2 ** 31 },
    { b: Number.NaN },
    { c: 2n ** 63n },
    { c: -(2n ** 63n) - 1n },
    { d: 10n ** 140_000n },
    { e: 'a\0b' },
    { h: new Date(Number.NaN) },
    { i: { x: 'a\0' } },
    { l: [1n, 2n ** 64n] },
  ]
  for (const values of bad) {
    const [name] = Object.keys(values)
    assert.throws(
      () => encoder.add({ k: 2, ...values }),
      (error) => error instanceof RowValueError && error.message.endsWith(`It was for the column ${name}.`),
    )
    assert.deepEqual([encoder.size, encoder.rows], [size, 1])
  }
  assert.equal(encoder.take().length, size)
})

/** Rows without end, in chunks of a size. */
const endless = function* (
  encoder: RowEncoder<typeof sample>,
  limit = Number.POSITIVE_INFINITY,
): Generator<Uint8Array> {
  for (let k = 0; k < limit; k++) {
    encoder.add({ k, f: new Uint8Array(1000) })
    if (k % 100 === 99) yield encoder.take()
  }
}

test('a row that the database refuses undoes all of them, and the connection goes on', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  const encoder = new RowEncoder(sample)
  const twice = function* (): Generator<Uint8Array> {
    for (const k of [1, 2, 1]) encoder.add({ k })
    yield encoder.take()
    // There is always more to send, which the database does not want any more.
    yield* endless(new RowEncoder(sample))
  }
  await assert.rejects(copyChunks(client, 'sample', encoder.columns, twice()), { code: '23505' })
  await assert.rejects(copyChunks(client, 'nothing', encoder.columns, []), { code: '42P01' })
  await assert.rejects(copyChunks(client, 'sample', ['k'], [Uint8Array.of(0, 1, 0, 0, 0, 3, 1, 1, 1)]), {
    code: '08P01',
  })
  assert.deepEqual((await client.query('SELECT count(*)::int AS count FROM sample')).rows, [{ count: 0 }])
  assert.equal(await copyChunks(client, 'sample', encoder.columns, []), 0)
})

test('an error of the one who gives the rows is passed on, and nothing is kept', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  const encoder = new RowEncoder(sample)
  const breaking = async function* (): AsyncGenerator<Uint8Array> {
    yield* endless(encoder, 5000)
    throw new Error('no more')
  }
  await assert.rejects(copyChunks(client, 'sample', encoder.columns, breaking()), /^Error: no more$/)
  assert.deepEqual((await client.query('SELECT count(*)::int AS count FROM sample')).rows, [{ count: 0 }])
})

test('a connection that is lost in the middle ends it', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t, 'empty')
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 60_000 })
  const other = await openClient({ url, name: 'test', statementTimeoutMs: 60_000 })
  t.after(() => other.end())
  await client.query('CREATE TABLE sample (k int PRIMARY KEY, f bytea)')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const encoder = new RowEncoder(sample, ['k', 'f'])
  setTimeout(() => void other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]), 200)
  await assert.rejects(copyChunks(client, 'sample', encoder.columns, endless(encoder)), {
    code: 'database_unavailable',
  })
})

test('memory stays flat however many rows there are', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  await client.query('ALTER TABLE sample SET UNLOGGED')
  const encoder = new RowEncoder(sample, ['k', 'f'])
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watched = function* (): Generator<Uint8Array> {
    for (const chunk of endless(encoder, 100_000)) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      yield chunk
    }
  }
  assert.equal(await copyChunks(client, 'sample', encoder.columns, watched()), 100_000)
  assert.ok(most < 60e6, `${most} bytes were held for 100 MB of rows`)
})

test('rows of a table of ours are copied and read', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const at = new Date('2026-01-02T03:04:05.678Z')
  const rows = Array.from({ length: 3000 }, (_, k) => ({
    name: `lease ${k}`,
    epoch: BigInt(k),
    holder: 'x'.repeat(k % 300),
    acquired_at: at,
    renewed_at: at,
  }))
  assert.equal(await database.transaction((client) => copyRows(client, 'leases', rows)), rows.length)
  const query = queryBuilder.selectFrom('leases').selectAll().where('epoch', '>=', 2998n).orderBy('epoch').compile()
  assert.deepEqual(
    await database.reader().listReads.read(query),
    rows
      .slice(2998)
      .map(({ name, epoch, holder }) => ({ name, epoch, holder, backend_pid: null, acquired_at: at, renewed_at: at })),
  )
})

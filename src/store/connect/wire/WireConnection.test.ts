import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../../test/support/database.ts'
import { KeyBytes } from '../../../primitives/KeyBytes.ts'
import { MessageReader } from './messages.ts'
import { columnReader, findRowReader, type NamedColumn } from './rows.ts'
import { WireConnection } from './WireConnection.ts'

const message = (letter: string, content: string): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter, 'latin1')
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

test('messages are the same however they are cut', () => {
  const sent: [string, string][] = [
    ['D', 'first'],
    ['Z', ''],
    ['T', 'x'.repeat(300)],
    ['E', 'last'],
  ]
  const whole = Buffer.concat(sent.map(([letter, content]) => message(letter, content)))
  for (let size = 1; size <= whole.length; size++) {
    const read: [string, string][] = []
    const reader = new MessageReader((letter, bytes, at, end) => read.push([letter, bytes.toString('latin1', at, end)]))
    for (let at = 0; at < whole.length; at += size) reader.take(whole.subarray(at, at + size))
    assert.deepEqual(read, sent, `in pieces of ${size}`)
  }
})

const column = (name: string, type: number): NamedColumn => ({ name, type, read: columnReader(type).read })

const [INT4, TEXT] = [23, 25]

// Two bytes that count the columns; of each its length and its bytes, or -1 and none.
const row = Buffer.from('ffff000300000004fffffffe00000002' + '6869' + 'ffffffff', 'hex')

test('the values of a row by their names, whatever these are', () => {
  const read = findRowReader([column('a "b\\', INT4), column('value0', TEXT), column('', TEXT)])
  assert.deepEqual(read(row, 2), { 'a "b\\': -2, value0: 'hi', '': null })
})

test('columns that agree in names and types are read by the same', () => {
  const read = findRowReader([column('a', INT4), column('b', TEXT)])
  assert.equal(findRowReader([column('a', INT4), column('b', TEXT)]), read)
  assert.notEqual(findRowReader([column('a', INT4), column('b', INT4)]), read)
  assert.notEqual(findRowReader([column('a', INT4), column('c', TEXT)]), read)
})

test('of two columns with one name the last counts', () => {
  assert.deepEqual(findRowReader([column('a', INT4), column('a', TEXT)])(row, 2), { a: 'hi' })
})

const open = async (t: TestContext, maxStatements = 10): Promise<WireConnection> => {
  const settings = { url: await freshDatabase(t), name: 'test', statementTimeoutMs: 20_000, maxStatements }
  const connection = await WireConnection.open(settings, () => {})
  t.after(() => connection.close())
  return connection
}

test('numbers of any size come back as they were given', async (t) => {
  if (!haveDatabase(t)) return
  const connection = await open(t)
  const numbers = [0n, 1n, -1n, 9999n, 10_000n, 10n ** 12n, 10n ** 16n + 1n, -(10n ** 40n), 2n ** 256n - 1n, 10n ** 77n]
  const [row] = await connection.ask<{ all: bigint[] }>('SELECT $1::numeric[] AS all', [numbers])
  assert.deepEqual(row?.all, numbers)
  for (const number of numbers) {
    assert.deepEqual(await connection.ask('SELECT $1::numeric AS one', [number]), [{ one: number }])
  }
  await assert.rejects(connection.ask('SELECT 1.5::numeric AS one', []), /Expected a whole number|Connection/)
})

test('values of all kinds, lists of them, and nothing', async (t) => {
  if (!haveDatabase(t)) return
  const connection = await open(t)
  const time = new Date('2026-01-02T03:04:05.678Z')
  const [row] = await connection.ask(
    `SELECT $1::bytea[] AS bytes, $2::text[] AS texts, $3::bigint[] AS none, $4::text AS nothing, $5::timestamptz AS time,
      $6::int2 AS small, $7::jsonb AS json, 'a'::varchar AS short, '1 day'::interval::text AS other, true AS yes`,
    [[Buffer.of(1, 0), null], ['a"b\\', 'ü,{}', ''], [], null, time, -5, { a: [1, 'x'] }],
  )
  assert.deepEqual(row, {
    bytes: [new KeyBytes(Uint8Array.of(1, 0).buffer, 0, 2), null],
    texts: ['a"b\\', 'ü,{}', ''],
    none: [],
    nothing: null,
    time,
    small: -5,
    json: { a: [1, 'x'] },
    short: 'a',
    other: '1 day',
    yes: true,
  })
})

test('more statements than are kept, and failures among them, are each answered with their own', async (t) => {
  if (!haveDatabase(t)) return
  const connection = await open(t, 3)
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, (_, k) => connection.ask(`SELECT ${k % 7} / $1::int AS value`, [k % 5])),
  )
  answers.forEach((answer, k) => {
    if (k % 5 === 0) assert.equal(answer.status, 'rejected')
    else assert.deepEqual(answer.status === 'fulfilled' && answer.value, [{ value: Math.floor((k % 7) / (k % 5)) }])
  })
  await assert.rejects(connection.ask('SELECT nothing FROM nowhere', []), { code: '42P01' })
  assert.deepEqual(await connection.ask('SELECT 1 AS value', []), [{ value: 1 }])
})

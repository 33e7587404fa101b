import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../../test/support/database.ts'
import { WireConnection } from './WireConnection.ts'

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
  await assert.rejects(connection.ask('SELECT 1.5::numeric AS one', []), /not a whole number|Connection/)
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
    bytes: [Buffer.of(1, 0), null],
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

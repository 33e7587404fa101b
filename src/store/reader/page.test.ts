import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anyLt, batchPages, ltWindowsQuery, manyKeysQuery, narrowLt, timesOf, toInt4, toInt8 } from './page.ts'

test('a window of times is turned into logical times by two masterchain blocks, one well before it and one well behind', () => {
  const { sql, parameters } = ltWindowsQuery([timesOf({ from: 1000, to: 2000 })])
  assert.equal(
    sql.replace(/\s+/g, ' '),
    'select w.first, w.last, (select start_lt from blocks where workchain = -1 and gen_utime <= w.first order by gen_utime desc limit 1) as "from", (select end_lt from blocks where workchain = -1 and gen_utime >= w.last order by gen_utime asc limit 1) as "to" from unnest($1::integer[], $2::integer[]) as w(first, last)',
  )
  assert.deepEqual(parameters, [[940], [2060]])
})

test('ends that are open, or beyond what columns hold', () => {
  assert.deepEqual(timesOf({ to: 4_294_967_295 }), [-60, 2_147_483_647])
  assert.equal(toInt4(4_294_967_295), 2_147_483_647)
  assert.equal(toInt8(2n ** 64n - 1n), 2n ** 63n - 1n)
})

test('what is in two windows', () => {
  assert.deepEqual(narrowLt({ from: 5n, to: 9n }, anyLt), { from: 5n, to: 9n })
  assert.deepEqual(narrowLt({ from: 5n, to: 9n }, { from: 7n, to: 20n }), { from: 7n, to: 9n })
})

test('a query for one key becomes one for many: wherever the key stands, each has its own', () => {
  const query = manyKeysQuery(
    (key) => sql`select * from t where a >= (${key}, ${5n}) and a <= (${key}, ${9n}) limit ${sql.val(11)}`,
  )
  const keys = [Uint8Array.of(1), Uint8Array.of(2)]
  const { sql: text, parameters } = query(keys)
  assert.equal(
    text.replace(/\s+/g, ' '),
    'select asked.place::integer as place, found.* from unnest($1::bytea[]) with ordinality as asked(key, place) cross join lateral (select * from t where a >= (asked.key, $2) and a <= (asked.key, $3) limit $4) as found',
  )
  assert.deepEqual(parameters, [keys, 5n, 9n, 11])
})

test('pages are put together once for each direction and length, and long ones not at all', () => {
  const built: string[] = []
  const pages = batchPages((key, direction, limit) => {
    built.push(`${direction} ${limit}`)
    return sql`${key}`
  })
  assert.equal(pages('asc', 11), pages('asc', 11))
  assert.notEqual(pages('asc', 11), pages('desc', 11))
  assert.equal(pages('asc', 101), undefined)
  assert.deepEqual(built, ['asc 11', 'desc 11'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyLt, ltWindowsQuery, narrowLt, timesOf, toInt4, toInt8 } from './timeWindow.ts'

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

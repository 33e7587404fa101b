import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { joinPages, manyKeysQuery } from './joinPages.ts'

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
  const pages = joinPages((key, direction, limit) => {
    built.push(`${direction} ${limit}`)
    return sql`${key}`
  })
  assert.equal(pages('asc', 11), pages('asc', 11))
  assert.notEqual(pages('asc', 11), pages('desc', 11))
  assert.equal(pages('asc', 101), undefined)
  assert.deepEqual(built, ['asc 11', 'desc 11'])
})

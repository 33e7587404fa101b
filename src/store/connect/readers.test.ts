import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { queryBuilder } from '../schema/tables.ts'
import { toStatement } from './readers.ts'

const compile = (query: ReturnType<typeof sql>) => query.compile(queryBuilder)

test('how many rows are wanted is in the text, everything else beside it', () => {
  const page = (limit: number, offset: number, key: bigint) =>
    compile(sql`select ${1} from (select 2 limit ${limit}) as a where b > ${key} limit ${limit} offset ${offset}`)
  const text = 'select $1 from (select 2 limit 11) as a where b > $2 limit 11 offset 5'
  assert.deepEqual(toStatement(page(11, 5, 7n)), { text, values: [1, 7n] })
  assert.deepEqual(toStatement(page(11, 5, 8n)), { text, values: [1, 8n] })
  assert.deepEqual(toStatement(page(12, 5, 8n)), { text: text.replaceAll('11', '12'), values: [1, 8n] })
  assert.deepEqual(toStatement(compile(sql`select 1 limit ${'all'}`)), { text: 'select 1 limit $1', values: ['all'] })
  assert.deepEqual(toStatement({ sql: 'select $2, $1, $2 limit $3', parameters: ['a', 'b', 4] }), {
    text: 'select $1, $2, $1 limit 4',
    values: ['b', 'a'],
  })
  assert.deepEqual(toStatement(compile(sql`select 1 limit ${3}`)), { text: 'select 1 limit 3', values: [] })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { queryBuilder } from '../queryBuilder.ts'
import { StatementNames } from './StatementNames.ts'
import { toStatement } from './toStatement.ts'

const compile = (query: ReturnType<typeof sql>) => query.compile(queryBuilder)

test('how many rows are wanted is in the text, everything else beside it, and the same text has the same name', () => {
  const names = new StatementNames(2)
  const page = (limit: number, offset: number, key: bigint) =>
    compile(sql`select ${1} from (select 2 limit ${limit}) as a where b > ${key} limit ${limit} offset ${offset}`)
  const text = 'select $1 from (select 2 limit 11) as a where b > $2 limit 11 offset 5'
  assert.deepEqual(toStatement(page(11, 5, 7n), names), { name: 's0', text, values: [1, 7n] })
  assert.deepEqual(toStatement(page(11, 5, 8n), names), { name: 's0', text, values: [1, 8n] })
  assert.equal(toStatement(page(12, 5, 8n), names).name, 's1')
  // More than may be prepared are not.
  const last = toStatement(page(13, 5, 8n), names)
  assert.deepEqual([last.name, last.values], [undefined, [1, 8n]])
  assert.deepEqual(toStatement(compile(sql`select 1 limit ${'all'}`), names).values, ['all'])
})

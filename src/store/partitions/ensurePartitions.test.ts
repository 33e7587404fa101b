import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { dividedTables } from './dividedTables.ts'
import { ensurePartitions } from './ensurePartitions.ts'
import { listPartitions } from './listPartitions.ts'

test('several processes at once make each partition once, while others read', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const databases = await Promise.all([1, 2, 3].map(() => openFreshDatabase(t, { url })))
  const reader = await databases[0]!.openConnection('reader')
  t.after(() => reader.end())
  // Whoever reads is not waited for.
  await reader.query('BEGIN; SELECT count(*) FROM transactions; SELECT count(*) FROM blocks')
  await Promise.all(databases.map((database, k) => ensurePartitions(database, [0, 100, 100 * (k + 2)], 100)))
  await reader.query('SELECT count(*) FROM transactions; COMMIT')
  const partitions = await databases[0]!.transaction(listPartitions)
  const expected = [...dividedTables]
    .sort()
    .flatMap((table) => [0, 100, 200, 300, 400].map((start) => ({ table, name: `${table}_p${start}`, start })))
  assert.deepEqual(partitions, expected)
})

test('a partition has the keys and indexes of its table, and takes what is in its bounds', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [2_000_000_000], 1_000_000_000)
  await database.transaction(async (client) => {
    const { rows } = await client.query<{ missing: number; bounds: string }>(
      `SELECT (SELECT count(*)::int FROM pg_index i WHERE i.indrelid = p.oid)
         - (SELECT count(*)::int FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid WHERE i.indrelid = c.oid) AS missing,
         pg_get_expr(c.relpartbound, c.oid) AS bounds
       FROM pg_class p JOIN pg_inherits x ON x.inhparent = p.oid JOIN pg_class c ON c.oid = x.inhrelid
       WHERE p.relkind = 'p'`,
    )
    assert.equal(rows.length, dividedTables.length)
    for (const row of rows) {
      assert.deepEqual(row, { missing: 0, bounds: 'FOR VALUES FROM (2000000000) TO (MAXVALUE)' })
    }
  })
})

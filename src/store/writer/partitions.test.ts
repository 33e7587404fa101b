import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { partitionedTables } from '../schema/tables.ts'
import { createPartition, dropPartitions, ensurePartitions, listPartitions, readPartitionMap } from './partitions.ts'

const first = partitionedTables[0]
const last = partitionedTables.at(-1)!

test('who reads one table after the other is not ended, and is waited for', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0, 100], 100)
  let dropping: Promise<void> | undefined
  // In either order: one of them is the other way round than who drops.
  for (const [start, tables] of [
    [0, [last, first]],
    [100, [first, last]],
  ] as const) {
    await database.transaction(async (reader) => {
      await reader.query(`SELECT FROM ${tables[0]} LIMIT 1`)
      dropping = database.transaction((client) =>
        dropPartitions(
          client,
          partitionedTables.map((table) => `${table}_p${start}`),
        ),
      )
      await delay(1300)
      await reader.query(`SELECT FROM ${tables[1]} LIMIT 1`)
    })
    await dropping
  }
  assert.deepEqual(await database.transaction(listPartitions), [])
})

test('who reads for too long is left alone', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0], 100)
  await database.transaction(async (reader) => {
    await reader.query(`SELECT FROM ${last} LIMIT 1`)
    const dropping = database.transaction((client) => dropPartitions(client, [`${first}_p0`]))
    await assert.rejects(dropping, { code: 'database_timeout' })
  })
  assert.equal((await database.transaction(listPartitions)).length, partitionedTables.length)
})

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
  const expected = [...partitionedTables]
    .sort()
    .flatMap((table) =>
      [0, 100, 200, 300, 400].map((start) => ({ table, name: `${table}_p${start}`, start, end: start + 100 })),
    )
  assert.deepEqual(partitions, expected)
})

test('a partition has the keys and indexes of its table, and takes what is in its bounds', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction((client) => createPartition(client, { start: 2_000_000_000, end: 3_000_000_000 }))
  await database.transaction(async (client) => {
    const { rows } = await client.query<{ missing: number; bounds: string }>(
      `SELECT (SELECT count(*)::int FROM pg_index i WHERE i.indrelid = p.oid)
         - (SELECT count(*)::int FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid WHERE i.indrelid = c.oid) AS missing,
         pg_get_expr(c.relpartbound, c.oid) AS bounds
       FROM pg_class p JOIN pg_inherits x ON x.inhparent = p.oid JOIN pg_class c ON c.oid = x.inhrelid
       WHERE p.relkind = 'p'`,
    )
    assert.equal(rows.length, partitionedTables.length)
    for (const row of rows) {
      assert.deepEqual(row, { missing: 0, bounds: 'FOR VALUES FROM (2000000000) TO (MAXVALUE)' })
    }
  })
})

test('a partition is as wide as the blocks next to it are small', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const width = 1 << 21
  await ensurePartitions(database, [100_000], width)
  await database.transaction((client) =>
    client.query(
      `INSERT INTO covered_ranges VALUES (100000, 104095, '{}');
       INSERT INTO indexed_blocks SELECT k, 0, 0, now(), '\\x00' FROM generate_series(100000, 104095) AS k`,
    ),
  )
  const map = await ensurePartitions(database, [100_000, 65_535, 131_072], width)
  assert.deepEqual(
    [...map.spans()],
    [
      { start: 0, end: 65_536 },
      { start: 65_536, end: 131_072 },
      { start: 131_072, end: 131_072 + 4 * 65_536 },
    ],
  )
  assert.deepEqual([...(await database.transaction(readPartitionMap)).spans()], [...map.spans()])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { partitionedTables } from '../schema/tables.ts'
import { dropPartitions, ensurePartitions, listPartitions, packPartitions } from './partitions.ts'

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
    assert.equal(rows.length, partitionedTables.length)
    for (const row of rows) {
      assert.deepEqual(row, { missing: 0, bounds: 'FOR VALUES FROM (2000000000) TO (MAXVALUE)' })
    }
  })
})

const { signal } = new AbortController()

test('partitions that are covered whole are packed once, others when asked for', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0, 100, 200], 100)
  const readBytes = (): Promise<number[]> =>
    database.transaction(async (client) => {
      const { rows } = await client.query<{ bytes: string }>(
        `SELECT pg_relation_size('shard_tops_p' || start || '_pkey')::text AS bytes FROM unnest(array[100, 200]) AS start`,
      )
      return rows.map(({ bytes }) => Number(bytes))
    })
  await database.transaction(async (client) => {
    await client.query(
      `INSERT INTO index_state (zero_state, partition_width) VALUES ('\\x00', 100);
       INSERT INTO covered_ranges (first_seqno, last_seqno, lower_edge) VALUES (50, 250, '{}');
       INSERT INTO shard_tops (mc_seqno, workchain, shard, seqno)
       SELECT s, 0, hashint8(n), 1 FROM generate_series(100, 299) s, generate_series(1, 60) n ORDER BY hashint8(n + s)`,
    )
  })
  const before = await readBytes()
  // The first is not covered from its beginning, the last not to its end.
  assert.equal(await packPartitions(database, 'complete', signal), partitionedTables.length)
  const after = await readBytes()
  assert.ok(after[0]! < before[0]! * 0.9, `${before[0]} bytes became ${after[0]}`)
  assert.equal(after[1], before[1])
  assert.equal(await packPartitions(database, 'complete', signal), 0)
  assert.equal(await packPartitions(database, 'present', signal), 2 * partitionedTables.length)
  assert.ok((await readBytes())[1]! < before[1]! * 0.9)
})

test('who has read for long is not waited for, and nothing half built stays', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0], 100)
  const reader = await database.openConnection('reader')
  t.after(() => reader.end())
  await reader.query('BEGIN; SELECT count(*) FROM shard_tops')
  await assert.rejects(packPartitions(database, 'present', signal, 300), /lock timeout/)
  await reader.query('COMMIT')
  await packPartitions(database, 'present', signal)
  const invalid = await database.transaction((client) => client.query('SELECT FROM pg_index WHERE NOT indisvalid'))
  assert.equal(invalid.rowCount, 0)
})

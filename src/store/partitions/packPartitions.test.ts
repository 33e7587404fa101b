import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { dividedTables } from './dividedTables.ts'
import { ensurePartitions } from './ensurePartitions.ts'
import { packPartitions } from './packPartitions.ts'

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
  assert.equal(await packPartitions(database, 'complete', signal), dividedTables.length)
  const after = await readBytes()
  assert.ok(after[0]! < before[0]! * 0.9, `${before[0]} bytes became ${after[0]}`)
  assert.equal(after[1], before[1])
  assert.equal(await packPartitions(database, 'complete', signal), 0)
  assert.equal(await packPartitions(database, 'present', signal), 2 * dividedTables.length)
  assert.ok((await readBytes())[1]! < before[1]! * 0.9)
})

test('who has read for long is not waited for, and nothing half built stays', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0], 100)
  const reader = await database.openConnection('reader')
  t.after(() => reader.end())
  await reader.query('BEGIN; SELECT count(*) FROM shard_tops')
  await assert.rejects(packPartitions(database, 'present', signal), /lock timeout/)
  await reader.query('COMMIT')
  await packPartitions(database, 'present', signal)
  const invalid = await database.transaction((client) => client.query('SELECT FROM pg_index WHERE NOT indisvalid'))
  assert.equal(invalid.rowCount, 0)
})

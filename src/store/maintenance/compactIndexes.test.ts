import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import type { Database } from '../connect/Database.ts'
import { partitionedTables } from '../schema/tables.ts'
import { ensurePartitions } from '../writer/partitions.ts'
import { compactIndexes, packPartitions } from './compactIndexes.ts'

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
  const last = (await readBytes())[1]!
  assert.ok(last < before[1]! * 0.9)
  // A tenth stays free for the rows to come.
  assert.ok(last > after[0]! * 1.05, `${after[0]} bytes if complete, ${last} if not`)
})

test('who has read for long is not waited for, and nothing half built stays', { timeout: 60_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0], 100)
  await database.transaction((client) =>
    client.query('INSERT INTO shard_tops (mc_seqno, workchain, shard, seqno) SELECT 1, 0, generate_series(1, 5000), 1'),
  )
  const reader = await database.openConnection('reader')
  t.after(() => reader.end())
  await reader.query('BEGIN; SELECT count(*) FROM shard_tops')
  await assert.rejects(packPartitions(database, 'present', signal, { waitMs: 300 }), {
    code: 'database_timeout',
    message: /still open after 0\.3 s/,
  })
  await reader.query('COMMIT')
  await packPartitions(database, 'present', signal)
  const invalid = await database.transaction((client) => client.query('SELECT FROM pg_index WHERE NOT indisvalid'))
  assert.equal(invalid.rowCount, 0)
})

const LOOKUPS = 100_000
const minBytes = 1 << 20

/** Lookups by random hashes, as the indexer writes them: in many batches. `in_order` has keys that ascend. */
const fillLookups = (database: Database): Promise<unknown> =>
  database.transaction((client) =>
    client.query(
      `INSERT INTO transaction_lookup SELECT hashint8extended(k, 1), k, k FROM generate_series(1, ${LOOKUPS}) k;
       CREATE TABLE in_order (k bigint PRIMARY KEY); INSERT INTO in_order SELECT generate_series(1, ${LOOKUPS});
       ANALYZE in_order`,
    ),
  )

const readIndex = async (database: Database): Promise<{ bytes: number; valid: boolean; invalid: number }> =>
  database.transaction(async (client) => {
    const { rows } = await client.query<{ bytes: number; valid: boolean; invalid: number }>(
      `SELECT pg_relation_size(indexrelid)::float8 AS bytes, indisvalid AS valid,
         (SELECT count(*)::int FROM pg_index WHERE NOT indisvalid) AS invalid
       FROM pg_index WHERE indexrelid = 'transaction_lookup_by_hash'::regclass`,
    )
    return rows[0]!
  })

test('an index filled in random order shrinks once, while rows are read and written', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await fillLookups(database)
  const before = await readIndex(database)
  let [isOver, written] = [false, 0]
  const use = async (): Promise<void> => {
    for (; !isOver; written++) {
      await database.transaction(async (client) => {
        await client.query('INSERT INTO transaction_lookup VALUES ($1, $1, 0)', [written])
        const { rowCount } = await client.query(
          'SELECT FROM transaction_lookup WHERE hash_key = hashint8extended(7, 1)',
        )
        assert.equal(rowCount, 1)
      })
    }
  }
  const using = use()
  const writtenAt: number[] = []
  const compacted = await compactIndexes(database, { signal, minBytes, onIndex: () => void writtenAt.push(written) })
  isOver = true
  await using
  assert.ok(writtenAt[0]! > 0, 'no row was written meanwhile')
  // The one that was filled in order is full.
  assert.deepEqual(
    compacted.map(({ index, table }) => [index, table]),
    [['transaction_lookup_by_hash', 'transaction_lookup']],
  )
  const { bytesBefore, bytes } = compacted[0]!
  assert.ok(bytesBefore >= before.bytes && bytes < 0.95 * bytesBefore, `${bytesBefore} bytes became ${bytes}`)
  const found = await database.transaction((client) =>
    client.query(
      `SET LOCAL enable_seqscan TO off; SELECT FROM transaction_lookup WHERE hash_key >= 0 AND mc_seqno = 0`,
    ),
  )
  assert.equal((found as unknown as { rowCount: number }[])[1]!.rowCount, written)

  assert.deepEqual(await compactIndexes(database, { signal, minBytes }), [])
  // Rows alone do not make it loose: it has grown with them.
  await database.transaction((client) =>
    client.query(`INSERT INTO transaction_lookup SELECT 1e18::bigint + k, k, k FROM generate_series(1, 200) k`),
  )
  assert.deepEqual(await compactIndexes(database, { signal, minBytes }), [])
  await database.transaction((client) => client.query('DELETE FROM transaction_lookup WHERE lt % 2 = 0'))
  const vacuuming = await database.openConnection('test')
  await vacuuming.query('VACUUM transaction_lookup').finally(() => vacuuming.end())
  assert.equal((await compactIndexes(database, { signal, minBytes })).length, 1)
})

test('an interrupted rebuild leaves the old index, and one that was killed is cleared away', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await fillLookups(database)
  const before = await readIndex(database)
  const reader = await database.openConnection('reader')
  t.after(() => reader.end())
  const isWaiting = async (): Promise<boolean> =>
    database.transaction(async (client) => {
      const { rows } = await client.query<{ waits: boolean }>(
        `SELECT count(*) > 0 AS waits FROM pg_stat_activity
         WHERE query LIKE 'REINDEX%' AND wait_event_type = 'Lock' AND datname = current_database()`,
      )
      return rows[0]!.waits
    })
  const ending = new AbortController()
  // A rebuild waits for those who have written before.
  await reader.query('BEGIN; INSERT INTO transaction_lookup VALUES (0, 0, 0)')
  const interrupted = compactIndexes(database, { signal: ending.signal, minBytes })
  interrupted.catch(() => undefined)
  await waitUntil('the rebuild waits', isWaiting)
  await assert.rejects(compactIndexes(database, { signal, minBytes }), { code: 'compaction_running' })
  ending.abort()
  // Else it could end before it is cancelled.
  await waitUntil('the rebuild is cancelled', async () => !(await isWaiting()))
  await reader.query('ROLLBACK')
  await assert.rejects(interrupted, { name: 'AbortError' })
  assert.deepEqual(await readIndex(database), { ...before, valid: true, invalid: 0 })

  await reader.query('BEGIN; INSERT INTO transaction_lookup VALUES (0, 0, 0)')
  const killed = compactIndexes(database, { signal, minBytes })
  killed.catch(() => undefined)
  await waitUntil('the rebuild waits', isWaiting)
  await database.transaction((client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'chaincenter compact' AND datname = current_database()`,
    ),
  )
  await assert.rejects(killed, { code: 'database_unavailable' })
  await reader.query('ROLLBACK')
  assert.deepEqual(await readIndex(database), { ...before, valid: true, invalid: 1 })
  await compactIndexes(database, { signal, minBytes })
  const { bytes, ...rest } = await readIndex(database)
  assert.deepEqual(rest, { valid: true, invalid: 0 })
  assert.ok(bytes < before.bytes)
})

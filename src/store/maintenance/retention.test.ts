import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase } from '../../../test/support/database.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { noLease, SampleIndexer } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { partitionedTables } from '../schema/tables.ts'
import { listPartitions } from '../writer/partitions.ts'
import { clearLookups, dropBefore } from './retention.ts'

const world = makeWorld({ seed: 3, blockSets: 40, width: 5 })

type Row = Record<string, unknown>
const { signal } = new AbortController()
const parse = (rows: readonly string[] = []): Row[] => rows.map((row) => JSON.parse(row) as Row)

const lookupsFrom = (dump: Readonly<Record<string, readonly string[]>>, seqno: number): number =>
  parse(dump['transaction_lookup']).filter((row) => Number(row['mc_seqno']) >= seqno).length

test('history goes by partitions, and the index says so', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world, { width: 8 })
  const { database } = indexer
  await indexer.index(2, 4)
  await indexer.index(7, 30)
  const before = await dumpIndex(database)
  assert.deepEqual(await dropBefore(database, 21, noLease), {
    retainedFrom: 16,
    partitions: 2 * partitionedTables.length,
  })
  assert.equal(await clearLookups(database, 16, signal), before['transaction_lookup']!.length - lookupsFrom(before, 16))
  const after = await dumpIndex(database)
  const keptRows = (table: string): Row[] => parse(before[table]).filter((row) => Number(row['mc_seqno']) >= 16)
  for (const table of [...partitionedTables, 'transaction_lookup']) {
    assert.deepEqual(parse(after[table]), keptRows(table), table)
  }
  for (const table of ['latest_account_states', 'jetton_wallets', 'codes'])
    assert.deepEqual(after[table], before[table])
  assert.deepEqual(parse(after['covered_ranges']), [{ first_seqno: 16, last_seqno: 30, lower_edge: [] }])
  assert.equal(parse(after['index_state'])[0]!['retained_from'], 16)
  const starts = await database.transaction(listPartitions)
  assert.deepEqual([...new Set(starts.map(({ start }) => start))], [16, 24])

  // Every message that an open trace waits for is there.
  const underWay = parse(after['unreceived_messages']).filter(({ bits }) => bits === 1)
  for (const { trace_id, pending } of parse(after['open_traces'])) {
    assert.equal(underWay.filter((row) => row['trace_id'] === trace_id).length, pending)
  }

  assert.deepEqual(await dropBefore(database, 12, noLease), { retainedFrom: 16, partitions: 0 })
  assertSameIndex(await dumpIndex(database), after)
  const { batch } = await indexer.makeBatch(10, 15)
  await assert.rejects(indexer.writer.commit(batch, 'below'), { code: 'batch_out_of_place' })
  await indexer.index(31, 35)
})

test('all of it may go', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world, { width: 4 })
  await indexer.index(1, 20)
  await dropBefore(indexer.database, 50, noLease)
  await clearLookups(indexer.database, 50, signal)
  const dump = await dumpIndex(indexer.database)
  // Balances are not in the dump: they depend on the batches.
  const dumped = partitionedTables.filter((table) => table !== 'jetton_balances')
  for (const table of [...dumped, 'transaction_lookup', 'open_traces', 'covered_ranges']) {
    assert.deepEqual(dump[table], [], table)
  }
  assert.equal(parse(dump['index_state'])[0]!['retained_from'], 50)
})

test('the way from hashes is cleared piece by piece', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world, { width: 4 })
  await indexer.index(1, 20)
  const { database } = indexer
  const fill = 'INSERT INTO transaction_lookup SELECT k, k, k % 40 FROM generate_series(1, 200000) k'
  await database.transaction((client) => client.query(fill))
  const before = await dumpIndex(database)
  const ending = new AbortController()
  ending.abort()
  await assert.rejects(clearLookups(database, 12, ending.signal), { name: 'AbortError' })
  // About a thousand pages.
  const gone = await clearLookups(database, 12, signal, 100)
  const after = await dumpIndex(database)
  assert.deepEqual(
    [gone, after['transaction_lookup']!.length],
    [before['transaction_lookup']!.length - lookupsFrom(before, 12), lookupsFrom(before, 12)],
  )
  assert.ok(parse(after['transaction_lookup']).every((row) => Number(row['mc_seqno']) >= 12))
})

test('one who does not lead drops nothing', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world, { width: 4 })
  await indexer.index(1, 20)
  const before = await dumpIndex(indexer.database)
  const lease = { guard: () => Promise.reject(new Error('lost')) }
  await assert.rejects(dropBefore(indexer.database, 12, lease), /lost/)
  assertSameIndex(await dumpIndex(indexer.database), before)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { noLease, SampleIndexer } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { openClient } from '../connect/openClient.ts'
import { dropBefore } from './retention.ts'
import { readIndexStatus, readStatus } from './status.ts'

const world = makeWorld({ seed: 9, blockSets: 30, width: 6 })

const countTransactions = (first: number, last: number): number =>
  world.filter(({ seqno }) => seqno >= first && seqno <= last).flatMap((blockSet) => blockSet.transactions).length

test('the figures are those of what is there', async (t) => {
  if (!haveDatabase(t)) return
  const indexer = await SampleIndexer.create(t, world, { width: 8 })
  const read = () => indexer.database.transaction(readStatus)
  assert.deepEqual((await read()).index, {
    ranges: [],
    retainedFrom: 0,
    partitionWidth: 8,
    watchedAccounts: undefined,
    blocks: 0,
    transactions: 0,
    bytesPerTransaction: undefined,
    newest: undefined,
    rate: undefined,
  })
  await indexer.index(1, 4)
  await indexer.index(9, 30)
  const { tables, index, bytes } = await read()
  const total = tables.reduce((sum, table) => sum + table.bytes, 0)
  const transactions = countTransactions(1, 4) + countTransactions(9, 30)
  assert.ok(total > 0 && total < bytes)
  assert.deepEqual(index!.ranges, [
    { firstSeqno: 1, lastSeqno: 4 },
    { firstSeqno: 9, lastSeqno: 30 },
  ])
  assert.equal(index!.blocks, 26)
  assert.equal(index!.transactions, transactions)
  assert.equal(index!.bytesPerTransaction, total / transactions)
  // Blocks are five seconds apart.
  assert.deepEqual(index!.rate, {
    transactionsPerDay: (transactions / (29 * 5)) * 86_400,
    bytesPerDay: (transactions / (29 * 5)) * 86_400 * (total / transactions),
  })
  assert.deepEqual([index!.newest!.seqno, index!.newest!.utime], [30, 1_700_000_150])
  const at = new Date((1_700_000_150 + 42) * 1000)
  const later = await indexer.database.transaction((client) => readIndexStatus(client, tables, at))
  assert.equal(later!.newest!.lagSeconds, 42)
  assert.equal(tables.find(({ name }) => name === 'transactions')!.partitions, 4)

  await dropBefore(indexer.database, 16, noLease)
  const after = (await read()).index!
  assert.deepEqual([after.retainedFrom, after.blocks, after.transactions], [16, 15, countTransactions(16, 30)])
  assert.deepEqual(after.ranges, [{ firstSeqno: 16, lastSeqno: 30 }])
})

test('an empty database has no index', async (t) => {
  if (!haveDatabase(t)) return
  const client = await openClient({ url: await freshDatabase(t, 'empty'), name: 'test', statementTimeoutMs: 10_000 })
  t.after(() => client.end())
  const { index, tables } = await readStatus(client)
  assert.deepEqual([index, tables], [undefined, []])
})

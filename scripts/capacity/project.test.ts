import assert from 'node:assert/strict'
import { test } from 'node:test'
import { project } from './project.ts'

const measured = {
  transactions: 1_000_000,
  bytes: 2000,
  scatteredIndexBytes: 300,
  scatteredRows: 6,
  databaseUs: 60,
  walBytes: 3000,
  indexerUs: 90,
}
const target = {
  transactions: 1e9,
  transactionsPerSecond: 50,
  blockSeconds: 2,
  partitionBlocks: 2_000_000,
  pageMemoryBytes: 1e12,
  cores: 4,
  utilisation: 0.5,
}

test('a projection is in proportion, and a partition bounds what the writer touches', () => {
  const large = project(measured, target)
  assert.equal(large.bytes, 2e12)
  assert.ok(Math.abs(large.coreHours - 150_000 / 3600) < 1e-9)
  assert.ok(Math.abs(large.indexingDays - 150_000 / 2 / 86_400) < 1e-9)
  assert.ok(Math.abs(large.headCores - 0.0075) < 1e-12)
  assert.deepEqual([large.transactionsPerPartition, large.partitions], [2e8, 5])
  assert.deepEqual([large.writerMemoryBytes, large.coldReadsPerSecond], [6e10, 300])
  // More cores do not help a writer that is one.
  assert.ok(Math.abs(project(measured, { ...target, cores: 64 }).indexingDays - 60_000 / 86_400) < 1e-9)
  // With less memory of the database, a partition is an eighth of all that was before it.
  const divided = project(measured, { ...target, pageMemoryBytes: 8e9 })
  assert.deepEqual([divided.partitions, Math.round(divided.transactionsPerPartition / 1e6)], [40, 116])
  const small = project(measured, { ...target, transactions: 1e6 })
  assert.deepEqual([small.partitions, small.writerMemoryBytes], [1, 3e8])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { shardChildren, wholeShard } from '../../primitives/shard.ts'
import { EntryTable } from './EntryTable.ts'
import type { EntryKind } from './entryName.ts'

const [left, right] = shardChildren(wholeShard)

const block = (workchain: number, shard: bigint, seqno: number, twin = 0): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash: filled((seqno + 7 * twin) & 255),
  fileHash: filled((seqno + 7 * twin + 1) & 255),
})

const tableOf = (entries: readonly (readonly [EntryKind, BlockIdExt])[]): EntryTable => {
  const table = new EntryTable()
  entries.forEach(([kind, id], k) => {
    table.add({ kind, id }, { offset: k * 1e10, nameLength: 100 + k, dataLength: 0x7fff_ffff - k })
  })
  return table
}

const place = (k: number) => ({ offset: k * 1e10, nameLength: 100 + k, dataLength: 0x7fff_ffff - k })

test('an entry is found by its kind and full id, the last copy first', () => {
  const one = block(0, left, 5)
  const twin = block(0, left, 5, 1)
  const table = tableOf([
    ['block', one],
    ['proof', one],
    ['block', twin],
    ['block', one],
    ['block', block(0, right, 5)],
  ])
  assert.deepEqual(table.find('block', one), [place(3), place(0)])
  assert.deepEqual(table.find('block', twin), [place(2)])
  assert.deepEqual(table.find('proof', one), [place(1)])
  assert.deepEqual(table.find('prooflink', one), [])
  assert.deepEqual(table.find('block', { ...one, fileHash: filled(9) }), [])
  assert.deepEqual(table.find('block', { ...one, rootHash: filled(9) }), [])
  assert.deepEqual(table.find('block', { ...one, workchain: 1 }), [])
  assert.deepEqual(table.find('block', { ...one, seqno: 6 }), [])
})

test('the newest masterchain block up to a seqno', () => {
  const table = tableOf([
    ['block', block(masterchain, wholeShard, 7)],
    ['block', block(masterchain, wholeShard, 5)],
    ['block', block(masterchain, wholeShard, 7, 1)],
    ['proof', block(masterchain, wholeShard, 8)],
    ['block', block(0, wholeShard, 9)],
  ])
  assert.deepEqual(table.findMasterchainBlock(100), block(masterchain, wholeShard, 7, 1))
  assert.deepEqual(table.findMasterchainBlock(6), block(masterchain, wholeShard, 5))
  assert.equal(table.findMasterchainBlock(4), undefined)
})

test('seqnos of the shards that have accounts in common', () => {
  const table = tableOf([
    ['block', block(0, wholeShard, 10)],
    ['block', block(0, left, 12)],
    ['block', block(0, right, 15)],
    ['block', block(1, left, 99)],
    ['prooflink', block(0, left, 13)],
  ])
  assert.deepEqual(table.findSeqnoRange(block(0, left, 0)), [10, 13])
  assert.deepEqual(table.findSeqnoRange(block(0, shardChildren(right)[0], 0)), [10, 15])
  assert.deepEqual(table.findSeqnoRange(block(0, wholeShard, 0)), [10, 15])
  assert.equal(table.findSeqnoRange(block(2, wholeShard, 0)), undefined)
})

test('blocks are listed once each', () => {
  const ids = [block(0, left, 1), block(0, left, 2), block(0, left, 1, 1)]
  const table = tableOf([
    ['block', ids[0]!],
    ['prooflink', ids[0]!],
    ['block', ids[1]!],
    ['block', ids[0]!],
    ['block', ids[2]!],
  ])
  assert.deepEqual(table.listBlocks(), [ids[1], ids[0], ids[2]])
})

test('it takes any number of entries', () => {
  const ids = Array.from({ length: 3000 }, (_, seqno) => block(0, wholeShard, seqno + 1))
  const table = tableOf(ids.map((id) => ['block', id] as const))
  assert.equal(table.count, 3000)
  assert.deepEqual(table.listBlocks().length, 256)
  for (const k of [0, 63, 64, 1500, 2999]) assert.equal(table.find('block', ids[k]!)[0]?.offset, k * 1e10)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { NO_SPLIT_MERGE, type ShardDescr, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { planShards } from './advanceShards.ts'

const NOW = 1000
const LEFT = 0x4000_0000_0000_0000n
const RIGHT = 0xc000_0000_0000_0000n
const rules = { minSplit: 0, maxSplit: 1, delay: 20, interval: 60 }

const leaf = (shard: bigint, descr: Partial<ShardDescr> = {}): ShardLeaf => ({
  workchain: 0,
  shard,
  descr: {
    feesInRef: true,
    seqno: 5,
    regMcSeqno: 5,
    startLt: 0n,
    endLt: 0n,
    rootHash: new Uint8Array(32),
    fileHash: new Uint8Array(32),
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    nextCatchainSeqno: 0,
    nextValidatorShard: shard,
    minRefMcSeqno: 1,
    genUtime: NOW,
    splitMergeAt: NO_SPLIT_MERGE,
    feesCollected: ZERO_CURRENCY,
    fundsCreated: ZERO_CURRENCY,
    ...descr,
  },
})

const plansOf = (leaves: readonly ShardLeaf[], changed: Partial<typeof rules> = {}) =>
  planShards(leaves, { ...rules, ...changed }, NOW).map(({ descr }) => [descr.splitMergeAt.kind, descr.beforeMerge])

const planned = (kind: 'split' | 'merge', utime: number) => ({ splitMergeAt: { kind, utime, interval: 60 } })
const both = (descr: Partial<ShardDescr>) => [leaf(LEFT, descr), leaf(RIGHT, descr)]

test('a loaded shard is to split where the limits allow it, and one below the least depth in any case', () => {
  assert.deepEqual(plansOf([leaf(wholeShard)]), [['none', false]])
  assert.deepEqual(plansOf([leaf(wholeShard, { wantSplit: true })]), [['split', false]])
  assert.deepEqual(plansOf([leaf(wholeShard, { wantSplit: true })], { maxSplit: 0 }), [['none', false]])
  assert.deepEqual(plansOf([leaf(wholeShard)], { minSplit: 1 }), [['split', false]])
  const [{ descr }] = planShards([leaf(wholeShard)], { ...rules, minSplit: 1 }, NOW) as [ShardLeaf]
  assert.deepEqual(descr.splitMergeAt, { kind: 'split', utime: 1020, interval: 60 })
})

test('two idle shards are to merge, both or neither', () => {
  const merge = [
    ['merge', false],
    ['merge', false],
  ]
  const none = [
    ['none', false],
    ['none', false],
  ]
  assert.deepEqual(plansOf(both({ wantMerge: true })), merge)
  assert.deepEqual(plansOf([leaf(LEFT, { wantMerge: true }), leaf(RIGHT)]), none)
  assert.deepEqual(plansOf(both({ wantMerge: true }), { minSplit: 1 }), none)
  assert.deepEqual(plansOf(both({}), { maxSplit: 0 }), merge)
})

test('a merge takes place when its time has come, in a later block than its planning', () => {
  assert.deepEqual(plansOf(both({ wantMerge: true, ...planned('merge', NOW) })), [
    ['merge', true],
    ['merge', true],
  ])
  assert.deepEqual(plansOf(both({ wantMerge: true, ...planned('merge', NOW + 1) })), [
    ['merge', false],
    ['merge', false],
  ])
  assert.deepEqual(plansOf(both(planned('merge', NOW))), [
    ['merge', false],
    ['merge', false],
  ])
})

test('a plan whose time is over, or whose shard has split, is dropped', () => {
  assert.deepEqual(plansOf([leaf(wholeShard, planned('split', NOW - 60))]), [['none', false]])
  assert.deepEqual(plansOf([leaf(wholeShard, planned('split', NOW - 59))]), [['split', false]])
  assert.deepEqual(plansOf([leaf(wholeShard, { ...planned('split', NOW), beforeSplit: true })]), [['none', false]])
  assert.deepEqual(plansOf([leaf(LEFT, planned('merge', NOW)), leaf(RIGHT, { beforeSplit: true })]), [
    ['none', false],
    ['none', false],
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentShards, type MapBlock, prefixOf, reshardsOf, rowsOf, spanOf } from './shardMap.ts'

const WHOLE = '8000000000000000'
const LEFT = '4000000000000000'
const RIGHT = 'C000000000000000'

const block = (shard: string, seqno: number, mc: number, more: Partial<MapBlock> = {}): MapBlock => ({
  workchain: 0,
  shard,
  seqno,
  after_split: false,
  after_merge: false,
  tx_count: 0,
  gen_utime: '0',
  masterchain_block_ref: { seqno: mc },
  prev_blocks: [{ workchain: 0, shard, seqno: seqno - 1 }],
  ...more,
})

const parents = (...shards: string[]) => shards.map((shard) => ({ workchain: 0, shard, seqno: 2 }))
const split = [
  block(RIGHT, 3, 12, { after_split: true, prev_blocks: parents(WHOLE) }),
  block(LEFT, 3, 12, { after_split: true, prev_blocks: parents(WHOLE) }),
  block(WHOLE, 2, 11),
  block(WHOLE, 1, 10),
]

test('a shard is a part of the address space', () => {
  assert.deepEqual(spanOf(WHOLE), { start: 0, width: 1, depth: 0 })
  assert.deepEqual(spanOf(LEFT), { start: 0, width: 0.5, depth: 1 })
  assert.deepEqual(spanOf('E000000000000000'), { start: 0.75, width: 0.25, depth: 2 })
  assert.deepEqual([WHOLE, RIGHT, '2000000000000000'].map(prefixOf), ['all addresses', '1…', '00…'])
})

test('rows are masterchain blocks, the newest first', () => {
  assert.deepEqual(
    rowsOf(split, 2).map(({ seqno, blocks }) => [seqno, blocks.length]),
    [
      [12, 2],
      [11, 1],
    ],
  )
})

test('a split and a merge are found, and only what is left of them is current', () => {
  assert.deepEqual(
    currentShards(split).map(({ shard }) => shard),
    [LEFT, RIGHT],
  )
  const [found] = reshardsOf(split)
  assert.deepEqual([found!.kind, found!.from, found!.to.length], ['split', [WHOLE], 2])
  const merged = [block(WHOLE, 4, 13, { after_merge: true, prev_blocks: parents(LEFT, RIGHT) }), ...split]
  assert.deepEqual(
    currentShards(merged).map(({ shard, seqno }) => [shard, seqno]),
    [[WHOLE, 4]],
  )
  assert.deepEqual(
    reshardsOf(merged).map(({ kind, from }) => [kind, from]),
    [
      ['merge', [LEFT, RIGHT]],
      ['split', [WHOLE]],
    ],
  )
})

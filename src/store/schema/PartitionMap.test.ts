import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSpan, lowestKept, PartitionMap, type PartitionSizes } from './PartitionMap.ts'

const WIDTH = 1 << 21

const map = new PartitionMap([
  { start: 500, end: 600 },
  { start: 100, end: 500 },
  { start: 700, end: 800 },
])

test('a block is in one partition, or in none', () => {
  assert.deepEqual(
    [99, 100, 499, 500, 600, 699, 700, 800].map((seqno) => map.find(seqno)?.start),
    [undefined, 100, 100, 500, undefined, undefined, 700, undefined],
  )
  assert.equal(map.startOf(799), 700)
  assert.throws(() => map.startOf(650), /no partition for masterchain block 650/)
})

test('history is dropped up to the partition of a block', () => {
  assert.deepEqual(
    [50, 100, 499, 500, 650, 750, 900].map((seqno) => lowestKept(map, seqno)),
    [50, 100, 100, 500, 650, 700, 900],
  )
})

const sizesOf = (bytes: number | undefined): PartitionSizes => ({
  width: WIDTH,
  wantedBytes: 1000 * WIDTH,
  bytesPerBlock: () => bytes,
})

test('the first partition is short, since nobody knows yet what is in a block', () => {
  const none = new PartitionMap([])
  assert.deepEqual(chooseSpan(none, 0, sizesOf(undefined)), { start: 0, end: 65_536 })
  assert.deepEqual(chooseSpan(none, 40_000_000, sizesOf(undefined)), { start: 610 * 65_536, end: 611 * 65_536 })
  // Where bytes are not known at all, partitions are as wide as they may be.
  assert.deepEqual(chooseSpan(none, 40_000_000, { ...sizesOf(undefined), wantedBytes: undefined }), {
    start: 19 * WIDTH,
    end: 20 * WIDTH,
  })
  // And if they may not be wider.
  assert.deepEqual(chooseSpan(none, 123, { ...sizesOf(undefined), width: 100 }), { start: 100, end: 200 })
})

test('the next ones have the wanted bytes, above and below', () => {
  const one = new PartitionMap([{ start: 1_000_000, end: 1_065_536 }])
  // 1000 bytes are wanted for each block of the greatest width.
  assert.deepEqual(chooseSpan(one, 1_065_536, sizesOf(20_000)), { start: 1_065_536, end: 1_065_536 + 104_857 })
  assert.deepEqual(chooseSpan(one, 999_999, sizesOf(20_000)), { start: 1_000_000 - 104_857, end: 1_000_000 })
  // Blocks that are nearly empty may be full soon.
  assert.deepEqual(chooseSpan(one, 1_065_540, sizesOf(1)), { start: 1_065_536, end: 1_065_536 + 4 * 65_536 })
  // Very full ones still share a partition.
  assert.deepEqual(chooseSpan(one, 1_065_536, sizesOf(1e9)), { start: 1_065_536, end: 1_065_536 + 4096 })
  // A block that is far from all others.
  assert.deepEqual(chooseSpan(one, 1_900_000, sizesOf(20_000)), { start: 18 * 104_857, end: 19 * 104_857 })
})

test('no partition crosses a multiple of the width or overlaps another, and no short rest is left', () => {
  const near = new PartitionMap([{ start: WIDTH - 200_000, end: WIDTH - 110_000 }])
  assert.deepEqual(chooseSpan(near, WIDTH - 110_000, sizesOf(20_000)), { start: WIDTH - 110_000, end: WIDTH })
  const between = new PartitionMap([
    { start: 0, end: 100_000 },
    { start: 150_000, end: 200_000 },
  ])
  assert.deepEqual(chooseSpan(between, 120_000, sizesOf(20_000)), { start: 100_000, end: 150_000 })
  let grown = new PartitionMap([])
  for (let seqno = 0; seqno < 3 * WIDTH; seqno = grown.find(seqno)!.end) {
    const span = chooseSpan(grown, seqno, sizesOf(20_000))
    assert.equal(span.start, seqno)
    grown = new PartitionMap([...grown.spans(), span])
  }
  assert.ok([WIDTH, 2 * WIDTH].every((multiple) => grown.starts.includes(multiple)))
})

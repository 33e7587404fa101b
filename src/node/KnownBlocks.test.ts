import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import { KnownBlocks } from './KnownBlocks.ts'

const blockId = (workchain: number, seqno: number): BlockIdExt => ({
  workchain,
  shard: wholeShard,
  seqno,
  rootHash: new Uint8Array(32).map((_, k) => 255 - k - seqno),
  fileHash: new Uint8Array(32).map((_, k) => k * 7 + seqno),
})

describe('KnownBlocks', () => {
  it('gives back ids by seqno, and by the prefix they were found with', () => {
    const known = new KnownBlocks()
    known.add(blockId(0, 7))
    known.add(blockId(0, 7), 5n)
    assert.deepEqual(known.find(blockId(0, 7)), blockId(0, 7))
    assert.deepEqual(known.find({ workchain: 0, shard: 5n, seqno: 7 }), blockId(0, 7))
    assert.equal(known.find(blockId(0, 8)), undefined)
    assert.equal(known.has({ ...blockId(0, 7), fileHash: new Uint8Array(32) }), false)
  })

  it('keeps its own copy of the hashes', () => {
    const known = new KnownBlocks()
    const packet = blockId(-1, 9)
    known.add(packet)
    packet.rootHash.fill(0)
    assert.deepEqual(known.find(packet), blockId(-1, 9))
  })

  it('expects a block of a shard by the pace of the masterchain since the last lookup', () => {
    const known = new KnownBlocks()
    const head = blockId(-1, 120)
    assert.equal(known.isReached(blockId(-1, 120), head), true)
    assert.equal(known.isReached(blockId(-1, 121), head), false)
    assert.equal(known.isReached(blockId(0, 50), head), false)
    known.addRegistered(blockId(0, 50), blockId(-1, 100))
    assert.deepEqual(known.find(blockId(-1, 100)), blockId(-1, 100))
    assert.equal(known.isReached(blockId(0, 60), head), true)
    assert.equal(known.isReached(blockId(0, 61), head), false)
  })
})

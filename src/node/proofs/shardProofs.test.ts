import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { proofOf, statePair } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { verifyShardInfo } from '../../../test/support/proofs/blockAnswers.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { findShard, writeShardHashes } from '../../codec/tlb/ShardHashes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { verifyLibraries } from './configProofs.ts'
import { openMasterBlockExtra } from './ProvenHeader.ts'
import { openMasterExtra } from './ProvenState.ts'
import { verifyAllShards } from './shardProofs.ts'

const chain = new ProvableChain()
const older = chain.addShardBlock()
const before = chain.addMasterchainBlock()
const shard = chain.addShardBlock()
const block = chain.addMasterchainBlock()
const NO_BYTES: Uint8Array = new Uint8Array(0)
const NO_BLOCK = { workchain: -0x8000_0000, shard: 0n, seqno: 0, rootHash: filled(0), fileHash: filled(0) }

const { shardHashes } = openMasterBlockExtra(block.root)
const leaf = shardHashes.find(0)!

const infoAnswer = {
  id: block.id,
  shardblk: shard.id,
  shardProof: statePair(block, (state) => findShard(openMasterExtra(state).shardHashes, shard.id)),
  shardDescr: encodeBoc([leaf]),
}

test('one shard, exactly or as the one that covers another', () => {
  const whole = { workchain: 0, shard: wholeShard, exact: true }
  const proven = verifyShardInfo(block.id, whole, infoAnswer).shard
  assert.deepEqual([proven?.id, proven?.descr.regMcSeqno], [shard.id, 2])
  const part = { workchain: 0, shard: 0x4000_0000_0000_0000n, exact: false }
  assert.deepEqual(verifyShardInfo(block.id, part, infoAnswer).shard?.id, shard.id)
  const lies: [change: Partial<typeof infoAnswer>, message: RegExp][] = [
    [{ id: before.id }, /should be block/],
    [{ shardblk: older.id }, /should be block/],
    [{ shardDescr: encodeBoc([marker(1)]) }, /differs from the proven one/],
    [{ shardDescr: NO_BYTES }, /The proof of a shard description failed/],
    [{ shardblk: NO_BLOCK, shardDescr: NO_BYTES }, /should be block/],
  ]
  for (const [change, message] of lies) {
    assertRefused(() => verifyShardInfo(block.id, whole, { ...infoAnswer, ...change }), message)
  }
})

test('a shard that is not there', () => {
  const exactPart = { workchain: 0, shard: 0x4000_0000_0000_0000n, exact: true }
  assertRefused(
    () => verifyShardInfo(block.id, exactPart, infoAnswer),
    /proven absent, but the answer has a block of it/,
  )
  const absent = { ...infoAnswer, shardblk: NO_BLOCK, shardDescr: NO_BYTES }
  assert.equal(verifyShardInfo(block.id, exactPart, absent).shard, undefined)
  const abroad = { workchain: 5, shard: wholeShard, exact: true }
  assert.equal(verifyShardInfo(block.id, abroad, absent).shard, undefined)
  assertRefused(
    () => verifyShardInfo(block.id, abroad, { ...absent, shardDescr: infoAnswer.shardDescr }),
    /should be empty/,
  )
})

test('all shards, by the block or by its state', () => {
  const data = encodeBoc([writeWhole(writeShardHashes, shardHashes)])
  const byBlock = encodeBoc([proofOf(block.root, () => void openMasterBlockExtra(block.root))])
  const byState = statePair(block, (state) => void openMasterExtra(state))
  for (const proof of [byBlock, byState]) {
    const { shards } = verifyAllShards(block.id, { id: block.id, proof, data })
    assert.deepEqual(
      shards.map(({ id }) => id),
      [shard.id],
    )
  }
  const others = encodeBoc([writeWhole(writeShardHashes, openMasterBlockExtra(before.root).shardHashes)])
  const answer = { id: block.id, proof: byBlock, data }
  assertRefused(() => verifyAllShards(block.id, { ...answer, data: others }), /differs from the proven one/)
  assertRefused(() => verifyAllShards(block.id, { ...answer, proof: NO_BYTES }), /one root or two, but got 0/)
  assertRefused(() => verifyAllShards(before.id, answer), /should be block/)
  const none = encodeBoc([writeWhole(writeShardHashes, openMasterBlockExtra(block.root).shardHashes.delete(0))])
  assertRefused(() => verifyAllShards(block.id, { ...answer, data: none }), /differs from the proven one/)
})

test('libraries by their hashes', () => {
  const [one, two] = [marker(1), marker(2)].sort((a, b) => Buffer.compare(a.hash(), b.hash())) as [
    ReturnType<typeof marker>,
    ReturnType<typeof marker>,
  ]
  const libraryList = [two.hash(), one.hash(), filled(3), one.hash()]
  const entry = (cell: typeof one, data = encodeBoc([cell])) => ({ hash: cell.hash(), data })
  const found = verifyLibraries({ libraryList }, { result: [entry(one), entry(two)] })
  assert.deepEqual(
    found.map(({ library }) => library.hash()),
    [one.hash(), two.hash()],
  )
  assert.deepEqual(verifyLibraries({ libraryList }, { result: [] }), [])
  assertRefused(() => verifyLibraries({ libraryList }, { result: [entry(one, encodeBoc([two]))] }), /has another hash/)
  assertRefused(() => verifyLibraries({ libraryList }, { result: [entry(marker(4))] }), /not requested/)
  assertRefused(() => verifyLibraries({ libraryList }, { result: [entry(one), entry(one)] }), /or is a duplicate/)
})

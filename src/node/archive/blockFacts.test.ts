import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleBlock, makeSampleChain, zeroStateOf } from '../../../test/support/sampleChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { tinyBlock } from '../../../test/support/tinyBlock.ts'
import { NodeAnswerError } from '../../chain/errors.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { shardChildren, wholeShard } from '../../primitives/shard.ts'
import { checkBlock, checkBlockFile, checkBlockProof, readBlockFacts } from './blockFacts.ts'

const tinyId: BlockIdExt = {
  workchain: 0,
  shard: wholeShard,
  seqno: 2,
  rootHash: decodeSingleBoc(tinyBlock).hash(),
  fileHash: sha256(tinyBlock),
}

const isRefused = (pattern: RegExp) => (error: unknown) =>
  error instanceof NodeAnswerError && pattern.test(error.message)

test('a real block and what it follows', () => {
  assert.equal(checkBlock(tinyId, tinyBlock).info.seqno, 2)
  const { previous, shardTops } = readBlockFacts(tinyId, tinyBlock)
  assert.deepEqual(previous, [
    {
      workchain: 0,
      shard: wholeShard,
      seqno: 1,
      rootHash: fromHex('4a009736fb717b8c27d29e2f21ebee67d5d2ff97338cf83fb9cbfb6686cf2f43'),
      fileHash: fromHex('196c139988f19bb86f923954392a9ead221f1fd2d6ca0a4c0991f6394eeef48d'),
    },
  ])
  assert.deepEqual(shardTops, [])
})

test('the newest blocks of the shards of a masterchain block', () => {
  const steps = makeSampleChain('1s2')
  const { masterchain } = steps[2]!
  const { previous, shardTops } = readBlockFacts(masterchain.id, masterchain.bytes)
  assert.deepEqual(previous, [steps[1]!.masterchain.id])
  assert.deepEqual(
    shardTops,
    steps[2]!.shardBlocks.slice(2).map(({ id }) => id),
  )
})

test('every byte of a block counts', () => {
  for (let at = 0; at < tinyBlock.length; at++) {
    const changed = tinyBlock.slice()
    changed[at]! ^= 1 << (at % 8)
    assert.throws(() => checkBlock(tinyId, changed), NodeAnswerError)
    // Even where the id is made to match: the bag, the root hash or the header give it away.
    assert.throws(() => checkBlock({ ...tinyId, fileHash: sha256(changed) }, changed), NodeAnswerError)
  }
  assert.throws(() => checkBlock(tinyId, tinyBlock.subarray(1)), isRefused(/file hash/))
})

test('the file hash alone already tells all bytes', () => {
  checkBlockFile(tinyId, tinyBlock)
  checkBlockFile({ ...tinyId, rootHash: filled(1) }, tinyBlock)
  assert.throws(() => checkBlockFile(tinyId, tinyBlock.subarray(1)), isRefused(/file hash/))
  assert.throws(() => checkBlockFile({ ...tinyId, fileHash: filled(1) }, tinyBlock), isRefused(/file hash/))
})

test('a block under another id is refused', () => {
  assert.throws(() => checkBlock({ ...tinyId, seqno: 3 }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, shard: shardChildren(wholeShard)[0] }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, workchain: -1 }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, rootHash: filled(1) }, tinyBlock), isRefused(/root cell/))
})

test('a masterchain block without a list of shards is refused', () => {
  const { id, bytes } = makeSampleBlock({ workchain: -1, shard: wholeShard, previous: [zeroStateOf(-1)] })
  assert.throws(() => readBlockFacts(id, bytes), isRefused(/masterchain/))
})

test('a proof is of one block only', () => {
  const [one, two] = [1, 2].map((seed) =>
    makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)], seed }),
  )
  checkBlockProof(one!.id, one!.proof)
  assert.throws(() => checkBlockProof(one!.id, two!.proof), NodeAnswerError)
  assert.throws(() => checkBlockProof({ ...one!.id, seqno: 5 }, one!.proof), NodeAnswerError)
  assert.throws(() => checkBlockProof(one!.id, encodeBoc([decodeSingleBoc(tinyBlock)])), NodeAnswerError)
  for (let at = 0; at < one!.proof.length; at++) {
    const changed = one!.proof.slice()
    changed[at]! ^= 0x10
    assert.throws(() => checkBlockProof(one!.id, changed), NodeAnswerError, `byte ${at}`)
  }
})

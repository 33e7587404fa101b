import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewriteBlock, Tally } from '../../../test/support/rewriteBlock.ts'
import { tinyBlock } from '../../../test/support/tinyBlock.ts'
import { toHex } from '../../primitives/hex.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { buildMerkleProof, unwrapMerkleProof } from '../cell/merkleProof.ts'
import { recordVisited } from '../cell/visited.ts'
import { openBlock } from './Block.ts'
import { openAccountBlocks, openBlockExtra } from './BlockExtra.ts'
import { openBlockInfo, openPrevRef } from './BlockInfo.ts'
import { openInMsgDescr } from './InMsgDescr.ts'
import { openOutMsgDescr } from './OutMsgDescr.ts'
import { openValueFlow } from './ValueFlow.ts'

const root = decodeSingleBoc(tinyBlock)

test('a real block has the hashes the network knows it by and says what its node said of it', () => {
  assert.equal(toHex(sha256(tinyBlock)), 'd2bccaa51c9038261c0a926e9d98c637740f2c585b29d1697499966d4a3236f3')
  assert.equal(toHex(root.hash()), '141bb28a2759016bf8d72d115c52060148170f49cece8c8943f0369409cbea6a')
  const block = openBlock(root)
  assert.equal(block.globalId, -777)
  const { prevRef, masterRef, ...info } = openBlockInfo(block.info)
  assert.deepEqual(info, {
    version: 0,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: false,
    seqno: 2,
    vertSeqno: 0,
    workchain: 0,
    shard: 0x8000_0000_0000_0000n,
    genUtime: 1_794_711_840,
    startLt: 3_000_000n,
    endLt: 3_000_001n,
    genValidatorListHashShort: 3_180_148_385,
    genCatchainSeqno: 0,
    minRefMcSeqno: 1,
    prevKeyBlockSeqno: 0,
    genSoftware: { version: 15, capabilities: 1006n },
    prevVertRef: undefined,
  })
  assert.deepEqual(
    masterRef && { ...masterRef, rootHash: toHex(masterRef.rootHash), fileHash: toHex(masterRef.fileHash) },
    {
      endLt: 1_000_012n,
      seqno: 1,
      rootHash: '64b9029aa82bd1fdcc28af22dbc1acdf9c70bb4b36499b1908f1ebb267099c7f',
      fileHash: 'bc1e27728a8c249396c5207fead620bda50c348e60f1a0305f8b3bb898eac3eb',
    },
  )
  assert.deepEqual(
    openPrevRef(openBlockInfo(block.info)).map(({ seqno, endLt }) => ({ seqno, endLt })),
    [{ seqno: 1, endLt: 2_000_001n }],
  )
  assert.equal(openValueFlow(block.valueFlow).created.grams, 1_000_000_000n)
  const extra = openBlockExtra(block.extra)
  assert.equal(toHex(extra.createdBy), '2a957fa9c7cb422c5f48f40ee0c929784248b347ccb311d3a6d42d535ee9bb5f')
  assert.equal(extra.custom, undefined)
  assert.ok(openInMsgDescr(extra.inMsgDescr).isEmpty)
  assert.ok(openOutMsgDescr(extra.outMsgDescr).isEmpty)
  assert.ok(openAccountBlocks(extra).isEmpty)
})

test('a real block is written back to the same cell', () => {
  const tally = new Tally()
  rewriteBlock(root, { ihrFeeCounts: false }, tally)
  assert.equal(tally.counts.get('Block'), 1)
})

test('reading the header enters nothing else, so a proof of the header is enough for it', () => {
  const visited = recordVisited(() => openPrevRef(openBlockInfo(openBlock(root).info)))
  const { info, valueFlow, stateUpdate, extra } = openBlock(root)
  assert.deepEqual(
    [info, valueFlow, stateUpdate, extra].map((cell) => visited.has(cell)),
    [true, false, false, false],
  )
  const proven = openBlock(unwrapMerkleProof(buildMerkleProof(root, visited), root.hash()))
  assert.equal(openBlockInfo(proven.info).endLt, 3_000_001n)
  assert.throws(() => openValueFlow(proven.valueFlow), PrunedBranchError)
  assert.throws(() => openBlockExtra(proven.extra), PrunedBranchError)
  assert.ok(proven.extra.hasHash(extra.hash(), 0))
})

test('what is no block is refused', () => {
  assert.throws(
    () => openBlock(openBlock(root).valueFlow),
    new CellError('Constructor tag #11ef55aa was expected, #b8e48dfb came.'),
  )
  assert.throws(() => openBlock(new CellWriter().writeUint(0x11ef55aa, 32).writeInt(-239, 32).toCell()), CellError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell, Dictionary, storeCurrencyCollection } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { rewriteBlock, Tally } from '../../../test/support/rewriteBlock.ts'
import { amount } from '../../../test/support/sampleMessages.ts'
import { tinyBlock } from '../../../test/support/tinyBlock.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { recordVisited } from '../cell/HashIndex.ts'
import { buildMerkleProof, unwrapMerkleProof } from '../cell/merkle.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { openAccountBlocks, openBlock, openBlockExtra, openValueFlow, type ValueFlow, writeValueFlow } from './Block.ts'
import { openBlockInfo, openPrevRef } from './BlockInfo.ts'
import { openInMsgDescr } from './InMsgDescr.ts'
import { openOutMsgDescr } from './OutMsgDescr.ts'

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
    new CellError('Expected constructor tag #11ef55aa, but got #b8e48dfb.'),
  )
  assert.throws(() => openBlock(new CellWriter().writeUint(0x11ef55aa, 32).writeInt(-239, 32).toCell()), CellError)
})

const flow: ValueFlow = {
  fromPrevBlk: amount(100n, [[239, 7n]]),
  toNextBlk: amount(101n, [[239, 7n]]),
  imported: amount(3n),
  exported: amount(4n),
  feesCollected: amount(5n),
  burned: undefined,
  feesImported: amount(6n),
  recovered: amount(0n),
  created: amount(1_700_000_000n),
  minted: amount(2n ** 120n - 1n),
}

const coreAmount = (coins: bigint, extra?: readonly [number, bigint]): Builder => {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  if (extra !== undefined) other.set(...extra)
  return beginCell().store(storeCurrencyCollection({ coins, other }))
}

const coreFlow = (tag: number, burned?: bigint): Builder => {
  const through = [coreAmount(100n, [239, 7n]), coreAmount(101n, [239, 7n]), coreAmount(3n), coreAmount(4n)]
  const added = [coreAmount(6n), coreAmount(0n), coreAmount(1_700_000_000n), coreAmount(2n ** 120n - 1n)]
  const join = (parts: readonly Builder[]) => parts.reduce((all, part) => all.storeBuilder(part), beginCell())
  const b = beginCell().storeUint(tag, 32).storeRef(join(through)).storeBuilder(coreAmount(5n))
  if (burned !== undefined) b.storeBuilder(coreAmount(burned))
  return b.storeRef(join(added))
}

test('without anything burned the first version of the layout is written', () => {
  const cell = writeWhole(writeValueFlow, flow)
  assert.equal(toHex(cell.hash()), coreFlow(0xb8e48dfb).endCell().hash().toString('hex'))
  const read = openValueFlow(cell)
  assert.equal(read.burned, undefined)
  assert.deepEqual(
    [read.fromPrevBlk, read.toNextBlk, read.imported, read.exported, read.feesCollected].map(({ grams }) => grams),
    [100n, 101n, 3n, 4n, 5n],
  )
  assert.deepEqual(
    [read.feesImported, read.recovered, read.created, read.minted].map(({ grams }) => grams),
    [6n, 0n, 1_700_000_000n, 2n ** 120n - 1n],
  )
  assert.deepEqual(read.toNextBlk.extra.entries(), [[239, 7n]])
})

test('with something burned, be it nothing, the second version is written', () => {
  for (const burned of [0n, 77n]) {
    const cell = writeWhole(writeValueFlow, { ...flow, burned: amount(burned) })
    assert.equal(toHex(cell.hash()), coreFlow(0x3ebf98b7, burned).endCell().hash().toString('hex'))
    assert.equal(openValueFlow(cell).burned?.grams, burned)
  }
})

test('another tag and leftover bits are refused', () => {
  assert.throws(
    () => openValueFlow(fromCoreCell(coreFlow(0x11ef55aa).endCell())),
    new CellError('A ValueFlow starts with #b8e48dfb or #3ebf98b7, but got #11ef55aa.'),
  )
  assert.throws(() => openValueFlow(fromCoreCell(coreFlow(0xb8e48dfb, 0n).endCell())), CellError)
})

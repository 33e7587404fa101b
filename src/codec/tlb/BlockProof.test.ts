import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, type Cell as CoreCell } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { wrapMerkleProof } from '../cell/merkle.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { type BlockProof, openBlockProof, writeBlockProof } from './BlockProof.ts'
import { type BlockSignatures, cryptoSignaturePairsType } from './BlockSignatures.ts'

const bytes = (fill: number, length = 32): Uint8Array => new Uint8Array(length).fill(fill)

const proofFor = { workchain: -1, shard: wholeShard, seqno: 395, rootHash: bytes(1), fileHash: bytes(2) }
const coreId = beginCell()
  .storeUint(0, 8)
  .storeInt(-1, 32)
  .storeUint(0, 64)
  .storeUint(395, 32)
  .storeBuffer(Buffer.alloc(32, 1))
  .storeBuffer(Buffer.alloc(32, 2))
  .endCell()

/** A Merkle proof, as what is proven stands in an exotic cell. */
const proofOf = (n: number) => wrapMerkleProof(new CellWriter().writeUint(n, 16).toCell())

const ordinary: BlockSignatures = {
  kind: 'ordinary',
  validatorListHashShort: 0xfedcba98,
  catchainSeqno: 3,
  sigCount: 1,
  sigWeight: 17n,
  signatures: Dict.of(cryptoSignaturePairsType, [
    [0, { nodeIdShort: bytes(9), signature: { kind: 'simple', signature: bytes(8, 64) } }],
  ]),
}
const simplex: BlockSignatures = {
  ...ordinary,
  kind: 'simplex',
  sessionId: bytes(0x5e),
  slot: 116,
  candidate: new CellWriter().writeUint(0xcadd, 16).toCell(),
}

const coreSignatures = (tag: number) => {
  const pair = beginCell().storeBuffer(Buffer.alloc(32, 9)).storeUint(5, 4).storeBuffer(Buffer.alloc(64, 8))
  const dict = beginCell().storeUint(0b110, 3).storeUint(16, 5).storeBuilder(pair).endCell()
  const head = beginCell().storeUint(tag, 8).storeUint(0xfedcba98, 32).storeUint(3, 32)
  return head.storeUint(1, 32).storeUint(17, 64).storeMaybeRef(dict)
}
const coreSimplex = coreSignatures(0x12).storeBuffer(Buffer.alloc(32, 0x5e)).storeUint(116, 32)
coreSimplex.storeRef(toCoreCell(simplex.candidate))

const coreProof = (signatures: CoreCell | null): CoreCell =>
  beginCell()
    .storeUint(0xc3, 8)
    .storeSlice(coreId.beginParse())
    .storeRef(toCoreCell(proofOf(1)))
    .storeMaybeRef(signatures)
    .endCell()

test('proofs with each kind of signatures, and without, are written as the schema says and read back', () => {
  const cases: [BlockSignatures | undefined, CoreCell | null][] = [
    [undefined, null],
    [ordinary, coreSignatures(0x11).endCell()],
    [simplex, coreSimplex.endCell()],
  ]
  for (const [signatures, core] of cases) {
    const proof: BlockProof = { proofFor, root: proofOf(1), signatures }
    const cell = writeWhole(writeBlockProof, proof)
    assert.equal(toHex(cell.hash()), coreProof(core).hash().toString('hex'))
    assert.deepEqual(toPlain(openBlockProof(cell)), toPlain(proof))
  }
})

test('signatures of an unknown kind, and more behind them, are refused', () => {
  const unknown = fromCoreCell(coreProof(coreSignatures(0x13).endCell()))
  assert.throws(() => openBlockProof(unknown), /A BlockSignatures starts with #11 or #12, but got #13/)
  const longer = fromCoreCell(coreProof(coreSignatures(0x11).storeBit(1).endCell()))
  assert.throws(() => openBlockProof(longer), /A BlockSignatures should fill its cell/)
})

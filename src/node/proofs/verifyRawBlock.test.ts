import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { signOrdinary, signSimplex, stateRootProof } from '../../../test/support/chainProofs.ts'
import { type ProvableBlock, ProvableChain } from '../../../test/support/ProvableChain.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { wrapMerkleProof } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeSnake } from '../../codec/content/text.ts'
import { writeBlockProof } from '../../codec/tlb/BlockProof.ts'
import { type BlockSignatures, cryptoSignaturePairsType } from '../../codec/tlb/BlockSignatures.ts'
import { sha256 } from '../../primitives/hash.ts'
import { verifyPackageLink, verifyPackageProof } from './verifyPackageProof.ts'
import { verifyRawBlock } from './verifyRawBlock.ts'
import { verifyState, verifyZerostate } from './verifyState.ts'

const chain = new ProvableChain()
const keyBlock = chain.addMasterchainBlock(true)
const block = chain.addMasterchainBlock()
const { zerostate } = chain

test('the bytes of a block', () => {
  const data = encodeBoc([block.root], BLOCK_BOC)
  const proven = verifyRawBlock(block.id, { id: block.id, data })
  assert.deepEqual([proven.root.hash(), proven.prev[0]], [block.id.rootHash, keyBlock.id])
  assertRefused(() => verifyRawBlock(block.id, { id: keyBlock.id, data }), /should be block/)
  // The same cells in another bag are another file.
  const plain = encodeBoc([block.root])
  assertRefused(() => verifyRawBlock(block.id, { id: block.id, data: plain }), /than its file hash/)
  const otherRoot = { ...block.id, rootHash: filled(1) }
  assertRefused(() => verifyRawBlock(otherRoot, { id: otherRoot, data }), /than its root hash/)
  const otherPlace = { ...block.id, seqno: 7 }
  assertRefused(() => verifyRawBlock(otherPlace, { id: otherPlace, data }), /is that of/)
  const garbage = Uint8Array.of(1, 2, 3)
  const ofGarbage = { ...block.id, fileHash: sha256(garbage) }
  assertRefused(() => verifyRawBlock(ofGarbage, { id: ofGarbage, data: garbage }), /The proof of a block failed/)
})

test('whole states', () => {
  const answerOf = (of: ProvableBlock, state: Cell) => {
    const data = encodeBoc([state], BLOCK_BOC)
    return { id: of.id, rootHash: state.hash(), fileHash: sha256(data), data }
  }
  const zero = answerOf(zerostate, zerostate.state)
  assert.equal(verifyZerostate(zerostate.id, zero).state.seqno, 0)
  assertRefused(() => verifyZerostate(block.id, answerOf(block, block.state)), /is no zerostate/)
  const plain = encodeBoc([zerostate.state])
  const otherFile = { ...zero, data: plain, fileHash: sha256(plain) }
  assertRefused(() => verifyZerostate(zerostate.id, otherFile), /another file hash/)

  const whole = answerOf(block, block.state)
  assert.equal(verifyState(block.id, block.state.hash(), whole).state.seqno, 2)
  assertRefused(() => verifyState(block.id, keyBlock.state.hash(), whole), /does not have the hashes/)
  assertRefused(
    () => verifyState(block.id, block.state.hash(), { ...whole, data: encodeBoc([keyBlock.state], BLOCK_BOC) }),
    /does not have the hashes/,
  )
  const other = answerOf(block, keyBlock.state)
  assertRefused(
    () => verifyState(block.id, block.state.hash(), { ...other, rootHash: block.state.hash() }),
    /is not the one after block/,
  )
})

const ALL = [0, 1, 2, 3]

/** The signatures of an answer as packages have them. */
const toPackage = (set: ReturnType<typeof signOrdinary> | ReturnType<typeof signSimplex>): BlockSignatures => {
  const signatures = Dict.of(
    cryptoSignaturePairsType,
    set.signatures.map(({ nodeIdShort, signature }, k) => [
      k,
      { nodeIdShort, signature: { kind: 'simple', signature } },
    ]),
  )
  const about = {
    validatorListHashShort: set.validatorSetHash >>> 0,
    sigCount: set.signatures.length,
    sigWeight: 5n * BigInt(set.signatures.length),
    signatures,
  }
  if (set.kind === 'liteServer.signatureSet.ordinary') {
    return { kind: 'ordinary', catchainSeqno: set.catchainSeqno, ...about }
  }
  const candidate = new CellWriter()
  writeSnake(candidate, set.candidate)
  const { sessionId, slot } = set
  return { kind: 'simplex', catchainSeqno: set.ccSeqno, ...about, sessionId, slot, candidate: candidate.toCell() }
}

const packageProof = (of: ProvableBlock, root: Cell, signatures: BlockSignatures | undefined): Uint8Array =>
  encodeBoc([writeWhole(writeBlockProof, { proofFor: of.id, root, signatures })])

test('proofs in packages', () => {
  for (const sign of [signOrdinary, signSimplex]) {
    // A key block keeps its configuration in its proof, and so says who signs the next ones.
    const first = packageProof(keyBlock, wrapMerkleProof(keyBlock.root), toPackage(sign(chain, keyBlock, ALL)))
    const { nextRules, stateHash } = verifyPackageProof(keyBlock.id, first, chain.rules)
    assert.equal(nextRules?.keyBlockSeqno, 1)
    assert.deepEqual(stateHash, keyBlock.state.hash())

    const set = toPackage(sign(chain, block, ALL))
    const bytes = packageProof(block, stateRootProof(block), set)
    const proven = verifyPackageProof(block.id, bytes, nextRules!)
    assert.deepEqual([proven.signedWeight, proven.nextRules], [20n, undefined])
    assert.deepEqual(verifyPackageLink(block.id, bytes).stateHash, block.state.hash())

    assertRefused(() => verifyPackageProof(block.id, bytes, chain.rules), /follows key block 1, not 0/)
    assertRefused(() => verifyPackageProof(keyBlock.id, bytes, chain.rules), /should be block/)
    const refuse = (change: Partial<BlockSignatures>, message: RegExp): void => {
      const lie = packageProof(block, stateRootProof(block), { ...set, ...change } as BlockSignatures)
      assertRefused(() => verifyPackageProof(block.id, lie, nextRules!), message)
    }
    refuse({ sigCount: 3 }, /says that it has 3 signatures, it has 4/)
    refuse({ sigWeight: 21n }, /weight 21 signed it, it was 20/)
    refuse({ catchainSeqno: 8 }, /other validators/)
    const moved = set.signatures.entries().map(([k, pair]) => [k + 1, pair] as const)
    refuse({ signatures: Dict.of(cryptoSignaturePairsType, moved) }, /Signature 0 of a block is missing/)
    const few = toPackage(sign(chain, block, [0, 1]))
    refuse(few, /weight 10 of 20/)
  }
  const unsigned = packageProof(block, stateRootProof(block), undefined)
  assertRefused(() => verifyPackageProof(block.id, unsigned, chain.rules), /should be signed/)
  const ofNothing = packageProof(block, wrapMerkleProof(marker(1)), undefined)
  assertRefused(() => verifyPackageLink(block.id, ofNothing), /of another cell/)
})

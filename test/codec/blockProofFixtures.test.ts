import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { unwrapMerkleProof } from '../../src/codec/cell/merkle.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { type BlockProof, openBlockProof, writeBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { type BlockSignatures, readBlockSignatures, writeBlockSignatures } from '../../src/codec/tlb/BlockSignatures.ts'
import { formatBlockIdExt } from '../../src/primitives/BlockId.ts'
import { bytesEqual } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { haveFixtures, listFixtures, readFixture } from '../support/fixtures.ts'
import { packEntries } from '../support/packEntries.ts'
import { Tally } from '../support/rewriteBlock.ts'
import { assertSameCell } from '../support/rewriteState.ts'

/** The same signatures over a dictionary built anew, checked to be as many as they say. */
const rebuildSignatures = (set: BlockSignatures, tally: Tally): BlockSignatures => {
  const entries = set.signatures.entries()
  assert.deepEqual(
    entries.map(([number]) => number),
    Array.from({ length: set.sigCount }, (_, number) => number),
  )
  tally.add('signature', entries.length)
  tally.add(`BlockSignatures ${set.kind}`)
  return { ...set, signatures: Dict.of(set.signatures.type, entries) }
}

const rewriteSignatures = (cell: Cell, tally: Tally): void => {
  const set = readWhole(cell, readBlockSignatures, 'A BlockSignatures')
  assertSameCell('BlockSignatures', writeWhole(writeBlockSignatures, rebuildSignatures(set, tally)), cell)
}

const rewriteProof = (bytes: Uint8Array, tally: Tally): BlockProof => {
  const cell = decodeSingleBoc(bytes)
  const proof = openBlockProof(cell)
  const signatures = proof.signatures && rebuildSignatures(proof.signatures, tally)
  const rewritten = writeWhole(writeBlockProof, { ...proof, signatures })
  assertSameCell('BlockProof', rewritten, cell)
  if (bytesEqual(encodeBoc([rewritten]), bytes)) tally.add('file written byte for byte')

  const header = openBlockInfo(openBlock(unwrapMerkleProof(proof.root, proof.proofFor.rootHash)).info)
  const { workchain, shard, seqno } = proof.proofFor
  assert.deepEqual([header.workchain, header.shard, header.seqno], [workchain, shard, seqno])
  if (signatures !== undefined) {
    assert.deepEqual(
      [signatures.validatorListHashShort, signatures.catchainSeqno],
      [header.genValidatorListHashShort, header.genCatchainSeqno],
    )
  }
  tally.add('BlockProof')
  return proof
}

const rewritePack = (bytes: Uint8Array, tally: Tally): void => {
  for (const { name, data } of packEntries(bytes)) {
    const [, kind, id] = /^([a-z]+)_(.*)$/.exec(name) ?? []
    if (kind === 'signatures') rewriteSignatures(decodeSingleBoc(data), tally)
    if (kind !== 'proof' && kind !== 'prooflink') continue
    const proof = rewriteProof(data, tally)
    assert.equal(formatBlockIdExt(proof.proofFor), id)
    assert.equal(proof.signatures !== undefined, kind === 'proof')
  }
}

test('proofs in archive packages and of a node are written back to the same cells', (t) => {
  if (!haveFixtures(t, 'mainnet/archives') || !haveFixtures(t, 'mainnet/liteserver/node-proofs')) return
  const tally = new Tally()
  for (const file of listFixtures('mainnet/archives', '.pack')) rewritePack(readFixture(file), tally)
  for (const file of listFixtures('mainnet/liteserver/node-proofs', '.boc')) {
    const proof = rewriteProof(readFixture(file), tally)
    assert(file.endsWith(`_${proof.proofFor.seqno}.boc`))
  }
  t.diagnostic(tally.toString())
  assert(tally.counts.get('BlockProof')! >= 705)
  assert(tally.counts.get('BlockSignatures ordinary')! >= 286)
})

test('proofs and signatures of the simplex consensus are written back to the same cells', (t) => {
  const tally = new Tally()
  for (const file of listFixtures('localnet/node-db', '.pack')) rewritePack(readFixture(file), tally)
  t.diagnostic(tally.toString())
  assert(tally.counts.get('BlockSignatures simplex')! >= 1790)
  assert.equal(tally.counts.get('BlockSignatures ordinary'), undefined)
})

test('the last link of the recorded chain carries the session, slot and signer that the protocol page states', () => {
  for (const file of listFixtures('localnet/node-db', 'archive.00303.pack')) {
    for (const entry of packEntries(readFixture(file))) {
      if (!entry.name.startsWith('proof_(-1,8000000000000000,395)')) continue
      const { signatures } = openBlockProof(decodeSingleBoc(entry.data))
      assert(signatures?.kind === 'simplex')
      assert.deepEqual(
        [toHex(signatures.sessionId), signatures.slot, signatures.catchainSeqno, signatures.sigWeight],
        ['a4cdfa568c89c97462f438d76b57e0dc6bd11ed9fad6c7aadc5c95329d7f36fe', 116, 4, 17n],
      )
      const signer = signatures.signatures.find(0)?.nodeIdShort
      assert.equal(toHex(signer!), 'eaac6ffdee1146447b57865003cb0474f1b981f80cacecd35eba99bd20321ea5')
      return
    }
  }
  assert.fail('The proof of block 395 was not found.')
})

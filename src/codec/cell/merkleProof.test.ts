import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromCell,
  merkleProofOf,
  merkleUpdateOf,
  ordinary,
  prunedBranch,
  pruneReference,
  toCell,
} from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { type CellReader, openCell, openRaw } from './CellReader.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { ProofError, PrunedBranchError } from './errors.ts'
import { recordVisited, VisitedCells } from './HashIndex.ts'
import { buildMerkleProof, pruneUnvisited, unwrapMerkleProof, wrapMerkleProof } from './merkle.ts'

const leaf = ordinary('11')
const left = ordinary('0', [leaf, ordinary('01', [leaf])])
const right = ordinary('1', [ordinary('10', [leaf])])
const tree = ordinary('101', [left, right, leaf])
const root = toCell(tree)

test('a proof keeps what was visited and cells without references, and prunes the rest', () => {
  const visited = recordVisited(() => openCell(root).readRef())
  const proof = buildMerkleProof(root, visited)
  const inner = ordinary('101', [
    ordinary('0', [leaf, pruneReference(left.refs[1]!, 0)]),
    pruneReference(right, 0),
    leaf,
  ])
  assert.deepEqual(fromCell(proof), merkleProofOf(inner))
})

test('a proof of nothing still holds the root', () => {
  const proof = buildMerkleProof(root, new VisitedCells())
  const inner = ordinary('101', [pruneReference(left, 0), pruneReference(right, 0), leaf])
  assert.deepEqual(fromCell(proof), merkleProofOf(inner))
})

test('without the root being visited, the tree is a pruned branch, or itself where it is a leaf', () => {
  assert.deepEqual(fromCell(pruneUnvisited(root, new VisitedCells())), pruneReference(tree, 0))
  assert.deepEqual(fromCell(pruneUnvisited(toCell(leaf), new VisitedCells())), leaf)
})

test('what was visited can be read from the proof, what was not is never mistaken for absent', () => {
  const visited = recordVisited(() => openCell(root).readRef())
  const bag = encodeBoc([buildMerkleProof(root, visited)])
  const inner = unwrapMerkleProof(decodeSingleBoc(bag), root.hash())
  const r = openCell(inner)
  assert.equal(r.readUint(3), 5)
  const l = r.readRef()
  assert.equal(l.readUint(1), 0)
  assert.equal(l.readRef().readUint(2), 3)
  assert.throws(() => l.readRef(), PrunedBranchError)
  assert.throws(() => r.readRef(), PrunedBranchError)
  assert.equal(r.readRef().readUint(2), 3)
  assert.equal(toHex(inner.hash(0)), toHex(root.hash()))
  assert.notEqual(toHex(inner.hash()), toHex(root.hash()))
})

test('a part under a Merkle cell of the tree is pruned one level higher', () => {
  const update = merkleUpdateOf(left, ordinary('1', [leaf, pruneReference(right, 0)]))
  const block = ordinary('1', [update, right])
  const cell = toCell(block)
  const visited = recordVisited(() => {
    const r: CellReader = openCell(cell)
    openCell(openRaw(r.readRefCell()).readRefCell())
  })
  const inner = ordinary('1', [
    {
      ...update,
      refs: [ordinary('0', [leaf, pruneReference(left.refs[1]!, 1)]), pruneReference(update.refs[1]!, 1)],
    },
    pruneReference(right, 0),
  ])
  const proof = buildMerkleProof(cell, visited)
  assert.deepEqual(fromCell(proof), merkleProofOf(inner))
  assert.equal(proof.level, 0)
  assert.ok(unwrapMerkleProof(decodeSingleBoc(encodeBoc([proof])), cell.hash()).hasHash(cell.hash(), 0))
})

test('below three Merkle cells nothing can be pruned, so it is kept', () => {
  const nested = merkleProofOf(merkleProofOf(merkleProofOf(ordinary('1', [right]))))
  const cell = toCell(nested)
  const visited = recordVisited(() => {
    let c = cell
    for (let k = 0; k < 4; k++) c = openRaw(c).readRefCell()
    openCell(c.ref(0))
  })
  const proof = buildMerkleProof(cell, visited)
  assert.deepEqual(fromCell(proof).refs[0], nested)
})

test('a proof must be a proof, of level 0, and of the cell that was asked', () => {
  const proof = wrapMerkleProof(toCell(ordinary('1', [pruneReference(right, 0)])))
  const hash = toCell(ordinary('1', [right])).hash()
  assert.equal(unwrapMerkleProof(proof, hash).bits, 1)
  assert.throws(
    () => unwrapMerkleProof(proof, root.hash()),
    new ProofError('A Merkle proof is of another cell than the expected one.'),
  )
  assert.throws(() => unwrapMerkleProof(proof, hash.subarray(0, 31)), ProofError)
  for (const other of [tree, merkleUpdateOf(left, right), prunedBranch(1, ['ab'.repeat(32)], [1])]) {
    assert.throws(
      () => unwrapMerkleProof(toCell(other), hash),
      new ProofError('Expected a Merkle proof, but got another kind of cell.'),
    )
  }
  const partial = toCell(merkleProofOf(prunedBranch(2, ['ab'.repeat(32)], [1])))
  assert.throws(
    () => unwrapMerkleProof(partial, hash),
    new ProofError('A Merkle proof has level 0, this one has level 1.'),
  )
})

test('a proof from trusted bytes that lies is refused when it is opened', () => {
  const good = fromCell(wrapMerkleProof(root))
  const bits = `00000011${good.bits.slice(8).replace(/^./, (bit) => (bit === '0' ? '1' : '0'))}`
  const lying = toCell({ ...good, bits })
  const stated = Uint8Array.from(root.hash(), (byte, k) => (k === 0 ? byte ^ 0x80 : byte))
  assert.throws(() => unwrapMerkleProof(lying, stated), ProofError)
  assert.throws(() => unwrapMerkleProof(lying, root.hash()), ProofError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assembleBag, rawCells } from '../../../test/support/RawBag.ts'
import {
  depthOf,
  hashOf,
  libraryReference,
  listCells,
  maskOf,
  merkleProofOf,
  merkleUpdateOf,
  ordinary,
  prunedBranch,
  pruneReference,
  type ReferenceCell,
  toCell,
} from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { CellWriter, emptyCell } from './CellWriter.ts'
import { decodeBoc } from './decodeBoc.ts'
import { ProofError } from './errors.ts'

const levels = [0, 1, 2, 3]

/** Compares every cell of the tree at every level, once as built and once as read from a bag. */
const compare = (root: ReferenceCell): void => {
  const compareOne = (expected: ReferenceCell, cell: Cell): void => {
    assert.equal(cell.levelMask, maskOf(expected))
    assert.deepEqual(
      levels.map((level) => toHex(cell.hash(level))),
      levels.map((level) => hashOf(expected, level)),
    )
    assert.deepEqual(
      levels.map((level) => cell.depth(level)),
      levels.map((level) => depthOf(expected, level)),
    )
    for (const [k, ref] of expected.refs.entries()) compareOne(ref, cell.ref(k))
  }
  compareOne(root, toCell(root))
  for (const withHashes of [false, true]) {
    const bag = assembleBag(rawCells([root], () => withHashes))
    compareOne(root, decodeBoc(bag, { allowPrunedRoots: true })[0]!)
  }
}

const hashes = ['11', '22', '33'].map((byte) => byte.repeat(32))
const branch = (mask: number): ReferenceCell => {
  const count = mask.toString(2).replaceAll('0', '').length
  return prunedBranch(mask, hashes.slice(0, count), [5, 6, 7].slice(0, count))
}

test('the empty cell', () => {
  assert.equal(toHex(emptyCell.hash()), '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7')
  assert.equal(emptyCell.depth(), 0)
  compare(ordinary(''))
})

test('the cell of an account that does not exist', () => {
  const none = new CellWriter().writeBit(false).toCell()
  assert.equal(toHex(none.hash()), '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4')
})

for (let mask = 1; mask <= 7; mask++) {
  test(`a pruned branch of level mask ${mask}, alone, under cells and under Merkle cells`, () => {
    const pruned = branch(mask)
    compare(pruned)
    compare(ordinary('1010', [pruned]))
    compare(ordinary('1', [ordinary('0', [pruned, ordinary('')]), pruned]))
    compare(merkleProofOf(ordinary('1', [pruned])))
    compare(merkleUpdateOf(ordinary('1', [pruned]), ordinary('0', [ordinary('')])))
    compare(ordinary('', [merkleProofOf(merkleProofOf(pruned))]))
    compare(merkleProofOf(merkleProofOf(merkleProofOf(ordinary('111', [pruned])))))
  })
}

test('what a pruned branch states is what is asked of it below its level, its own hash above', () => {
  const cell = toCell(branch(5))
  assert.deepEqual(
    levels.map((level) => cell.depth(level)),
    [5, 6, 6, 0],
  )
  assert.deepEqual(
    levels.slice(0, 3).map((level) => toHex(cell.hash(level))),
    [hashes[0], hashes[1], hashes[1]],
  )
  assert.equal(toHex(cell.hash(3)), hashOf(branch(5)))
  assert.notEqual(toHex(cell.hash(3)), hashes[1])
})

test('cells over branches of different masks have the hashes of all their levels', () => {
  for (let a = 1; a <= 7; a++) for (let b = a; b <= 7; b++) compare(ordinary('01', [branch(a), branch(b)]))
})

test('a Merkle update in a Merkle proof, with branches of both', () => {
  const leaf = ordinary('1'.repeat(100))
  const old = ordinary('0', [leaf, ordinary('00', [leaf])])
  const next = ordinary('1', [leaf, ordinary('11', [leaf, leaf])])
  const update = merkleUpdateOf(
    ordinary('0', [pruneReference(leaf, 0), pruneReference(old.refs[1]!, 0)]),
    ordinary('1', [leaf, pruneReference(next.refs[1]!, 0)]),
  )
  const block = ordinary('1011', [update, leaf])
  const proof = merkleProofOf(
    ordinary('1011', [
      { ...update, refs: [update.refs[0]!, pruneReference(update.refs[1]!, 1)] },
      pruneReference(leaf, 0),
    ]),
  )
  compare(proof)
  assert.deepEqual(listCells(proof).map(maskOf).sort(), [0, 1, 1, 1, 1, 1, 1, 3])
  assert.equal(hashOf(proof.refs[0]!, 0), hashOf(block))
})

test('a library reference has level 0 and a hash of its own', () => {
  const cell = libraryReference(hashes[0]!)
  compare(ordinary('1', [cell, branch(2)]))
  assert.equal(toCell(cell).levelMask, 0)
})

const chain = (length: number, end: ReferenceCell): ReferenceCell => {
  let cell = end
  for (let k = 0; k < length; k++) cell = ordinary('', [cell])
  return cell
}

test('a tree of depth 1024 is hashed, whether it was built or read', () => {
  const deep = chain(1024, ordinary(''))
  const expected = { depth: 1024, hash: hashOf(deep) }
  const built = toCell(deep)
  const read = decodeBoc(assembleBag(rawCells([deep])))[0]!
  for (const cell of [built, read]) {
    assert.deepEqual({ depth: cell.depth(), hash: toHex(cell.hash()) }, expected)
    assert.equal(cell.arena.fullDepth(cell.index), 1024)
  }
})

test('a tree whose original is more than 1024 deep has no hash', () => {
  const root = toCell(chain(1, prunedBranch(1, [hashes[0]!], [1024])))
  assert.throws(
    () => root.hash(),
    new ProofError('Pruned branches make a cell tree 1025 deep; at most 1024 is allowed.'),
  )
})

test('a cell is hashed across slabs, and its many slots fit', () => {
  const branches = Array.from({ length: 2000 }, (_, k) =>
    ordinary(k.toString(2), [prunedBranch(7, hashes, [k & 255, 2, 3])]),
  )
  for (const cell of branches) toCell(cell)
  for (const cell of branches) {
    assert.deepEqual(
      levels.map((level) => toHex(toCell(cell).hash(level))),
      levels.map((level) => hashOf(cell, level)),
    )
  }
})

test('a Merkle cell that states another hash or depth is refused each time it is asked', () => {
  const child = ordinary('1', [ordinary('')])
  const good = merkleProofOf(child)
  for (const bit of [8, 8 + 255, 8 + 256, 8 + 271]) {
    const bits = [...good.bits]
    bits[bit] = bits[bit] === '0' ? '1' : '0'
    const bad = toCell({ ...good, bits: bits.join('') })
    const refusal = new ProofError('A Merkle proof states another hash or depth for reference 0 than that cell has.')
    assert.throws(() => bad.hash(), refusal)
    assert.throws(() => bad.hash(), refusal)
    assert.throws(() => toCell(ordinary('', [{ ...good, bits: bits.join('') }])).hash(), refusal)
  }
  const update = merkleUpdateOf(child, ordinary('0'))
  for (const [bit, reference] of [
    [8, 0],
    [264, 1],
    [520, 0],
    [551, 1],
  ] as const) {
    const bits = [...update.bits]
    bits[bit] = bits[bit] === '0' ? '1' : '0'
    assert.throws(
      () => toCell({ ...update, bits: bits.join('') }).hash(),
      new ProofError(`A Merkle update states another hash or depth for reference ${reference} than that cell has.`),
    )
  }
})

test('hashes compare with bytes at any place', () => {
  const { arena, index } = emptyCell
  const bytes = new Uint8Array(40)
  bytes.set(emptyCell.hash(), 5)
  assert.equal(arena.hashEquals(index, 3, bytes, 5), true)
  assert.equal(arena.hashEquals(index, 3, bytes, 4), false)
  bytes[36]! ^= 1
  assert.equal(arena.hashEquals(index, 3, bytes, 5), false)
})

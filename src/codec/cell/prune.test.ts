import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromCell,
  hashOf,
  libraryReference,
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
import { CellError } from './errors.ts'
import { isMerkleCell, pruneCell, rewriteTree, withChildren } from './merkle.ts'

const leaf = ordinary('1')
const tree = ordinary('101', [leaf, ordinary('', [leaf])])
const branch = (mask: number): ReferenceCell => {
  const count = mask.toString(2).replaceAll('0', '').length
  return prunedBranch(
    mask,
    ['11', '22', '33'].slice(0, count).map((byte) => byte.repeat(32)),
    [1, 2, 3].slice(0, count),
  )
}

test('what stands for a cell states the hashes and depths of all its levels, at every Merkle depth', () => {
  for (const merkleDepth of [0, 1, 2]) {
    for (const cell of [tree, leaf, ordinary('', [branch(1)]), ordinary('', [branch(2), branch(1)]), branch(2)]) {
      const level = toCell(cell).level
      if (level > merkleDepth) {
        assert.throws(
          () => pruneCell(toCell(cell), merkleDepth),
          new CellError(`A cell of level ${level} cannot be pruned at Merkle depth ${merkleDepth}.`),
        )
        continue
      }
      const pruned = pruneCell(toCell(cell), merkleDepth)
      assert.deepEqual(fromCell(pruned), pruneReference(cell, merkleDepth))
      assert.equal(toHex(pruned.hash(merkleDepth)), hashOf(cell, merkleDepth))
      assert.equal(toHex(pruned.hash(0)), hashOf(cell, 0))
    }
  }
  assert.throws(() => pruneCell(toCell(leaf), 3), CellError)
})

test('Merkle cells are told from others', () => {
  assert.deepEqual(
    [tree, branch(1), libraryReference('ab'.repeat(32)), merkleProofOf(tree), merkleUpdateOf(tree, leaf)].map((cell) =>
      isMerkleCell(toCell(cell)),
    ),
    [false, false, false, true, true],
  )
})

test('a cell over other children keeps its data and kind; over the same ones it is itself', () => {
  const cell = toCell(tree)
  assert.equal(withChildren(cell, [cell.ref(0), cell.ref(1)]), cell)
  const changed = withChildren(cell, [cell.ref(1), cell.ref(0)])
  assert.deepEqual(fromCell(changed), ordinary('101', tree.refs.toReversed()))
  const proof = toCell(merkleProofOf(tree))
  const again = withChildren(proof, [toCell(pruneReference(tree, 0))])
  assert.deepEqual([again.exoticType, toHex(again.ref(0).hash(0))], [3, hashOf(tree)])
  assert.equal(again.hash().length, 32)
})

test('a tree is rewritten from the root down, each cell once for each Merkle depth', () => {
  const deep = ordinary('0', [tree, merkleProofOf(ordinary('1', [tree, merkleProofOf(tree)]))])
  const met: [string, number][] = []
  const result = rewriteTree(toCell(deep), 0, (cell, merkleDepth) => {
    met.push([fromCell(cell).bits.slice(0, 3), merkleDepth])
    return undefined
  })
  assert.ok(result.equals(toCell(deep)))
  const count = (bits: string, depth: number): number => met.filter(([b, d]) => b === bits && d === depth).length
  assert.deepEqual([count('101', 0), count('101', 1), count('101', 2)], [1, 1, 1])
  assert.deepEqual([count('1', 0), count('1', 1), count('1', 2)], [1, 2, 1])
})

test('a tree with more paths than anyone can walk is rewritten cell by cell', () => {
  let root = ordinary('1', [ordinary('')])
  for (let k = 0; k < 500; k++) root = ordinary(k.toString(2), [root, root, root, root])
  let met = 0
  const result = rewriteTree(toCell(root), 0, (cell) => {
    met++
    return cell.refCount === 0 ? toCell(ordinary('1')) : undefined
  })
  assert.equal(met, 502)
  assert.ok(!result.equals(toCell(root)))
})

test('the hashes of a pruned tree that were taken from the whole one are those of its cells', () => {
  const deep = ordinary('11', [tree, merkleUpdateOf(tree, ordinary('0', [tree])), ordinary('01', [leaf])])
  const replace = (cell: Cell, depth: number): Cell | undefined =>
    cell.refCount > 0 && toHex(cell.hash()) === hashOf(tree) ? pruneCell(cell, depth) : undefined
  const whole = toCell(deep)
  const [taken, computed] = [true, false].map((isPruning) => rewriteTree(whole, 0, replace, isPruning))
  const visit = (a: Cell, b: Cell): void => {
    for (const level of [0, 1, 2, 3]) {
      assert.deepEqual([a.hash(level), a.depth(level)], [b.hash(level), b.depth(level)])
    }
    for (let k = 0; k < a.refCount; k++) visit(a.ref(k), b.ref(k))
  }
  assert.notEqual(taken!.levelMask, 0)
  assert.deepEqual(taken!.hash(0), whole.hash())
  visit(taken!, computed!)
})

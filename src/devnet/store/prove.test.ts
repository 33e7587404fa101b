import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { unwrapMerkleProof } from '../../codec/cell/merkle.ts'
import { prove, proveState } from './prove.ts'

const leaf = (value: number): Cell => new CellWriter().writeUint(value, 32).toCell()
const node = (...children: readonly Cell[]): Cell => {
  const w = new CellWriter()
  for (const child of children) w.writeRef(child)
  return w.toCell()
}

/** The shape of a tree: `o` and its children for a cell, `x` for a pruned one. */
const shapeOf = (cell: Cell): string => {
  if (cell.exoticType === PRUNED_BRANCH) return 'x'
  const children = Array.from({ length: cell.refCount }, (_, k) => shapeOf(cell.ref(k)))
  return children.length === 0 ? 'o' : `o(${children.join(' ')})`
}

/** Goes down by these references, and reads nothing else. */
const follow = (root: Cell, path: readonly number[]): void => {
  let cell = root
  openCell(cell)
  for (const position of path) {
    cell = cell.ref(position)
    openCell(cell)
  }
}

describe('prove', () => {
  const root = node(node(leaf(1), node(leaf(2))), leaf(3), node(leaf(4)))

  it('keeps what was entered, and cells without references', () => {
    const { value, proof } = prove(root, (cell) => {
      follow(cell, [0])
      return 'read'
    })
    assert.equal(value, 'read')
    assert.equal(shapeOf(unwrapMerkleProof(proof, root.hash())), 'o(o(o x) o x)')
  })

  it('keeps nothing else of a state', () => {
    const { proof } = proveState(root, (cell) => follow(cell, [0, 0]))
    assert.equal(shapeOf(unwrapMerkleProof(proof, root.hash())), 'o(o(o x) x x)')
  })

  it('always has the root', () => {
    for (const make of [prove, proveState]) {
      const { proof } = make(root, () => undefined)
      assert.deepEqual(unwrapMerkleProof(proof, root.hash()).hash(0), root.hash())
    }
    assert.equal(shapeOf(prove(root, () => undefined).proof), 'o(o(x o x))')
  })

  it('shows the same content wherever it stands once it was entered anywhere', () => {
    const [first, second] = [node(leaf(7)), node(leaf(7))]
    const both = node(first, node(second))
    const { proof } = proveState(both, (cell) => {
      follow(cell, [0])
      openCell(cell.ref(1))
    })
    assert.equal(shapeOf(unwrapMerkleProof(proof, both.hash())), 'o(o(x) o(o(x)))')
  })
})

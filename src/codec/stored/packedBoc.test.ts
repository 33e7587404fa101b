import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryExoticTree, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { createRandom } from '../../../test/support/ownWorkload.ts'
import { toCell } from '../../../test/support/referenceCell.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../cell/encodeBoc.ts'
import { PackedCellError, packCell, unpackCell } from './packCell.ts'
import { packedBocView } from './packedBoc.ts'

const assertSame = (cell: Cell): void => {
  const packed = packCell(cell)
  assert.equal(toHex(packedBocView(packed)), toHex(encodeBoc([unpackCell(packed)], CHECKED_BOC)))
}

test('lines of cells of every length, with data that ends within a byte', () => {
  for (const bits of [0, 1, 7, 8, 9, 500, 1015, 1016, 1022, 1023]) {
    let cell = emptyCell
    for (let length = 1; length <= 10; length++) {
      assertSame(cell)
      const w = new CellWriter()
      for (let k = 0; k < bits; k++) w.writeUint(k % 3 === 0 ? 1 : 0, 1)
      cell = w.writeRef(cell).toCell()
    }
  }
})

test('any tree', () => {
  const trees = fc.oneof(arbitraryTree(4), arbitraryTree(), arbitraryExoticTree([1, 2, 3, 4, 5, 6, 7]))
  const seed = Number(process.env['FC_SEED'] ?? 1)
  fc.assert(
    fc.property(trees, (tree) => assertSame(toCell(tree))),
    { seed, numRuns: 300 },
  )
})

test('large trees, with cells that many refer to', () => {
  const random = createRandom(11)
  for (const count of [20, 70, 130, 250, 255, 256, 400]) {
    const cells: Cell[] = [emptyCell]
    while (cells.length < count) {
      const w = new CellWriter().writeUint(cells.length, 16)
      const refs = random.below(5)
      for (let k = 0; k < refs; k++) w.writeRef(cells[Math.max(0, cells.length - 1 - random.below(12))]!)
      cells.push(w.toCell())
    }
    assertSame(cells.at(-1)!)
    // All of them are below one.
    let top = emptyCell
    for (let at = 0; at < cells.length; at += 3) {
      const w = new CellWriter()
      for (const cell of cells.slice(at, at + 3)) w.writeRef(cell)
      top = w.writeRef(top).toCell()
    }
    assertSame(top)
  }
})

test('what is no tree is refused, as it is by whoever unpacks it', () => {
  for (const hex of ['', '00', '0004ff', '00000000', '0100', '000180', '0000' + '0100' + '01']) {
    assert.throws(() => packedBocView(fromHex(hex)), PackedCellError, hex)
    assert.throws(() => unpackCell(fromHex(hex)), PackedCellError, hex)
  }
})

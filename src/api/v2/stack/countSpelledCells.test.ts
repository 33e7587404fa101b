import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { countSpelledCells } from './countSpelledCells.ts'

const chain = (length: number, fan: number) => {
  let cell = emptyCell
  for (let k = 0; k < length; k++) {
    const w = new CellWriter()
    for (let ref = 0; ref < fan; ref++) w.writeRef(cell)
    cell = w.toCell()
  }
  return cell
}

it('counts every path to a cell', () => {
  assert.equal(countSpelledCells(emptyCell), 1)
  assert.equal(countSpelledCells(chain(5, 1)), 6)
  assert.equal(countSpelledCells(chain(3, 4)), 1 + 4 + 16 + 64)
})

it('takes no longer for a few cells that spell out endlessly many', () => {
  assert.equal(countSpelledCells(chain(40, 2)), 2 ** 41 - 1)
  assert.equal(countSpelledCells(chain(1000, 4)), Number.POSITIVE_INFINITY)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCell, openSlice } from './CellReader.ts'
import { wholeSlice } from './CellSlice.ts'
import { CellWriter, emptyCell } from './CellWriter.ts'

const cell = new CellWriter().writeUint(0x155, 9).writeRef(emptyCell).toCell()

test('the whole of a cell as a slice', () => {
  const { arena, index } = cell
  assert.deepEqual(wholeSlice(cell), { arena, index, bitStart: 0, bitEnd: 9, refStart: 0, refEnd: 1 })
})

test('a slice may be read any number of times', () => {
  const slice = wholeSlice(cell)
  for (let k = 0; k < 2; k++) {
    const r = openSlice(slice)
    assert.equal(r.readUint(9), 0x155)
    assert.ok(r.readRefCell().equals(emptyCell))
    r.expectEnd('A slice')
  }
})

test('a slice ends where it was cut, not where its cell ends', () => {
  const r = openCell(cell)
  const start = r.clone()
  r.skipBits(4)
  const front = openSlice(r.sliceSince(start))
  assert.deepEqual([front.remainingBits, front.remainingRefs, front.readUint(4)], [4, 0, 0xa])
  assert.throws(() => front.readBit())
  assert.throws(() => front.readRef())
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CellReader, openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'
import { readWhole, readWholeRef, writeWhole } from './wholeCell.ts'

const readByte = (r: CellReader): number => r.readUint(8)
const byte = writeWhole((w: CellWriter, value: number) => void w.writeUint(value, 8), 0xa5)
const more = new CellWriter().writeUint(1, 9).writeRef(byte).toCell()

test('what is written into a cell of its own is read from it', () => {
  assert.deepEqual([byte.bits, byte.refCount], [8, 0])
  assert.equal(readWhole(byte, readByte, 'A byte'), 0xa5)
  const r = openCell(new CellWriter().writeRef(byte).writeRef(more).toCell())
  assert.equal(readWholeRef(r, readByte, 'A byte'), 0xa5)
  assert.equal(r.remainingRefs, 1)
})

test('what does not fill its cell is refused by name', () => {
  const refusal = new CellError('A byte should fill its cell, but 1 bits and 1 references are left.')
  assert.throws(() => readWhole(more, readByte, 'A byte'), refusal)
  assert.throws(() => readWholeRef(openCell(new CellWriter().writeRef(more).toCell()), readByte, 'A byte'), refusal)
})

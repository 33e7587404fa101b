import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readVarUint3, readVarUint7, writeVarUint3, writeVarUint7 } from './scalars.ts'

test('amounts keep to the bytes that their type allows, although their length could say one more', () => {
  for (const [read, write, lengthBits, most] of [
    [readVarUint7, writeVarUint7, 3, 6],
    [readVarUint3, writeVarUint3, 2, 2],
  ] as const) {
    const greatest = 2n ** BigInt(8 * most) - 1n
    for (const value of [0n, 1n, 255n, greatest]) {
      const w = new CellWriter()
      write(w, value)
      assert.equal(read(openCell(w.toCell())), value)
    }
    assert.throws(() => write(new CellWriter(), greatest + 1n), CellError)
    const tooLong = new CellWriter().writeVarUint(greatest + 1n, lengthBits).toCell()
    assert.throws(() => read(openCell(tooLong)), CellError)
  }
})

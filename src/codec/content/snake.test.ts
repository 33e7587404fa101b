import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { PrunedBranchError } from '../cell/errors.ts'
import { pruneCell } from '../cell/prune.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentLimitError } from './ContentBudget.ts'
import { ContentError } from './ContentError.ts'
import { readSnake, writeSnake } from './snake.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, k) => k)
const read = (cell: Cell): Uint8Array => readSnake(openCell(cell))

test('a cell takes 127 bytes, then the first reference goes on', () => {
  for (const [length, cells] of [
    [0, 1],
    [1, 1],
    [127, 1],
    [128, 2],
    [254, 2],
    [255, 3],
  ] as const) {
    const cell = writeWhole(writeSnake, counting(length))
    assert.equal(cell.depth() + 1, cells, `${length} bytes`)
    assert.equal(toHex(read(cell)), toHex(counting(length)))
  }
})

test('bytes are written behind what the cell holds', () => {
  const w = new CellWriter().writeUint(0, 32)
  writeSnake(w, counting(124))
  const cell = w.toCell()
  assert.deepEqual([cell.bits, cell.ref(0).bits], [32 + 8 * 123, 8])
  const r = openCell(cell)
  r.skipBits(32)
  assert.equal(toHex(readSnake(r)), toHex(counting(124)))
  // One bit more leaves room for one byte less.
  const odd = new CellWriter().writeUint(0, 8)
  writeSnake(odd, counting(127))
  assert.equal(odd.usedBits, 8 + 8 * 126)
})

test('a cell may break off inside a byte, if the whole is bytes', () => {
  const end = new CellWriter().writeUint(0b1000, 4).toCell()
  assert.equal(toHex(read(new CellWriter().writeUint(0b0100_0001_0100, 12).writeRef(end).toCell())), '4148')
  assert.throws(() => read(new CellWriter().writeUint(0x414, 12).toCell()), /has whole bytes, this one has 12 bits/)
  assert.throws(() => read(end), ContentError)
})

test('only the first reference is part of the string', () => {
  const next = new CellWriter().writeUint(0x42, 8).toCell()
  const w = new CellWriter().writeUint(0x41, 8).writeRef(next).writeRef(emptyCell)
  assert.equal(toHex(read(w.toCell())), '4142')
})

test('long chains are read up to the limits and refused beyond', () => {
  const longest = counting(1024 * 127)
  const cell = writeWhole(writeSnake, longest)
  assert.equal(toHex(read(cell)), toHex(longest))
  assert.throws(() => writeWhole(writeSnake, counting(1024 * 127 + 1)), ContentError)
  assert.throws(() => read(new CellWriter().writeRef(cell).toCell()), ContentLimitError)
  const small = writeWhole(writeSnake, counting(300))
  assert.equal(readSnake(openCell(small), { maxCells: 3, maxBytes: 300 }).length, 300)
  assert.throws(() => readSnake(openCell(small), { maxCells: 2, maxBytes: 300 }), /more than 2 cells/)
  assert.throws(() => readSnake(openCell(small), { maxCells: 3, maxBytes: 299 }), /longer than 299 bytes/)
})

test('a chain that the proof has cut is not an end of the string', () => {
  const cut = new CellWriter().writeUint(0x41, 8).writeRef(pruneCell(new CellWriter().writeRef(emptyCell).toCell(), 0))
  assert.throws(() => read(cut.toCell()), PrunedBranchError)
})

test('strings agree with @ton/core both ways, at any offset', (t) => {
  t.diagnostic(`seed ${seed}`)
  const sample = fc.tuple(fc.string({ unit: 'binary', maxLength: 700, size: 'max' }), fc.nat(1000))
  fc.assert(
    fc.property(sample, ([text, offset]) => {
      const theirs = beginCell().storeUint(0, offset).storeStringTail(text).endCell()
      const w = new CellWriter().writeBits(new Uint8Array(128), offset)
      writeSnake(w, encodeUtf8(text))
      const ours = w.toCell()
      assert.equal(toHex(ours.hash()), theirs.hash().toString('hex'))
      const r = openCell(fromCoreCell(theirs))
      r.skipBits(offset)
      assert.equal(decodeUtf8(readSnake(r)), toCoreCell(ours).beginParse().skip(offset).loadStringTail())
    }),
    { seed, numRuns: 300 },
  )
})

test('spoilt chains are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeSnake, counting(400))), ({ cell }) => {
      passesOrFailsCoded(() => read(cell))
    }),
    { seed, numRuns: 300 },
  )
})

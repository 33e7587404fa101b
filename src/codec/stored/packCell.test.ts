import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { PackedCellError, packCell, readPacked, unpackCell } from './packCell.ts'
import { packDescription, unpackDescription } from './packDescription.ts'

const leaf = (value: number): Cell => new CellWriter().writeUint(value, 8).toCell()

test('the bytes of known trees', () => {
  const pair = new CellWriter().writeUint(0b101, 3).writeRef(leaf(1)).writeRef(leaf(2)).toCell()
  const shared = new CellWriter().writeRef(pair).writeRef(leaf(1)).writeRef(leaf(3)).writeRef(pair).toCell()
  const cases: readonly [Cell, string][] = [
    [emptyCell, '0000'],
    [leaf(7), '000207'],
    [pair, '000201' + '000202' + '0201b0'],
    [shared, '000201' + '000202' + '0201b0' + '000203' + '1400' + '0a' + '04' + '02'],
  ]
  for (const [cell, hex] of cases) {
    assert.equal(toHex(packCell(cell)), hex)
    assert.equal(toHex(unpackCell(fromHex(hex)).hash()), toHex(cell.hash()))
  }
})

test('zeros of a description are counted', () => {
  const cell = new CellWriter().writeUint(0xab, 8).writeBytes(new Uint8Array(100)).writeUint(0xcd, 8).toCell()
  assert.equal(toHex(packDescription(cell)), '0001ccab0064cd')
  assert.equal(toHex(unpackDescription(packDescription(cell)).hash()), toHex(cell.hash()))
})

test('a tree as deep as there may be, and one that is deeper', () => {
  let cell = emptyCell
  for (let k = 0; k < 1024; k++) cell = new CellWriter().writeRef(cell).toCell()
  const packed = packCell(cell)
  assert.equal(packed.length, 2 * 1025)
  assert.equal(toHex(unpackCell(packed).hash()), toHex(cell.hash()))
  assert.throws(() => unpackCell(Uint8Array.from([...packed, 1, 0])), PackedCellError)
})

test('a small tree that would be endless when written out', () => {
  let cell = leaf(0)
  for (let k = 0; k < 500; k++) {
    cell = new CellWriter().writeRef(cell).writeRef(cell).writeRef(cell).writeRef(cell).toCell()
  }
  const packed = packCell(cell)
  assert.equal(packed.length, 3 + 500 * (2 + 1 + 3))
  assert.equal(toHex(unpackCell(packed).hash()), toHex(cell.hash()))
})

test('what is wrong is told', () => {
  const cases: readonly [string, RegExp][] = [
    ['', /Expected one packed tree of cells, but got 0/],
    ['00', /runs past the end/],
    ['0004ff', /runs past the end/],
    ['00000000', /Expected one packed tree of cells, but got 2/],
    ['0100', /takes 1 cells, but only 0 precede it/],
    ['0500', /begins with 5/],
    ['2000', /begins with 32/],
    ['000180', /completion bit/],
    ['0000' + '11000102', /points 2 cells back/],
    ['0000' + '11000100', /points 0 cells back/],
    ['0000' + '1100', /points by 0/],
    ['0000' + '11000201', /points by 2/],
    ['0000' + '110001ff', /does not end/],
    ['080209', /type 1 to 4/],
  ]
  for (const [hex, message] of cases) {
    assert.throws(
      () => unpackCell(fromHex(hex)),
      (error) => error instanceof PackedCellError && message.test(error.message),
      hex,
    )
  }
  assert.throws(() => unpackCell(fromHex('00000100'), 1), /At most 1 packed cells are read/)
  assert.throws(() => unpackDescription(fromHex('010000')), /without a length/)
  assert.throws(() => unpackDescription(fromHex('00ff'.repeat(20_000))), /more than 4194304 bytes/)
})

test('what is read of one tree says nothing of the one before, also where one is read within another', () => {
  const trees = Array.from({ length: 40 }, (_, k) => {
    let cell = leaf(k)
    for (let depth = 0; depth < k % 20; depth++) cell = new CellWriter().writeRef(cell).writeRef(leaf(depth)).toCell()
    return cell
  })
  const packed = trees.map((tree) => packCell(tree))
  for (const [k, tree] of trees.entries()) {
    const other = (k * 7) % trees.length
    const read = readPacked(packed[k]!, (cell) => {
      const within = readPacked(packed[other]!, (inner) => toHex(inner.hash()))
      return { within, own: toHex(cell.hash()), depth: cell.depth() }
    })
    assert.deepEqual(read, { within: toHex(trees[other]!.hash()), own: toHex(tree.hash()), depth: tree.depth() })
  }
  assert.throws(() => readPacked(packed[5]!, () => assert.fail('read')))
  assert.equal(
    readPacked(packed[3]!, (cell) => toHex(cell.hash())),
    toHex(trees[3]!.hash()),
  )
})

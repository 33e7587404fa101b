import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merkleProofOf, ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { Cell, cellAt, wholeSlice } from './Cell.ts'
import { openCell, openSlice } from './CellReader.ts'
import { CellWriter, emptyCell } from './CellWriter.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { CellError } from './errors.ts'

const leaf = new CellWriter().writeUint(5, 3).toCell()
const fork = new CellWriter().writeUint(1, 1).writeRef(leaf).writeRef(emptyCell).toCell()

test('a handle tells what its cell is', () => {
  const { bits, refCount, isExotic, exoticType, levelMask, level } = fork
  assert.deepEqual(
    { bits, refCount, isExotic, exoticType, levelMask, level },
    { bits: 1, refCount: 2, isExotic: false, exoticType: 0, levelMask: 0, level: 0 },
  )
  const branch = toCell(prunedBranch(6, ['11'.repeat(32), '22'.repeat(32)], [1, 2]))
  assert.deepEqual(
    [branch.bits, branch.refCount, branch.isExotic, branch.exoticType, branch.levelMask, branch.level],
    [560, 0, true, 1, 6, 3],
  )
  assert.equal(toCell(merkleProofOf(ordinary(''))).exoticType, 3)
})

test('references are handed out by position and no further', () => {
  assert.ok(fork.ref(0).equals(leaf))
  assert.ok(fork.ref(1).equals(emptyCell))
  assert.throws(() => fork.ref(2), new CellError('Reference 2 was asked of a cell that has 2.'))
  assert.throws(() => fork.ref(-1), new CellError('Reference -1 was asked of a cell that has 2.'))
})

test('cells of the same content are equal wherever they are kept', () => {
  const read = decodeSingleBoc(encodeBoc([fork]))
  assert.ok(read.equals(fork))
  assert.ok(fork.equals(read))
  assert.ok(read.equals(read))
  assert.ok(!read.equals(leaf))
  assert.ok(read.hasHash(fork.hash()))
  assert.ok(!read.hasHash(leaf.hash()))
  assert.ok(!read.hasHash(fork.hash().subarray(0, 31)))
})

test('a hash is a copy: changing it changes nothing else', () => {
  const hash = fork.hash()
  const before = toHex(hash)
  hash.fill(0)
  assert.equal(toHex(fork.hash()), before)
})

test('an entry of the reference table leads to a cell of its own arena or of another', () => {
  const { arena } = fork
  assert.equal(cellAt(arena, leaf.index).index, leaf.index)
  const read = decodeSingleBoc(encodeBoc([fork]))
  const over = new CellWriter().writeRef(read).toCell()
  const entry = over.arena.refs[over.arena.refStart[over.index]!]!
  assert.ok(entry < 0)
  assert.equal(cellAt(over.arena, entry), read)
  over.arena.foreign[~entry] = { arena: read.arena, index: read.index }
  const found = cellAt(over.arena, entry)
  assert.ok(found instanceof Cell)
  assert.deepEqual([found.arena === read.arena, found.index], [true, read.index])
})

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

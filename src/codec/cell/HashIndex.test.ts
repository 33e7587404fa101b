import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merkleProofOf, ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { wholeSlice } from './Cell.ts'
import { openCell, openRaw, openSlice } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { Dict, type DictType, readInlineDict, writeInlineDict } from './Dict.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { uintKey, uintValue } from './dictTypes.ts'
import { encodeBoc } from './encodeBoc.ts'
import { HashIndex, recorder, recordVisited, VisitedCells } from './HashIndex.ts'

const numbered = (value: number) => new CellWriter().writeUint(value, 32).toCell()

test('cells are numbered in turn and found by content', () => {
  const index = new HashIndex()
  assert.equal(index.find(numbered(0)), -1)
  for (let k = 0; k < 5000; k++) {
    assert.equal(index.find(numbered(k)), -1)
    assert.equal(index.add(numbered(k)), k)
    assert.equal(index.size, k + 1)
  }
  for (let k = 0; k < 5000; k++) assert.equal(index.find(numbered(k)), k)
  for (let k = 5000; k < 6000; k++) assert.equal(index.find(numbered(k)), -1)
  assert.equal(index.find(decodeSingleBoc(encodeBoc([numbered(77)]))), 77)
})

test('hashes that start alike are told apart', () => {
  const index = new HashIndex()
  const branches = Array.from({ length: 200 }, (_, k) =>
    toCell(prunedBranch(1, [`${'00'.repeat(30)}${k.toString(16).padStart(4, '0')}`], [0])),
  )
  for (const [k, cell] of branches.entries()) assert.equal(index.add(cell, 0), k)
  for (const [k, cell] of branches.entries()) assert.equal(index.find(cell, 0), k)
  assert.equal(index.find(branches[3]!), -1)
})

test('a cell is found at the level that was asked', () => {
  const whole = ordinary('1', [ordinary('')])
  const cell = toCell(whole)
  const branch = toCell(prunedBranch(1, [Buffer.from(cell.hash()).toString('hex')], [1]))
  const index = new HashIndex()
  index.add(cell)
  assert.equal(index.find(branch, 0), 0)
  assert.equal(index.find(branch, 3), -1)
})

test('a cleared table knows nothing and is used again', () => {
  const index = new HashIndex()
  for (const count of [3, 5000, 40]) {
    for (let k = 0; k < count; k++) assert.equal(index.add(numbered(k)), k)
    index.clear()
    assert.equal(index.size, 0)
    for (let k = 0; k < count; k++) assert.equal(index.find(numbered(k)), -1)
  }
})

const leaf = toCell(ordinary('1'))
const other = toCell(ordinary('0'))
const root = toCell(ordinary('11', [ordinary('1'), ordinary('0')]))

test('cells are known by their place', () => {
  const visited = new VisitedCells()
  visited.add(leaf.arena, leaf.index)
  assert.deepEqual([visited.has(leaf), visited.has(other), visited.has(root)], [true, false, false])
})

test('entering a cell is recorded, looking at its handle is not', () => {
  const visited = recordVisited(() => {
    const r = openCell(root)
    r.readRef()
    r.readRefCell().hash()
  })
  assert.deepEqual([visited.has(root), visited.has(root.ref(0)), visited.has(root.ref(1))], [true, true, false])
})

test('entering by any door is recorded', () => {
  const branch = toCell(prunedBranch(1, ['ab'.repeat(32)], [2]))
  const proof = toCell(merkleProofOf(ordinary('')))
  const visited = recordVisited(() => {
    openRaw(proof)
    openSlice(wholeSlice(leaf))
    assert.throws(() => openCell(branch))
  })
  assert.deepEqual(
    [proof, leaf, branch].map((cell) => visited.has(cell)),
    [true, true, true],
  )
})

test('a dictionary in the cell of its holder, opened before the recording began, leads to the holder', () => {
  const type: DictType<number, number> = { key: uintKey(8), value: uintValue(8) }
  const w = new CellWriter()
  writeInlineDict(
    w,
    Dict.of(type, [
      [1, 1],
      [200, 2],
    ]),
  )
  const holder = w.toCell()
  const dict = readInlineDict(openCell(holder), type)
  const visited = recordVisited(() => assert.equal(dict.find(200), 2))
  assert.deepEqual(
    [holder, holder.ref(0), holder.ref(1)].map((cell) => visited.has(cell)),
    [true, false, true],
  )
})

test('recordings may be nested and continued, and end even when reading fails', () => {
  const outer = recordVisited(() => {
    openCell(leaf)
    const inner = recordVisited(() => openCell(other))
    assert.deepEqual([inner.has(leaf), inner.has(other)], [false, true])
  })
  assert.deepEqual([outer.has(leaf), outer.has(other)], [true, false])
  assert.equal(
    recordVisited(() => openCell(other), outer),
    outer,
  )
  assert.ok(outer.has(other))
  assert.throws(() =>
    recordVisited(() => {
      throw new Error('any')
    }),
  )
  assert.equal(recorder.current, undefined)
})

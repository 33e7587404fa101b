import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { CellWriter } from './CellWriter.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { HashIndex } from './HashIndex.ts'

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

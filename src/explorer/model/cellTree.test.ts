import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { readCellTree, sliceBits, splitDifference } from './cellTree.ts'

test('a bag of cells is read with all of its references', () => {
  const leaf = beginCell().storeUint(5, 3).endCell()
  const root = beginCell().storeUint(0xabcd, 16).storeRef(leaf).storeRef(beginCell().storeRef(leaf).endCell()).endCell()
  const shown = { bits: 3, hex: 'a', isExotic: false, refs: [] }
  for (const options of [{}, { idx: true, crc32: false }]) {
    assert.deepEqual(readCellTree(root.toBoc(options).toString('base64')), {
      bits: 16,
      hex: 'abcd',
      isExotic: false,
      refs: [shown, { bits: 0, hex: '', isExotic: false, refs: [shown] }],
    })
  }
  assert.equal(readCellTree('AAAA'), undefined)
  assert.equal(readCellTree(root.toBoc().subarray(0, 12).toString('base64')), undefined)
})

test('bits of a slice are cut at any position', () => {
  const cell = readCellTree(beginCell().storeUint(0xabcd, 16).endCell().toBoc().toString('base64'))!
  assert.equal(sliceBits(cell, 4, 12), 'bc')
  assert.equal(sliceBits(cell, 2, 16), 'af34')
  assert.equal(sliceBits(cell, 16, 16), '')
})

test('what differs stands between what is alike', () => {
  assert.deepEqual(splitDifference('0001ff', '0002ff'), ['000', '1', 'ff'])
  assert.deepEqual(splitDifference('00', '000'), ['00', '', ''])
  assert.deepEqual(splitDifference('0000', '00'), ['00', '00', ''])
  assert.deepEqual(splitDifference('ab', ''), ['', 'ab', ''])
})

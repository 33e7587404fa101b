import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merkleProofOf, ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { openCell, openRaw, openSlice } from './CellReader.ts'
import { wholeSlice } from './CellSlice.ts'
import { CellWriter } from './CellWriter.ts'
import { Dict, type DictType, readInlineDict, writeInlineDict } from './Dict.ts'
import { uintKey, uintValue } from './dictTypes.ts'
import { recorder, recordVisited, VisitedCells } from './visited.ts'

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

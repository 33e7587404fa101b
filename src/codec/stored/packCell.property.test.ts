import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryExoticTree, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { hashOf, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { openRaw } from '../cell/CellReader.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { packCell, unpackCell } from './packCell.ts'
import { packDescription, readDescription, unpackDescription } from './packDescription.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const trees = fc.oneof(arbitraryTree(), arbitraryExoticTree([1, 2, 3, 4, 5, 6, 7]))

test('what was packed is unpacked: the same bag of cells', (t) => {
  t.diagnostic(`seed ${seed}`)
  const check = (tree: ReferenceCell): void => {
    const cell = toCell(tree)
    const bag = encodeBoc([cell])
    for (const unpacked of [unpackCell(packCell(cell)), unpackDescription(packDescription(cell))]) {
      assert.equal(toHex(unpacked.hash()), hashOf(tree))
      assert.deepEqual([unpacked.levelMask, unpacked.depth()], [cell.levelMask, cell.depth()])
      assert.deepEqual(encodeBoc([unpacked]), bag)
    }
    assert.ok(packCell(cell).length < bag.length)
  }
  fc.assert(fc.property(trees, check), { seed, numRuns: 500 })
})

/** What can be read of a tree: bits, levels and hashes of all cells. */
const contentsOf = (cell: Cell): readonly unknown[] => {
  const reader = openRaw(cell)
  const bits = toHex(reader.readBits(cell.bits))
  const children = Array.from({ length: cell.refCount }, () => contentsOf(reader.readRefCell()))
  return [cell.bits, bits, cell.isExotic, cell.levelMask, toHex(cell.hash()), children]
}

test('what is read in place is what is unpacked, whatever was read before', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const packed = packDescription(toCell(tree))
      assert.deepEqual(readDescription(packed, contentsOf), contentsOf(unpackDescription(packed)))
    }),
    { seed, numRuns: 500 },
  )
})

test('equal trees give equal bytes, wherever their cells are', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const cell = toCell(tree)
      const again = decodeSingleBoc(encodeBoc([cell]), { allowPrunedRoots: true })
      assert.deepEqual(packCell(again), packCell(cell))
      assert.deepEqual(packCell(unpackCell(packCell(cell))), packCell(cell))
    }),
    { seed, numRuns: 200 },
  )
})

test('spoilt bytes give cells or our errors', () => {
  const spoilt = fc.tuple(
    trees,
    fc.array(fc.tuple(fc.nat(1 << 20), fc.nat(255)), { minLength: 1, maxLength: 4 }),
    fc.nat(1 << 20),
  )
  fc.assert(
    fc.property(spoilt, ([tree, changes, cut]) => {
      for (const [bytes, unpack] of [
        [packCell(toCell(tree)), unpackCell],
        [packDescription(toCell(tree)), unpackDescription],
      ] as const) {
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        passesOrFailsCoded(() => void unpack(bytes).hash())
        passesOrFailsCoded(() => void unpack(bytes.slice(0, cut % bytes.length)).hash())
        if (unpack === unpackDescription) passesOrFailsCoded(() => void readDescription(bytes, contentsOf))
      }
    }),
    { seed, numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      passesOrFailsCoded(() => void unpackCell(bytes).hash())
      passesOrFailsCoded(() => void unpackDescription(bytes).hash())
    }),
    { seed, numRuns: 2000 },
  )
})

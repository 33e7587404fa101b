import assert from 'node:assert/strict'
import { type BocOptions, decodeBoc } from '../../src/codec/cell/decodeBoc.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { assembleBag, type RawBag, type RawCell } from './RawBag.ts'
import {
  hashOf,
  libraryReference,
  merkleProofOf,
  merkleUpdateOf,
  ordinary,
  prunedBranch,
  type ReferenceCell,
} from './referenceCell.ts'

// Cells of every kind, and what tests of bags of cells do with them.

export const leaf = ordinary('1'.repeat(13))
const shared = ordinary('0101', [leaf])
export const tree = ordinary('110', [shared, ordinary('', [shared, leaf]), libraryReference('ab'.repeat(32))])
export const branch = prunedBranch(1, ['cd'.repeat(32)], [3])
export const proof = merkleProofOf(ordinary('1', [branch, shared]))
const update = merkleUpdateOf(ordinary('1', [branch]), ordinary('0', [branch, branch]))
export const full = ordinary('1'.repeat(1023), [proof, update, tree])

/** A bag must decode to these roots. */
export const decodes = (bag: RawBag, roots: readonly ReferenceCell[], options?: BocOptions): void => {
  assert.deepEqual(
    decodeBoc(assembleBag(bag), options).map((root) => toHex(root.hash())),
    roots.map((root) => hashOf(root)),
  )
}

/** The same bag with a cell changed. */
export const replaceCell = (
  bag: { cells: RawCell[]; roots: number[] },
  k: number,
  change: Partial<RawCell>,
): RawBag => ({
  ...bag,
  cells: bag.cells.map((cell, i) => (i === k ? { ...cell, ...change } : cell)),
})

/** The same bytes with one bit flipped. */
export const flip = (data: Uint8Array, at: number): Uint8Array => data.map((byte, k) => (k === at ? byte ^ 1 : byte))

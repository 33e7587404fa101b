import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assembleBag, type RawBag, rawCells } from '../../../test/support/RawBag.ts'
import {
  hashOf,
  listCells,
  merkleProofOf,
  ordinary,
  prunedBranch,
  type ReferenceCell,
  toBits,
} from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { openIndexedBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { BocError, ProofError, PrunedBranchError } from './errors.ts'

const leaf = ordinary('1'.repeat(13))
const shared = ordinary('0101', [leaf])
const tree = ordinary('110', [shared, ordinary('', [shared, leaf]), ordinary('1'.repeat(1023))])
const variants: readonly Omit<RawBag, 'cells' | 'roots'>[] = [
  { index: true },
  { index: true, cacheBits: true },
  { index: true, crc: true, cacheBits: true, refSize: 3, offsetSize: 8 },
  { magic: '68ff65f3' },
  { magic: 'acc3a728' },
]

/** Walks the whole tree without asking for a hash. */
const compare = (expected: ReferenceCell, cell: Cell): void => {
  const r = openCell(cell)
  assert.equal(toBits(r.readBits(cell.bits)).slice(0, cell.bits), expected.bits)
  assert.equal(cell.refCount, expected.refs.length)
  for (const [k, ref] of expected.refs.entries()) compare(ref, cell.ref(k))
}

for (const variant of variants) {
  test(`cells are found by the index of ${JSON.stringify(variant)}`, () => {
    for (const stored of [false, true]) {
      const bag = assembleBag({ ...variant, ...rawCells([tree], () => stored) })
      const root = openIndexedBoc(bag)[0]!
      compare(tree, root)
      assert.notEqual(root.arena.loader, undefined, 'reading does not load everything')
      assert.equal(toHex(root.hash()), hashOf(tree))
      assert.equal(root.arena.loader, undefined)
      compare(tree, root)
      assert.equal(openIndexedBoc(bag)[0]!.depth(), 3)
    }
  })
}

test('only what is entered is read: a fault elsewhere shows when it is reached', () => {
  const { cells, roots } = rawCells([tree])
  const broken = cells.map((cell, k) => (k === cells.length - 1 ? { ...cell, d1: 5 } : cell))
  const root = openIndexedBoc(assembleBag({ cells: broken, roots, index: true }))[0]!
  const place = listCells(tree)
  assert.equal(place.at(-1), leaf)
  assert.equal(root.ref(0).bits, 4)
  assert.equal(openCell(root).readRef().readUint(4), 0b0101)
  const refusal = new BocError('Cell 4 of the bag is not acceptable: it states 5 references, at most 4 are allowed.')
  assert.throws(() => root.ref(0).ref(0), refusal)
  assert.throws(() => openCell(root.ref(0)).readRef(), refusal)
  assert.throws(() => openCell(root.ref(0)).readRefCell(), refusal)
  assert.throws(() => root.hash(), refusal)
  assert.throws(() => root.hash(), refusal)
  assert.throws(() => root.depth(), refusal)
  assert.throws(() => encodeBoc([root]), refusal)
  assert.throws(() => new CellWriter().writeRef(root).toCell(), refusal)
})

const edits: readonly (readonly [string, (entries: number[]) => number[], string])[] = [
  [
    'starts instead of ends',
    (entries) => [0, ...entries.slice(0, -1)],
    'its record runs past the end of the cell area',
  ],
  [
    'an end behind the cell area',
    (entries) => [9999, ...entries.slice(1)],
    'the index says that it ends at 9999, behind the cell area of 148 bytes',
  ],
  [
    'an end that is too late',
    (entries) => [entries[0]! + 1, ...entries.slice(1)],
    'the index says that it ends at 7, it ends at 6',
  ],
  [
    'an end that is too early',
    (entries) => [entries[0]! - 1, ...entries.slice(1)],
    'its record runs past the end of the cell area',
  ],
]

for (const [name, editIndex, fault] of edits) {
  test(`an index with ${name} is refused where it is used`, () => {
    const bag = assembleBag({ ...rawCells([tree]), index: true, offsetSize: 2, editIndex })
    assert.throws(() => openIndexedBoc(bag), new BocError(`Cell 0 of the bag is not acceptable: ${fault}.`))
  })
}

test('an index that ends before the cell area is refused when everything is read', () => {
  const { cells, roots } = rawCells([leaf])
  const bag = assembleBag({
    cells: [{ ...cells[0]!, data: Uint8Array.of(...cells[0]!.data, 0) }],
    roots,
    index: true,
    editIndex: ([end]) => [end! - 1],
  })
  const root = openIndexedBoc(bag)[0]!
  assert.equal(root.bits, 13)
  assert.throws(() => root.hash(), new BocError('The index of the bag of cells ends before its cell area does.'))
})

test('masks, depths and stated hashes are checked when a hash is asked for', () => {
  const proof = merkleProofOf(ordinary('1', [prunedBranch(1, ['cd'.repeat(32)], [3])]))
  const { cells, roots } = rawCells([proof])
  const wrongMask = openIndexedBoc(
    assembleBag({ cells: cells.map((c, k) => (k === 1 ? { ...c, d1: 1 } : c)), roots, index: true }),
  )[0]!
  assert.throws(
    () => wrongMask.hash(),
    new BocError('Cell 1 of the bag is not acceptable: its level mask is 0, its content gives 1.'),
  )
  const wrongHash = openIndexedBoc(
    assembleBag({
      cells: cells.map((c, k) => (k === 0 ? { ...c, data: c.data.map((b, i) => (i === 1 ? b ^ 1 : b)) } : c)),
      roots,
      index: true,
    }),
  )[0]!
  assert.throws(() => wrongHash.hash(), ProofError)
  assert.throws(() => openCell(wrongHash.ref(0)).readRef(), PrunedBranchError)
  const chain = {
    cells: [
      ...Array.from({ length: 1025 }, (_, k) => ({
        d1: 1,
        d2: 0,
        stored: new Uint8Array(0),
        data: new Uint8Array(0),
        refs: [k + 1],
      })),
      { d1: 0, d2: 0, stored: new Uint8Array(0), data: new Uint8Array(0), refs: [] },
    ],
    roots: [0],
    index: true,
  }
  assert.throws(
    () => openIndexedBoc(assembleBag(chain))[0]!.hash(),
    new BocError('Cell 0 of the bag is not acceptable: its tree is more than 1024 deep.'),
  )
})

test('a bag without an index, with bytes behind it, or over a limit is refused', () => {
  const bag = rawCells([leaf])
  assert.throws(
    () => openIndexedBoc(assembleBag(bag)),
    new BocError('This bag of cells has no index to find its cells by.'),
  )
  assert.throws(
    () => openIndexedBoc(assembleBag({ ...bag, index: true, trailing: Uint8Array.of(0) })),
    new BocError('The bag of cells ends at byte 16, but got 1 more bytes.'),
  )
  assert.throws(() => openIndexedBoc(assembleBag({ ...bag, index: true }), { maxBytes: 10 }), BocError)
  assert.throws(() => openIndexedBoc(assembleBag({ ...rawCells([tree]), index: true }), { maxCells: 4 }), BocError)
})

test('several roots share one arena', () => {
  const { cells } = rawCells([tree])
  const roots = openIndexedBoc(assembleBag({ cells, roots: [0, 1, 1], index: true }))
  assert.deepEqual(
    roots.map(({ arena, index }) => [arena === roots[0]!.arena, index]),
    [
      [true, 0],
      [true, 1],
      [true, 1],
    ],
  )
})

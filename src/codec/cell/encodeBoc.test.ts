import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell } from '@ton/core'
import { merkleProofOf, ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { CellWriter, emptyCell } from './CellWriter.ts'
import { decodeBoc } from './decodeBoc.ts'
import { BLOCK_BOC, type BocFormat, CHECKED_BOC, DEPTH_FIRST_BOC, encodeBoc, PLAIN_BOC } from './encodeBoc.ts'
import { BocError } from './errors.ts'

const numbered = (value: number): Cell => new CellWriter().writeUint(value, 32).toCell()

/** A root over this many leaves. */
const treeOf = (leaves: number): Cell => {
  let level = Array.from({ length: leaves }, (_, k) => numbered(k))
  while (level.length > 1) {
    const above: Cell[] = []
    for (let k = 0; k < level.length; k += 4) {
      const w = new CellWriter().writeUint(k, 16)
      for (const cell of level.slice(k, k + 4)) w.writeRef(cell)
      above.push(w.toCell())
    }
    level = above
  }
  return level[0]!
}

const vectors: readonly (readonly [string, Cell[], BocFormat, string])[] = [
  ['the empty cell', [emptyCell], PLAIN_BOC, 'b5ee9c7201010101000200' + '0000'],
  ['the empty cell, checked', [emptyCell], CHECKED_BOC, 'b5ee9c72410101010002000000' + '4cacb9cd'],
  ['one bit', [new CellWriter().writeBit(true).toCell()], PLAIN_BOC, 'b5ee9c720101010100030000' + '01c0'],
  [
    'two roots that are one cell',
    [numbered(7), numbered(7)],
    PLAIN_BOC,
    'b5ee9c7201010102000600' + '00' + '000800000007',
  ],
]

for (const [name, roots, format, hex] of vectors) {
  test(`${name}, byte for byte`, () => assert.equal(toHex(encodeBoc(roots, format)), hex))
}

test('cells in a line, however many, are as another implementation writes them', () => {
  let cell = numbered(0)
  for (let length = 1; length <= 12; length++) {
    const bytes = encodeBoc([cell], CHECKED_BOC)
    const [same] = CoreCell.fromBoc(Buffer.from(bytes))
    assert.equal(same?.hash().toString('hex'), toHex(cell.hash()))
    assert.equal(same?.toBoc({ idx: false, crc32: true }).toString('hex'), toHex(bytes))
    cell = new CellWriter().writeUint(length, 16).writeRef(cell).toCell()
  }
})

test('a file with everything: the root is first and shared cells are marked', () => {
  const leaf = numbered(1)
  const root = new CellWriter().writeRef(leaf).writeRef(new CellWriter().writeRef(leaf).toCell()).toCell()
  const bytes = encodeBoc([root], BLOCK_BOC)
  const hex = toHex(bytes)
  assert.equal(
    hex.slice(0, -8),
    [
      'b5ee9c72',
      'e1',
      '01',
      '03',
      '01',
      '00',
      '0d',
      '00',
      '08',
      '0e',
      '1b',
      '0200',
      '0201',
      '0100',
      '02',
      '0008',
      '00000001',
    ].join(''),
  )
  assert.ok(decodeBoc(bytes, { strict: true })[0]!.equals(root))
})

test('every format is read back in strict mode, and says in its flags what it is', () => {
  const proof = toCell(merkleProofOf(ordinary('1', [prunedBranch(1, ['ab'.repeat(32)], [9])])))
  const big = new CellWriter().writeRef(treeOf(300)).writeRef(proof).toCell()
  const onOff = [false, true]
  for (const index of onOff) {
    for (const crc of onOff) {
      for (const cacheBits of onOff) {
        for (const innerHashes of onOff) {
          const format = { index, crc, cacheBits, innerHashes }
          if (cacheBits && !index) {
            assert.throws(
              () => encodeBoc([big], format),
              new BocError('Cache bits stand in the index, which was not asked for.'),
            )
            continue
          }
          const bytes = encodeBoc([big, proof, big], format)
          assert.equal(bytes[4], (index ? 0x80 : 0) | (crc ? 0x40 : 0) | (cacheBits ? 0x20 : 0) | 2)
          const roots = decodeBoc(bytes, { strict: true })
          assert.deepEqual(
            roots.map((root) => toHex(root.hash())),
            [big, proof, big].map((root) => toHex(root.hash())),
          )
          assert.equal(
            roots[0]!.arena.d1.some((d1) => (d1 & 16) !== 0),
            innerHashes,
          )
        }
      }
    }
  }
})

test('numbers take as many bytes as they need', () => {
  const header = (bytes: Uint8Array): number[] => [bytes[4]! & 7, bytes[5]!]
  const wide = (count: number): Cell[] => Array.from({ length: count }, (_, k) => numbered(k))
  assert.deepEqual(header(encodeBoc(wide(42))), [1, 1])
  assert.deepEqual(header(encodeBoc(wide(43))), [1, 2])
  assert.deepEqual(header(encodeBoc(wide(255))), [1, 2])
  assert.deepEqual(header(encodeBoc(wide(256))), [2, 2])
  // With cache bits the entries of the index are doubled, and so is what they need.
  const cached = { index: true, crc: false, cacheBits: true, innerHashes: false }
  assert.deepEqual(header(encodeBoc(wide(21), cached)), [1, 1])
  assert.deepEqual(header(encodeBoc(wide(22), cached)), [1, 2])
  for (const count of [42, 43, 255, 256]) assert.equal(decodeBoc(encodeBoc(wide(count))).length, count)
})

test('equal cells are written once, wherever they came from', () => {
  const leaf = numbered(5)
  const copy = decodeBoc(encodeBoc([leaf]))[0]!
  const root = new CellWriter().writeRef(leaf).writeRef(copy).writeRef(numbered(5)).toCell()
  assert.equal(decodeBoc(encodeBoc([root, copy]))[0]!.arena.count, 2)
})

test('hashes that came stored are not passed on unless they are asked for', () => {
  const root = decodeBoc(encodeBoc([treeOf(200)], BLOCK_BOC))[0]!
  assert.ok(root.arena.d1.some((d1) => (d1 & 16) !== 0))
  assert.deepEqual(encodeBoc([root]), encodeBoc([treeOf(200)]))
})

test('there is no bag without a root', () => {
  assert.throws(() => encodeBoc([]), new BocError('A bag of cells needs at least one root, none was given.'))
})

test('a tree of depth 1024 is written and read again', () => {
  let cell = emptyCell
  for (let depth = 0; depth < 1024; depth++) cell = new CellWriter().writeUint(depth, 16).writeRef(cell).toCell()
  for (const format of [PLAIN_BOC, BLOCK_BOC]) assert.ok(decodeBoc(encodeBoc([cell], format))[0]!.equals(cell))
})

test('a tree with more paths than anyone can walk is written in no time', () => {
  let cell = emptyCell
  for (let depth = 0; depth < 1000; depth++) {
    cell = new CellWriter().writeUint(depth, 16).writeRef(cell).writeRef(cell).writeRef(cell).writeRef(cell).toCell()
  }
  const start = performance.now()
  const bytes = encodeBoc([cell], BLOCK_BOC)
  assert.ok(performance.now() - start < 1000)
  assert.equal(decodeBoc(bytes)[0]!.arena.count, 1001)
})

test('depth first, a branch is written before its next sibling and a shared cell after the last cell that refers to it', () => {
  const [d, e, f] = [numbered(0xdd), numbered(0xee), numbered(0xff)]
  const b = new CellWriter().writeUint(0xbb, 8).writeRef(f).writeRef(d).toCell()
  const c = new CellWriter().writeUint(0xcc, 8).writeRef(e).writeRef(d).toCell()
  const a = new CellWriter().writeUint(0xaa, 8).writeRef(b).writeRef(c).toCell()
  const cells = [
    ['0202aa', '0103'],
    ['0202bb', '0205'],
    ['0008000000ff', ''],
    ['0202cc', '0405'],
    ['0008000000ee', ''],
    ['0008000000dd', ''],
  ]
  const plain = encodeBoc([a], { ...DEPTH_FIRST_BOC, crc: false })
  assert.equal(toHex(plain), `b5ee9c720101060100${'2100'}${cells.flat().join('')}`)
  assert.notDeepEqual(plain, encodeBoc([a], PLAIN_BOC))
  const checked = encodeBoc([a], DEPTH_FIRST_BOC)
  assert.equal(CoreCell.fromBoc(Buffer.from(checked))[0]?.hash().toString('hex'), toHex(a.hash()))
  assert.throws(() => encodeBoc([a], { ...BLOCK_BOC, order: 'depthFirst' }), BocError)
})

test('depth first, cells that share everything below them cost no more than others', () => {
  let cell = numbered(1)
  for (let depth = 0; depth < 200; depth++) cell = new CellWriter().writeRef(cell).writeRef(cell).toCell()
  assert.equal(decodeBoc(encodeBoc([cell], DEPTH_FIRST_BOC))[0]?.depth(), 200)
  assert.equal(encodeBoc([cell], DEPTH_FIRST_BOC).length, encodeBoc([cell], CHECKED_BOC).length)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromCell, ordinary, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import {
  AugDict,
  type AugDictType,
  openAugDict,
  readAugDict,
  readInlineAugDict,
  writeAugDict,
  writeInlineAugDict,
} from './AugDict.ts'
import { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { uintKey, uintValue } from './dictTypes.ts'
import { CellError } from './errors.ts'

/** Sums the values of its leaves. */
const sumType: AugDictType<number, number, number> = {
  key: uintKey(8),
  value: uintValue(16),
  extra: { codec: uintValue(32), empty: 0, combine: (left, right) => left + right, ofLeaf: (value) => 2 * value },
}

const sample: readonly (readonly [number, number])[] = [
  [0, 1],
  [3, 10],
  [64, 100],
  [65, 1000],
  [255, 10_000],
]
const dict = AugDict.of(sumType, sample.toReversed())
const rootHash = ({ root }: AugDict<number, number, number>): string | undefined =>
  root instanceof Cell ? toHex(root.hash()) : undefined

const number = (value: number, bits: number): string => value.toString(2).padStart(bits, '0')

test('every node sums up what lies below it: before the value of a leaf, behind the references of a fork', () => {
  const small = AugDict.of(sumType, [
    [0x00, 5],
    [0x80, 6],
  ])
  const leaf = (value: number): ReferenceCell => ordinary(`110111${number(2 * value, 32)}${number(value, 16)}`)
  assert.deepEqual(fromCell(small.root as Cell), ordinary(`00${number(22, 32)}`, [leaf(5), leaf(6)]))
  assert.equal(small.rootExtra, 22)
})

test('entries, lookups and their extras', () => {
  assert.deepEqual(dict.entries(), sample)
  assert.deepEqual(dict.entries({ reverse: true, after: 65 }), sample.slice(0, 3).toReversed())
  assert.equal(dict.rootExtra, 22_222)
  assert.deepEqual(dict.findLeaf(64), { value: 100, extra: 200 })
  assert.equal(dict.find(65), 1000)
  assert.equal(dict.find(66), undefined)
  assert.equal(dict.findLeaf(66), undefined)
  const extras: number[] = []
  dict.forEach((_key, value, extra) => void extras.push(extra / value))
  assert.deepEqual(extras, [2, 2, 2, 2, 2])
  const seen: number[] = []
  const takeTwo = (key: number): boolean => seen.push(key) < 2
  dict.forEach(takeTwo)
  assert.deepEqual(seen, [0, 3])
})

test('setting and deleting keeps every sum', () => {
  let built = AugDict.of(sumType)
  for (const [key, value] of sample) built = built.set(key, 9).set(key, value)
  assert.equal(rootHash(built), rootHash(dict))
  assert.equal(built.rootExtra, dict.rootExtra)
  for (const [k, [key]] of sample.entries()) {
    built = built.delete(key)
    const left = AugDict.of(sumType, sample.slice(k + 1))
    assert.deepEqual([rootHash(built), built.rootExtra], [rootHash(left), left.rootExtra])
  }
  assert.ok(built.isEmpty)
  assert.equal(dict.delete(1), dict)
})

test('the empty dictionary', () => {
  const empty = AugDict.of(sumType)
  assert.deepEqual(
    [empty.isEmpty, empty.find(1), empty.findLeaf(1), empty.entries(), empty.rootExtra],
    [true, undefined, undefined, [], 0],
  )
})

test('the extra of the whole follows the root, even where there is no root', () => {
  for (const each of [dict, AugDict.of(sumType)]) {
    const w = new CellWriter()
    writeAugDict(w, each)
    const cell = w.toCell()
    assert.deepEqual([cell.bits, cell.refCount], [33, each.isEmpty ? 0 : 1])
    const r = openCell(cell)
    const read = readAugDict(r, sumType)
    r.expectEnd('A dictionary')
    assert.deepEqual([read.entries(), read.rootExtra], [each.entries(), each.rootExtra])
    assert.deepEqual(openAugDict(cell, sumType).entries(), each.entries())
    const longer = new CellWriter().writeSlice(openCell(cell).rest()).writeBit(true).toCell()
    assert.throws(
      () => openAugDict(longer, sumType),
      new CellError('An augmented dictionary should fill its cell, but 1 bits and 0 references are left.'),
    )
  }
})

test('a dictionary whose root shares the cell of its holder', () => {
  for (const each of [dict, AugDict.of(sumType, [[7, 70]])]) {
    const w = new CellWriter().writeUint(1, 5).writeRef(new CellWriter().toCell())
    writeInlineAugDict(w, each)
    w.writeUint(2, 5)
    const r = openCell(w.toCell())
    r.skipBits(5)
    r.skipRef()
    const read = readInlineAugDict(r, sumType)
    assert.deepEqual([r.remainingBits, r.remainingRefs], [5, 0])
    assert.deepEqual([read.entries(), read.rootExtra], [each.entries(), each.rootExtra])
    assert.equal(rootHash(read.set(200, 1)), rootHash(each.set(200, 1)))
    assert.equal(read.delete(200), read)
    const fewer = read.delete(each.entries()[0]![0])
    assert.equal(fewer.rootExtra, each.rootExtra - 2 * each.entries()[0]![1])
    assert.throws(
      () => writeAugDict(new CellWriter(), read),
      new CellError('A dictionary that shares the cell of its holder cannot be written as a reference.'),
    )
  }
  assert.throws(
    () => writeInlineAugDict(new CellWriter(), AugDict.of(sumType)),
    new CellError('A dictionary without entries cannot be written where one must have some.'),
  )
})

const node = (label: string, rest: string, refs: readonly ReferenceCell[] = []): ReferenceCell =>
  ordinary(`0${'1'.repeat(label.length)}0${label}${rest}`, refs)

test('leaves and forks that are cut short are refused', () => {
  const type: AugDictType<number, number, number> = { ...sumType, key: uintKey(1) }
  const leaf = node('', number(2, 32) + number(1, 16))
  const open = (root: ReferenceCell): AugDict<number, number, number> => new AugDict(type, toCell(root), 0)
  assert.deepEqual(open(node('', number(4, 32), [leaf, leaf])).entries(), [
    [0, 1],
    [1, 1],
  ])
  const short = open(node('', number(4, 32), [node('', number(2, 31)), leaf]))
  assert.throws(() => short.entries(), CellError)
  assert.throws(() => short.find(0), CellError)
  const long = open(node('', number(4, 32), [node('', `${number(2, 32) + number(1, 16)}1`), leaf]))
  assert.throws(() => long.entries(), CellError)
  assert.throws(() => long.findLeaf(0), CellError)
  assert.throws(() => open(node('', number(4, 32), [leaf])).entries(), CellError)
  const noExtra = open(node('', '', [leaf, node('', '')]))
  assert.throws(() => noExtra.set(0, 5), CellError, 'the sum of the fork needs the extra of the other side')
  assert.throws(() => readInlineAugDict(openCell(toCell(node('', '', [leaf, leaf]))), type), CellError)
})

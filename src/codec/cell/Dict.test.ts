import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromCell, ordinary, prunedBranch, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { Dict, type DictType, readDict, readInlineDict, writeDict, writeInlineDict } from './Dict.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { hashKey, int32Key, presenceValue, uintKey, uintValue } from './dictTypes.ts'
import { encodeBoc } from './encodeBoc.ts'
import { CellError, PrunedBranchError } from './errors.ts'

const byteType: DictType<number, number> = { key: uintKey(8), value: uintValue(16) }
const sample: readonly (readonly [number, number])[] = [
  [0, 1000],
  [1, 1001],
  [7, 1007],
  [8, 1008],
  [100, 1100],
  [128, 1128],
  [255, 1255],
]
const dict = Dict.of(byteType, sample.toReversed())

const rootHash = <K, V>({ root }: Dict<K, V>): string | undefined =>
  root instanceof Cell ? toHex(root.hash()) : undefined

test('entries come in the order of their keys', () => {
  assert.deepEqual(dict.entries(), sample)
  assert.deepEqual(dict.entries({ reverse: true }), sample.toReversed())
  assert.equal(dict.isEmpty, false)
})

test('keys are found, and others are not', () => {
  for (let key = 0; key < 256; key++) {
    assert.equal(dict.find(key), sample.find(([present]) => present === key)?.[1])
  }
})

test('a walk starts behind any key, there or not, and stops when it is told', () => {
  for (let after = 0; after < 256; after++) {
    assert.deepEqual(
      dict.entries({ after }),
      sample.filter(([key]) => key > after),
      `after ${after}`,
    )
    assert.deepEqual(
      dict.entries({ after, reverse: true }),
      sample.filter(([key]) => key < after).toReversed(),
      `before ${after}`,
    )
  }
  for (const reverse of [false, true]) {
    const seen: number[] = []
    const takeThree = (key: number): boolean => seen.push(key) < 3
    dict.forEach(takeThree, { reverse })
    assert.deepEqual(seen, reverse ? [255, 128, 100] : [0, 1, 7])
  }
})

test('the empty dictionary', () => {
  const empty = new Dict(byteType)
  assert.deepEqual([empty.isEmpty, empty.find(1), empty.entries(), empty.root], [true, undefined, [], undefined])
  assert.deepEqual(empty.delete(5).entries(), [])
  assert.deepEqual(empty.set(5, 6).entries(), [[5, 6]])
  assert.ok(Dict.of(byteType, []).isEmpty)
})

test('setting and deleting in any order leads to the same cells', () => {
  const orders = [sample, sample.toReversed(), [...sample].sort(([, a], [, b]) => (a % 7) - (b % 7))]
  for (const order of orders) {
    let built = new Dict(byteType)
    for (const [key, value] of order) built = built.set(key, 1).set(key, value)
    assert.equal(rootHash(built), rootHash(dict))
    for (const [k, [key]] of order.entries()) {
      built = built.delete(key)
      const left = order.slice(k + 1)
      assert.equal(rootHash(built), rootHash(Dict.of(byteType, left)))
    }
    assert.ok(built.isEmpty)
  }
})

test('the old dictionary stays as it was', () => {
  const before = rootHash(dict)
  const changed = dict.set(7, 1).delete(0).set(9, 9)
  assert.equal(rootHash(dict), before)
  assert.deepEqual([changed.find(7), changed.find(0), changed.find(9), dict.find(7)], [1, undefined, 9, 1007])
})

test('deleting what is not there gives the same cells', () => {
  for (const key of [2, 9, 99, 129, 254]) assert.equal(dict.delete(key).root, dict.root)
})

test('keys out of range and twice the same key are refused', () => {
  assert.throws(() => dict.find(256), CellError)
  assert.throws(() => dict.set(-1, 0), CellError)
  assert.throws(() => dict.delete(0.5), CellError)
  assert.throws(() => dict.entries({ after: 256 }), CellError)
  assert.throws(
    () =>
      Dict.of(byteType, [
        [3, 1],
        [2, 1],
        [3, 2],
      ]),
    new CellError('Dictionary entries must ascend without doubles; entry 2 does not follow the one before it.'),
  )
})

test('signed keys: the negative ones come last', () => {
  const config: DictType<number, number> = { key: int32Key, value: uintValue(8) }
  const signed = Dict.of(config, [
    [-1, 1],
    [5, 2],
    [-999, 3],
    [0, 4],
    [2 ** 31 - 1, 5],
    [-(2 ** 31), 6],
  ])
  const keys = [0, 5, 2 ** 31 - 1, -(2 ** 31), -999, -1]
  assert.deepEqual(
    signed.entries().map(([key]) => key),
    keys,
  )
  assert.equal(signed.find(-999), 3)
  assert.deepEqual(
    signed.entries({ after: 5 }).map(([key]) => key),
    keys.slice(2),
  )
  assert.deepEqual(
    signed.entries({ after: -999, reverse: true }).map(([key]) => key),
    keys.slice(0, 4).toReversed(),
  )
})

test('a set of hashes needs no values', () => {
  const hashes = [0, 1, 2, 3].map((k) => new Uint8Array(32).fill(k * 77))
  const set = Dict.of(
    { key: hashKey, value: presenceValue },
    hashes.map((hash) => [hash, true]),
  )
  assert.deepEqual(
    set.entries().map(([hash]) => toHex(hash)),
    hashes.map(toHex).sort(),
  )
  assert.equal(set.find(hashes[2]!), true)
  assert.equal(set.find(new Uint8Array(32).fill(9)), undefined)
})

test('known cells: one entry, two entries, a label of equal bits', () => {
  const bits = (entries: readonly (readonly [number, number])[]): ReferenceCell =>
    fromCell(Dict.of({ key: uintKey(8), value: uintValue(4) }, entries).root as Cell)
  assert.deepEqual(bits([[0x55, 0xf]]), ordinary('10' + '1000' + '01010101' + '1111'))
  assert.deepEqual(bits([[0xff, 0xf]]), ordinary('11' + '1' + '1000' + '1111'))
  assert.deepEqual(
    bits([
      [0x00, 1],
      [0x80, 2],
    ]),
    ordinary('00', [ordinary('110' + '111' + '0001'), ordinary('110' + '111' + '0010')]),
  )
  assert.deepEqual(
    bits([
      [0b01010100, 1],
      [0b01010101, 2],
    ]),
    ordinary('10' + '0111' + '0101010', [ordinary('00' + '0001'), ordinary('00' + '0010')]),
  )
})

/** A dictionary node: label in the short form, then what follows. */
const node = (label: string, rest = '', refs: readonly ReferenceCell[] = []): ReferenceCell =>
  ordinary(`0${'1'.repeat(label.length)}0${label}${rest}`, refs)

const twoBits: DictType<number, number> = { key: uintKey(2), value: uintValue(4) }
const open = (root: ReferenceCell): Dict<number, number> => new Dict(twoBits, toCell(root))

test('nodes in any form of label are read, and become canonical where they are changed', () => {
  const forms = ['0110' + '10', '10' + '10' + '10'].map((label) => open(ordinary(`${label}0101`)))
  for (const each of forms) {
    assert.deepEqual(each.entries(), [[0b10, 5]])
    const rewritten = each.set(0b01, 1).delete(0b01)
    assert.equal(rootHash(rewritten), rootHash(Dict.of(twoBits, [[0b10, 5]])))
  }
  const uniform = ['0110' + '11', '10' + '10' + '11', '111' + '10'].map((label) => open(ordinary(`${label}0101`)))
  for (const each of uniform) assert.equal(each.find(3), 5)
})

const faults: readonly (readonly [string, ReferenceCell, string])[] = [
  ['no bits at all', ordinary(''), '1 more bits were expected, but the cell has 0 left.'],
  ['a value that is too short', node('10', '010'), '4 more bits were expected, but the cell has 3 left.'],
  [
    'bits behind a value',
    node('10', '01010'),
    'A dictionary value should fill its cell, but 1 bits and 0 references are left.',
  ],
  [
    'a reference behind a value',
    node('10', '0101', [ordinary('')]),
    'A dictionary value should fill its cell, but 0 bits and 1 references are left.',
  ],
  [
    'a label that is too long',
    node('101', '0101'),
    'A dictionary label of 3 bits stands where at most 2 key bits are left.',
  ],
  ['a fork without children', node(''), 'A dictionary fork has two references, this one has 0.'],
  ['a fork with one child', node('', '', [node('1', '0101')]), 'A dictionary fork has two references, this one has 1.'],
  [
    'a child whose label is too long',
    node('', '', [node('11', '0101'), node('1', '0101')]),
    'A dictionary label of 2 bits stands where at most 1 key bits are left.',
  ],
]

for (const [name, root, message] of faults) {
  test(`a dictionary with ${name} is refused`, () => {
    const refusal = new CellError(message)
    assert.throws(() => open(root).entries(), refusal)
    assert.throws(() => {
      for (let key = 0; key < 4; key++) open(root).find(key)
    }, refusal)
    for (const change of [() => open(root).set(0, 1), () => open(root).delete(0)]) {
      try {
        change()
      } catch (error) {
        assert.ok(error instanceof CellError)
      }
    }
  })
}

test('a pruned part of a dictionary is not an empty one', () => {
  const left = node('1', '0101')
  const branch = prunedBranch(1, ['ab'.repeat(32)], [0])
  const part = open(node('', '', [left, branch]))
  assert.equal(part.find(1), 5)
  assert.equal(part.find(0), undefined)
  assert.throws(() => part.find(2), PrunedBranchError)
  assert.throws(() => part.entries(), PrunedBranchError)
  assert.throws(() => part.entries({ reverse: true }), PrunedBranchError)
  assert.deepEqual(part.set(0, 9).find(0), 9)
  assert.throws(() => part.set(3, 9), PrunedBranchError)
  assert.throws(() => part.delete(1), PrunedBranchError, 'what is left of the fork would have to be read')
  assert.throws(() => open(branch).entries(), PrunedBranchError)
})

test('a dictionary that few cells spell out without end is given up, not walked', () => {
  let root = node('', '00000001')
  for (let k = 0; k < 250; k++) root = node('', '', [root, root])
  const bomb = new Dict({ key: uintKey(250), value: uintValue(8) }, decodeSingleBoc(encodeBoc([toCell(root)])))
  const start = performance.now()
  assert.throws(() => bomb.entries(), new CellError('A dictionary leads back to the same cells more than 16384 times.'))
  assert.ok(performance.now() - start < 500)
  assert.throws(
    () => bomb.entries({ maxNodes: 1000 }),
    new CellError('A dictionary has more than 1000 nodes, the most that is read here.'),
  )
})

test('a dictionary behind a bit', () => {
  for (const each of [dict, new Dict(byteType)]) {
    const w = new CellWriter().writeUint(5, 3)
    writeDict(w, each)
    w.writeUint(6, 3)
    const r = openCell(w.toCell())
    r.skipBits(3)
    const read = readDict(r, byteType)
    assert.deepEqual(read.entries(), each.entries())
    assert.equal(r.readUint(3), 6)
  }
})

test('a dictionary whose root shares the cell of its holder', () => {
  const one = Dict.of(byteType, [[9, 99]])
  for (const each of [dict, one]) {
    const w = new CellWriter().writeUint(5, 3).writeRef(new CellWriter().toCell())
    writeInlineDict(w, each)
    w.writeUint(6, 3).writeRef(new CellWriter().writeBit(true).toCell())
    const cell = w.toCell()
    const r = openCell(cell)
    r.skipBits(3)
    r.skipRef()
    const read = readInlineDict(r, byteType)
    assert.deepEqual([r.remainingBits, r.remainingRefs, r.readUint(3)], [3, 1, 6])
    assert.deepEqual(read.entries(), each.entries())
    for (const [key, value] of each.entries()) assert.equal(read.find(key), value)
    assert.equal(rootHash(read.set(77, 1)), rootHash(each.set(77, 1)))
    assert.equal(read.delete(77).root, read.root)
    if (each === dict) assert.equal(rootHash(read.delete(100)), rootHash(dict.delete(100)))
    else assert.ok(read.delete(9).isEmpty)
    const again = new CellWriter()
    writeInlineDict(again, read)
    assert.equal(toHex(again.toCell().hash()), rootHash(each))
    assert.throws(
      () => writeDict(new CellWriter(), read),
      new CellError('A dictionary that shares the cell of its holder cannot be written as a reference.'),
    )
  }
  assert.throws(
    () => writeInlineDict(new CellWriter(), new Dict(byteType)),
    new CellError('A dictionary without entries cannot be written where one must have some.'),
  )
})

test('values that do not fit beside their label are refused', () => {
  const wide: DictType<number, Uint8Array> = {
    key: uintKey(8),
    value: { read: (r) => r.readBits(1016), write: (w, value) => void w.writeBits(value, 1016) },
  }
  assert.throws(() => Dict.of(wide, [[0x5a, new Uint8Array(127)]]), CellError)
})

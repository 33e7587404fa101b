import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { fromBits, toBits } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { cellValue, presenceValue, uintValue } from './dictTypes.ts'
import { CellError } from './errors.ts'
import { PfxDict, type PfxDictType, type PfxKey, readPfxDict, writePfxDict } from './PfxDict.ts'

const type: PfxDictType<number> = { maxKeyBits: 8, value: uintValue(8) }
const key = (bits: string): PfxKey => ({ bits: bits.length, value: fromBits(bits) })
const spell = ({ bits, value }: PfxKey): string => toBits(value).slice(0, bits)
const of = (entries: Record<string, number>): PfxDict<number> =>
  PfxDict.of(
    type,
    Object.entries(entries).map(([bits, value]) => [key(bits), value] as const),
  )
const rootHash = (dict: PfxDict<unknown>): string => toHex(dict.root!.hash())
const bitsOf = (text: string): Builder => {
  const builder = beginCell()
  for (const bit of text) builder.storeBit(bit === '1')
  return builder
}

test('one entry is a label, a zero bit and the value', () => {
  // A long label: 10, length 5 in four bits, then the key; a short one would take a bit more.
  const expected = bitsOf('10' + '0101' + '10110' + '0').storeUint(0xab, 8)
  assert.equal(rootHash(of({ 10110: 0xab })), expected.endCell().hash().toString('hex'))
})

test('a fork is a label, a one bit and two references', () => {
  const dict = of({ '101': 1, '1000': 2 })
  // 10 is common; then 1 and 00 are left of at most 5 bits.
  const left = bitsOf('0' + '10' + '0' + '0').storeUint(2, 8)
  const right = bitsOf('00' + '0').storeUint(1, 8)
  const expected = bitsOf('0' + '110' + '10' + '1')
    .storeRef(left)
    .storeRef(right)
  assert.equal(rootHash(dict), expected.endCell().hash().toString('hex'))
  assert.deepEqual(
    dict.entries().map(([k, value]) => [spell(k), value]),
    [
      ['1000', 2],
      ['101', 1],
    ],
  )
})

test('an entry is found by any bits that its key starts', () => {
  const dict = of({ '0': 1, '10': 2, '1100': 3, '11111111': 4 })
  const found = (bits: string) => {
    const match = dict.findPrefix(key(bits))
    return match && [spell(match.prefix), match.value]
  }
  assert.deepEqual(found('0'), ['0', 1])
  assert.deepEqual(found('01101'), ['0', 1])
  assert.deepEqual(found('10'), ['10', 2])
  assert.deepEqual(found('110011111111111'), ['1100', 3])
  assert.deepEqual(found('11111111'), ['11111111', 4])
  for (const bits of ['', '1', '11', '110', '1101', '1111111', '111', '11111110']) assert.equal(found(bits), undefined)
  assert.equal(dict.find(key('10')), 2)
  assert.equal(dict.find(key('101')), undefined)
  assert.throws(() => dict.findPrefix({ bits: 9, value: new Uint8Array(1) }), CellError)
})

test('the empty key alone is a dictionary', () => {
  const dict = of({ '': 9 })
  assert.deepEqual(dict.findPrefix(key('')), { prefix: key(''), value: 9 })
  assert.equal(dict.findPrefix(key('1011'))?.value, 9)
})

test('a dictionary without entries is one bit', () => {
  const empty = new PfxDict(type)
  assert.equal(PfxDict.of(type, []).isEmpty, true)
  assert.deepEqual([empty.findPrefix(key('1')), empty.entries()], [undefined, []])
  for (const dict of [empty, of({ '11': 1 })]) {
    const w = new CellWriter()
    writePfxDict(w, dict)
    const cell = w.toCell()
    assert.equal(cell.refCount, dict.isEmpty ? 0 : 1)
    assert.deepEqual(readPfxDict(openCell(cell), type).entries(), dict.entries())
  }
})

test('a key that is another one, or starts it, is refused, and so is one too long', () => {
  assert.throws(
    () =>
      PfxDict.of(type, [
        [key('10'), 1],
        [key('1011'), 2],
      ]),
    /may be the start of another/,
  )
  assert.throws(
    () =>
      PfxDict.of(type, [
        [key('1'), 1],
        [key('1'), 1],
      ]),
    CellError,
  )
  assert.throws(() => of({ '': 1, '0': 2 }), CellError)
  assert.throws(() => of({ '101010101': 1 }), /0 to 8 bits here; one of 9/)
  assert.throws(() => PfxDict.of(type, [[{ bits: 9, value: new Uint8Array(1) }, 1]]), CellError)
  assert.throws(() => new PfxDict({ ...type, maxKeyBits: 1024 }), CellError)
})

test('bits behind the end of a key do not matter', () => {
  const dict = PfxDict.of(type, [[{ bits: 3, value: Uint8Array.of(0b10111111) }, 7]])
  assert.equal(rootHash(dict), rootHash(of({ '101': 7 })))
  assert.deepEqual(dict.entries(), [[key('101'), 7]])
})

test('a walk ends when it is told to, and after the most nodes', () => {
  const dict = of({ '00': 1, '01': 2, '10': 3, '11': 4 })
  const seen: number[] = []
  const visit = (_: PfxKey, value: number): boolean => {
    seen.push(value)
    return value < 3
  }
  dict.forEach(visit)
  assert.deepEqual(seen, [1, 2, 3])
  dict.forEach(() => {}, 7)
  assert.throws(() => dict.forEach(() => {}, 6), /more than 6 nodes/)
})

test('a fork behind the last bit, or with anything but two references, is refused', () => {
  const leaf = bitsOf('000').storeUint(1, 8)
  const bad = [
    bitsOf('10' + '1000' + '11110000' + '1')
      .storeRef(leaf)
      .storeRef(leaf),
    bitsOf('00' + '1').storeRef(leaf),
    bitsOf('00' + '11')
      .storeRef(leaf)
      .storeRef(leaf),
    bitsOf('00' + '1')
      .storeRef(leaf)
      .storeRef(leaf)
      .storeRef(leaf),
    bitsOf('10' + '1001' + '111100001' + '0').storeUint(1, 8),
    bitsOf('00' + '0').storeUint(1, 9),
    bitsOf('00' + '0').storeUint(1, 7),
    beginCell(),
  ]
  for (const builder of bad) {
    const dict = new PfxDict(type, fromCoreCell(builder.endCell()))
    assert.throws(() => dict.entries(), CellError)
    assert.throws(() => dict.findPrefix(key('1111000011')), CellError)
  }
})

test('a fork behind the last bit is named as what it is', () => {
  const leaf = bitsOf('000').storeUint(1, 8)
  const root = bitsOf(`101000${'1'.repeat(8)}1`)
    .storeRef(leaf)
    .storeRef(leaf)
    .endCell()
  assert.throws(() => new PfxDict(type, fromCoreCell(root)).entries(), /forks behind all 8 bits of its keys/)
})

test('few cells that spell out endlessly many keys are refused', () => {
  const flag: PfxDictType<true> = { maxKeyBits: 1023, value: presenceValue }
  let node: Cell = new CellWriter().writeUint(0, 3).toCell()
  for (let k = 0; k < 1000; k++) node = new CellWriter().writeUint(0b001, 3).writeRef(node).writeRef(node).toCell()
  const dict = new PfxDict(flag, node)
  assert.equal(dict.findPrefix({ bits: 1023, value: new Uint8Array(128) })?.prefix.bits, 1000)
  assert.throws(() => dict.forEach(() => {}), CellError)
})

test('the deepest dictionary there can be is built, walked and looked up in', () => {
  const cells: PfxDictType<Cell> = { maxKeyBits: 1023, value: cellValue }
  const leaf = new CellWriter().toCell()
  const keys = Array.from({ length: 1022 }, (_, ones) => key(`${'1'.repeat(ones)}0`))
  const dict = PfxDict.of(
    cells,
    keys.map((each) => [each, leaf] as const),
  )
  assert.equal(dict.entries().length, 1022)
  assert.equal(dict.findPrefix(key(`${'1'.repeat(700)}01`))?.prefix.bits, 701)
  assert.equal(rootHash(PfxDict.of(cells, dict.entries().toReversed())), rootHash(dict))
})

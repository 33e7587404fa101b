import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromBits,
  libraryReference,
  merkleProofOf,
  ordinary,
  prunedBranch,
  toCell,
} from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { type CellReader, openCell, openRaw, openSlice } from './CellReader.ts'
import { CellWriter, emptyCell, sliceToCell } from './CellWriter.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { CellError, PrunedBranchError } from './errors.ts'

/** 1023 bits without a short period, so that a read at a wrong place gives a wrong value. */
const bits = Array.from({ length: 1023 }, (_, k) => ((k * k * 31 + k * 17 + (k >> 3)) >> 2) & 1).join('')

/** The bits in a cell of a bag between other cells, so that a read beyond the end would find something. */
const opened = (text: string): CellReader => {
  const neighbour = new CellWriter().writeUint(0xffffffff, 32)
  const cell = toCell(ordinary(text))
  const bag = encodeBoc([neighbour.writeRef(cell).writeRef(new CellWriter().writeUint(0xffff, 16).toCell()).toCell()])
  return openCell(decodeSingleBoc(bag).ref(0))
}

const unsigned = (from: number, length: number): bigint =>
  length === 0 ? 0n : BigInt(`0b${bits.slice(from, from + length)}`)
const signed = (from: number, length: number): bigint => BigInt.asIntN(length, unsigned(from, length))

const at = (place: number): CellReader => {
  const r = opened(bits)
  r.skipBits(place)
  return r
}

test('single bits, up to the last and no further', () => {
  const r = opened(bits)
  const read = Array.from(bits, () => (r.readBit() ? '1' : '0')).join('')
  assert.equal(read, bits)
  assert.throws(() => r.readBit(), new CellError('1 more bits were expected, but the cell has 0 left.'))
})

for (let shift = 0; shift < 8; shift++) {
  test(`numbers of every width from a place ${shift} bits into a byte`, () => {
    for (const place of [shift, 104 + shift]) {
      for (let width = 0; width <= 53; width++) {
        assert.equal(at(place).readUint(width), Number(unsigned(place, width)), `${width} bits at ${place}`)
        assert.equal(at(place).readInt(width), Number(signed(place, width)), `${width} signed bits at ${place}`)
        const r = at(place)
        assert.equal(r.peekUint(width), Number(unsigned(place, width)))
        assert.equal(r.remainingBits, 1023 - place)
      }
      for (let width = 0; width <= 300; width++) {
        const r = at(place)
        assert.equal(r.readUintWide(width), unsigned(place, width), `${width} bits at ${place}`)
        assert.equal(r.remainingBits, 1023 - place - width)
        assert.equal(at(place).readIntWide(width), signed(place, width), `${width} signed bits at ${place}`)
      }
      assert.equal(at(place).readUint64(), unsigned(place, 64))
      assert.equal(at(place).readInt64(), signed(place, 64))
    }
  })

  test(`bytes and bits from a place ${shift} bits into a byte`, () => {
    for (const place of [shift, 104 + shift]) {
      for (const length of [0, 1, 2, 31, 32, 33, 100]) {
        const r = at(place)
        assert.equal(toHex(r.readBytes(length)), toHex(fromBits(bits.slice(place, place + 8 * length))))
        assert.equal(r.remainingBits, 1023 - place - 8 * length)
      }
      for (let length = 0; length <= 80; length++) {
        const text = bits.slice(place, place + length)
        const r = at(place)
        assert.equal(toHex(r.readBits(length)), toHex(fromBits(text)), `${length} bits at ${place}`)
        assert.equal(r.remainingBits, 1023 - place - length)
        for (let outBit = 0; outBit < 8; outBit++) {
          const out = new Uint8Array(12).fill(0xff)
          at(place).readBitsInto(out, outBit, length)
          const expected = '1'.repeat(outBit) + text
          assert.equal(toHex(out), toHex(fromBits(expected.padEnd(96, '1'))), `${length} bits at ${place} to ${outBit}`)
        }
      }
    }
  })

  test(`the last bits of a cell, when ${shift} of them are in its last byte`, () => {
    const text = bits.slice(0, 80 + shift)
    for (let length = 0; length <= 80; length++) {
      const end = (): CellReader => {
        const r = opened(text)
        r.skipBits(text.length - length)
        return r
      }
      const expected = text.slice(text.length - length)
      const value = length === 0 ? 0n : BigInt(`0b${expected}`)
      assert.equal(end().readUintWide(length), value)
      assert.equal(toHex(end().readBits(length)), toHex(fromBits(expected)))
      if (length <= 53) assert.equal(end().readUint(length), Number(value))
      if (length === 64) assert.equal(end().readUint64(), value)
      if (length % 8 === 0) assert.equal(toHex(end().readBytes(length / 8)), toHex(fromBits(expected)))
    }
  })
}

type Read = (r: CellReader) => unknown
const tooMuch: readonly (readonly [string, number, Read])[] = [
  ['readBit', 1, (r) => r.readBit()],
  ['readUint(1)', 1, (r) => r.readUint(1)],
  ['readUint(24)', 24, (r) => r.readUint(24)],
  ['readUint(25)', 25, (r) => r.readUint(25)],
  ['readUint(32)', 32, (r) => r.readUint(32)],
  ['readUint(33)', 33, (r) => r.readUint(33)],
  ['readUint(53)', 53, (r) => r.readUint(53)],
  ['readInt(32)', 32, (r) => r.readInt(32)],
  ['readUint64', 64, (r) => r.readUint64()],
  ['readInt64', 64, (r) => r.readInt64()],
  ['readUintWide(256)', 256, (r) => r.readUintWide(256)],
  ['readIntWide(257)', 257, (r) => r.readIntWide(257)],
  ['readBytes(32)', 256, (r) => r.readBytes(32)],
  ['readBits(11)', 11, (r) => r.readBits(11)],
  ['readBitsInto', 9, (r) => r.readBitsInto(new Uint8Array(2), 0, 9)],
  ['skipBits(12)', 12, (r) => r.skipBits(12)],
  ['peekUint(7)', 7, (r) => r.peekUint(7)],
  ['expectTag', 8, (r) => r.expectTag(0, 8)],
]

for (const [name, width, read] of tooMuch) {
  test(`${name} reads the last bits and refuses where one is missing`, () => {
    for (let shift = 0; shift < 8; shift++) {
      const zeros = '0'.repeat(shift + width)
      const exact = opened(zeros)
      exact.skipBits(shift)
      read(exact)
      const short = opened(zeros.slice(1))
      short.skipBits(shift)
      assert.throws(
        () => read(short),
        new CellError(`${width} more bits were expected, but the cell has ${width - 1} left.`),
      )
      assert.equal(short.remainingBits, width - 1, 'a refused read moves nothing')
    }
  })
}

test('more than 53 bits do not fit a number', () => {
  assert.throws(() => opened(bits).readUint(54), new CellError('readUint reads at most 53 bits, 54 were asked.'))
  assert.throws(() => opened(bits).readInt(54), CellError)
  assert.equal(opened('1'.repeat(53)).readUint(53), Number.MAX_SAFE_INTEGER)
  assert.equal(opened(`1${'0'.repeat(52)}`).readInt(53), -(2 ** 52))
})

test('numbers of variable length', () => {
  const cases: readonly (readonly [number, string, bigint, bigint])[] = [
    [4, '0000', 0n, 0n],
    [4, `0001${'11111111'}`, 255n, -1n],
    [4, `0010${'10000000'}${'00000000'}`, 32768n, -32768n],
    [4, `0110${'1'.repeat(48)}`, 2n ** 48n - 1n, -1n],
    [4, `0111${'0'.repeat(55)}1`, 1n, 1n],
    [4, `1111${'1'.repeat(120)}`, 2n ** 120n - 1n, -1n],
    [5, `11111${'1'.repeat(248)}`, 2n ** 248n - 1n, -1n],
    [3, `110${'0'.repeat(47)}1`, 1n, 1n],
  ]
  for (const [lengthBits, text, asUint, asInt] of cases) {
    for (let shift = 0; shift < 8; shift++) {
      const start = (): CellReader => {
        const r = opened('1'.repeat(shift) + text)
        r.skipBits(shift)
        return r
      }
      const r = start()
      assert.equal(r.readVarUint(lengthBits), asUint)
      r.expectEnd('A number')
      assert.equal(start().readVarInt(lengthBits), asInt)
      if (lengthBits === 4) assert.equal(start().readCoins(), asUint)
    }
    assert.throws(() => opened(text.slice(0, -1)).readVarUint(lengthBits), CellError)
    assert.throws(() => opened(text.slice(0, -1)).readVarInt(lengthBits), CellError)
  }
})

test('aligned bytes are a view, others and bits are copies', () => {
  const r = opened(bits)
  const view = r.readBytes(4)
  assert.equal(view.buffer, r.arena.bytes.buffer)
  r.skipBits(1)
  assert.notEqual(r.readBytes(4).buffer, r.arena.bytes.buffer)
  assert.notEqual(opened(bits).readBits(32).buffer, r.arena.bytes.buffer)
})

test('tags are shown as TL-B writes them', () => {
  opened('01110010').expectTag(0x72, 8)
  assert.throws(
    () => opened('01110011').expectTag(0x72, 8),
    new CellError('Expected constructor tag #72, but got #73.'),
  )
  assert.throws(
    () => opened('00011').expectTag(0b101, 5),
    new CellError('Expected constructor tag $00101, but got $00011.'),
  )
  assert.throws(
    () => opened(Number(0x0f0f0f0f).toString(2).padStart(32, '0')).expectTag(0x9023afe2, 32),
    new CellError('Expected constructor tag #9023afe2, but got #0f0f0f0f.'),
  )
})

const leaf = (value: number) => new CellWriter().writeUint(value, 8).toCell()

test('references are taken in turn', () => {
  const cell = new CellWriter().writeRef(leaf(1)).writeRef(leaf(2)).writeRef(leaf(3)).writeRef(leaf(4)).toCell()
  const r = openCell(cell)
  assert.equal(r.remainingRefs, 4)
  assert.equal(r.readRef().readUint(8), 1)
  assert.ok(r.readRefCell().equals(leaf(2)))
  r.skipRef()
  assert.equal(r.remainingRefs, 1)
  assert.equal(r.clone().readRef().readUint(8), 4)
  assert.equal(r.readRef().readUint(8), 4)
  const refusal = new CellError('A reference was expected, but the cell has no more of them.')
  for (const take of [() => r.readRef(), () => r.readRefCell(), () => r.skipRef()]) assert.throws(take, refusal)
})

test('a reference that may be missing', () => {
  const r = openCell(new CellWriter().writeBit(false).writeBit(true).writeRef(leaf(9)).writeBit(true).toCell())
  assert.equal(r.readMaybeRefCell(), undefined)
  assert.ok(r.readMaybeRefCell()?.equals(leaf(9)))
  assert.throws(() => r.readMaybeRefCell(), CellError)
  assert.throws(() => r.readMaybeRefCell(), new CellError('1 more bits were expected, but the cell has 0 left.'))
})

test('exotic cells are not entered by accident, pruned branches least of all', () => {
  const pruned = toCell(prunedBranch(1, ['11'.repeat(32)], [0]))
  const library = toCell(libraryReference('22'.repeat(32)))
  const proof = toCell(merkleProofOf(ordinary('')))
  assert.throws(() => openCell(pruned), PrunedBranchError)
  assert.throws(() => openCell(library), new CellError('Expected an ordinary cell, but got an exotic one of type 2.'))
  assert.throws(() => openCell(proof), new CellError('Expected an ordinary cell, but got an exotic one of type 3.'))
  const parent = new CellWriter().writeRef(pruned).writeRef(library).writeRef(proof).toCell()
  const r = openCell(parent)
  assert.throws(() => r.readRef(), PrunedBranchError)
  assert.throws(() => r.readRef(), CellError)
  assert.ok(r.readRefCell().equals(proof))
  assert.equal(openRaw(library).readUint(8), 2)
  assert.equal(openRaw(proof).remainingRefs, 1)
  assert.equal(openRaw(pruned).remainingBits, 288)
  assert.equal(openRaw(leaf(7)).readUint(8), 7)
})

test('a reader knows its cell', () => {
  const cell = leaf(1)
  assert.ok(openCell(cell).cell.equals(cell))
})

test('rest, readRest and sliceSince cut the same bits', () => {
  const cell = new CellWriter().writeUint(0xabc, 12).writeRef(leaf(1)).writeRef(leaf(2)).toCell()
  const r = openCell(cell)
  r.skipBits(4)
  r.skipRef()
  const start = r.clone()
  const rest = r.rest()
  assert.deepEqual([r.remainingBits, r.remainingRefs], [8, 1])
  assert.deepEqual(r.readRest(), rest)
  assert.deepEqual([r.remainingBits, r.remainingRefs], [0, 0])
  assert.deepEqual(r.sliceSince(start), rest)
  const expected = new CellWriter().writeUint(0xbc, 8).writeRef(leaf(2)).toCell()
  assert.ok(sliceToCell(rest).equals(expected))
  const again = openSlice(rest)
  assert.deepEqual([again.readUint(8), again.readRef().readUint(8)], [0xbc, 2])
})

test('clones move on their own', () => {
  const r = opened('1011111111')
  const other = r.clone()
  r.skipBits(5)
  assert.equal(other.remainingBits, 10)
  assert.equal(other.readUint(2), 2)
  assert.equal(r.remainingBits, 5)
})

test('what fills a cell leaves nothing over', () => {
  openCell(emptyCell).expectEnd('Nothing')
  const r = openCell(new CellWriter().writeUint(1, 3).writeRef(leaf(1)).toCell())
  assert.throws(
    () => r.expectEnd('A thing'),
    new CellError('A thing should fill its cell, but 3 bits and 1 references are left.'),
  )
  r.skipBits(3)
  assert.throws(() => r.expectEnd('A thing'), CellError)
  r.skipRef()
  r.expectEnd('A thing')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBits, fromCell, ordinary, toBits, toCell } from '../../../test/support/referenceCell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { firstDifference, keyBit, readLabel, setKeyBit, writeLabel } from './dictLabel.ts'
import { CellError } from './errors.ts'

const lengthBits = (max: number): number => (max === 0 ? 0 : max.toString(2).length)
const number = (value: number, bits: number): string => (bits === 0 ? '' : value.toString(2).padStart(bits, '0'))

const short = (label: string): string => `0${'1'.repeat(label.length)}0${label}`
const long = (label: string, max: number): string => `10${number(label.length, lengthBits(max))}${label}`
const same = (label: string, max: number): string => `11${label[0] ?? '0'}${number(label.length, lengthBits(max))}`

/** The form that dictionaries of the network use, in the words of the protocol page. */
const canonical = (label: string, max: number): string => {
  const n = label.length
  const k = lengthBits(max)
  const isUniform = n > 0 && !(label.includes('0') && label.includes('1'))
  if (isUniform && n > 1 && k < 2 * n - 1) return same(label, max)
  return k < n ? long(label, max) : short(label)
}

const labels = (length: number): string[] => [
  '0'.repeat(length),
  '1'.repeat(length),
  ...(length > 1 ? [`${'0'.repeat(length - 1)}1`, `1${'0'.repeat(length - 1)}`] : []),
]

const read = (spelled: string, max: number, at = 0): { length: number; key: string; left: number } => {
  const key = new Uint8Array(Math.ceil((at + max) / 8))
  const r = openCell(toCell(ordinary(spelled)))
  const length = readLabel(r, max, key, at)
  return { length, key: toBits(key).slice(at, at + length), left: r.remainingBits }
}

test('every length of label for every number of key bits left: written in the one form, read in all three', () => {
  for (const max of [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 96, 255, 256, 267, 352, 500]) {
    for (let length = 0; length <= max; length += max > 64 && length > 20 && length < max - 20 ? 7 : 1) {
      for (const label of labels(length)) {
        for (const shift of [0, 3]) {
          const w = new CellWriter()
          writeLabel(w, max, fromBits('1'.repeat(shift) + label), shift, shift + length)
          assert.equal(fromCell(w.toCell()).bits, canonical(label, max), `${label} of ${max}`)
        }
        const forms = [long(label, max)]
        if (2 * length + 2 <= 1023) forms.push(short(label))
        if (label === '0'.repeat(length) || label === '1'.repeat(length)) forms.push(same(label, max))
        for (const form of forms) {
          assert.deepEqual(read(`${form}1`.slice(0, 1023), max), {
            length,
            key: label,
            left: Math.min(1, 1023 - form.length),
          })
        }
      }
    }
  }
})

test('a label goes to its place in the key and leaves the bits around it', () => {
  const key = Uint8Array.of(0xff, 0xff)
  readLabel(openCell(toCell(ordinary(short('0000')))), 6, key, 5)
  assert.equal(toBits(key), '1111100001111111')
  readLabel(openCell(toCell(ordinary(same('00', 6)))), 6, key, 12)
  assert.equal(toBits(key), '1111100001110011')
})

test('a label longer than the key bits left is refused in every form', () => {
  const refusal = (length: number, max: number): CellError =>
    new CellError(`A dictionary label of ${length} bits stands where at most ${max} key bits are left.`)
  assert.throws(() => read(short('10101'), 4), refusal(5, 4))
  assert.throws(() => read(`10111${'0'.repeat(7)}`, 6), refusal(7, 6))
  assert.throws(() => read('110111', 6), refusal(7, 6))
  assert.throws(() => read(short('1'), 0), refusal(1, 0))
  assert.throws(() => read(`0${'1'.repeat(500)}0${'1'.repeat(500)}`, 256), refusal(500, 256))
})

test('a label that is cut off is refused', () => {
  for (const form of [short('1011'), long('10111', 5), same('11111', 5)]) {
    for (let length = 0; length < form.length; length++) {
      assert.throws(() => read(form.slice(0, length), 5), CellError, `${length} of ${form}`)
    }
  }
  assert.throws(() => read('01111111', 5), CellError)
})

test('single bits of a key', () => {
  const key = Uint8Array.of(0b1010_0000, 0b0000_0001)
  assert.deepEqual(
    [0, 1, 2, 14, 15].map((at) => keyBit(key, at)),
    [1, 0, 1, 0, 1],
  )
  setKeyBit(key, 1, 1)
  setKeyBit(key, 0, 0)
  setKeyBit(key, 15, 0)
  assert.deepEqual([...key], [0b0110_0000, 0])
})

test('the first place where keys differ, between any two places', () => {
  const a = '110100101100101011110000'
  for (let at = 0; at < a.length; at++) {
    const b = [...a]
    b[at] = b[at] === '0' ? '1' : '0'
    for (let from = 0; from <= a.length; from++) {
      for (let to = from; to <= a.length; to++) {
        const expected = at >= from && at < to ? at : to
        assert.equal(firstDifference(fromBits(a), fromBits(b.join('')), from, to), expected, `${at} in ${from}..${to}`)
      }
    }
  }
})

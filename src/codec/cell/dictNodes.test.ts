import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromBits,
  fromCell,
  ordinary,
  type ReferenceCell,
  toBits,
  toCell,
} from '../../../test/support/referenceCell.ts'
import { wholeSlice } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import {
  firstDifference,
  keyBit,
  lookupDict,
  NodeBudget,
  openRoot,
  readLabel,
  setKeyBit,
  type WalkOptions,
  walkDict,
  writeLabel,
} from './dictNodes.ts'
import { CellError } from './errors.ts'
import { recordVisited } from './HashIndex.ts'

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

const cells = Array.from({ length: 30_000 }, (_, k) => new CellWriter().writeUint(k, 32).toCell())
const tooMany = new CellError('A dictionary has more than 3 nodes, the most that is read here.')
const tooOften = new CellError('A dictionary leads back to the same cells more than 16384 times.')

test('no more nodes than were allowed', () => {
  const budget = new NodeBudget(3)
  for (let k = 0; k < 3; k++) budget.spend(cells[0]!)
  assert.throws(() => budget.spend(cells[0]!), tooMany)
})

test('different cells cost nothing but their number', () => {
  const budget = new NodeBudget()
  for (const cell of cells) budget.spend(cell)
})

test('the same cells over and over are noticed', () => {
  const budget = new NodeBudget()
  // 4096 visits are not watched; the first watched visit is not yet a repetition.
  for (let k = 0; k < 4096 + 1 + 16_384; k++) budget.spend(cells[0]!)
  assert.throws(() => budget.spend(cells[0]!), tooOften)
})

const node = (label: string, rest = '', refs: readonly ReferenceCell[] = []): ReferenceCell =>
  ordinary(`0${'1'.repeat(label.length)}0${label}${rest}`, refs)

// Keys 0000, 0101, 0110, 1011 of four bits; the value is the key again.
const right = node('011', '1011')
const left = node('', '', [node('00', '0000'), node('', '', [node('1', '0101'), node('0', '0110')])])
const root = toCell(node('', '', [left, right]))

const walk = (options?: WalkOptions): string[] => {
  const found: string[] = []
  walkDict(
    root,
    4,
    (key, leaf) => {
      const name = toBits(key).slice(0, 4)
      assert.equal(leaf.readUint(4), Number.parseInt(name, 2))
      leaf.expectEnd('A value')
      found.push(name)
      return undefined
    },
    options,
  )
  return found
}

test('leaves are visited in order, forwards and backwards, from any key', () => {
  const all = ['0000', '0101', '0110', '1011']
  assert.deepEqual(walk(), all)
  assert.deepEqual(walk({ reverse: true }), all.toReversed())
  for (let k = 0; k < 16; k++) {
    const after = k.toString(2).padStart(4, '0')
    assert.deepEqual(
      walk({ after: fromBits(after) }),
      all.filter((key) => key > after),
    )
    assert.deepEqual(walk({ after: fromBits(after), reverse: true }), all.filter((key) => key < after).toReversed())
  }
})

test('what lies wholly before the start is not entered', () => {
  const visited = recordVisited(() => walk({ after: fromBits('0111') }))
  assert.equal(visited.has(root), true)
  assert.equal(visited.has(root.ref(1)), true)
  assert.equal(visited.has(root.ref(0).ref(0)), false)
  const back = recordVisited(() => walk({ after: fromBits('1000'), reverse: true }))
  assert.equal(back.has(root.ref(0).ref(0)), true)
})

test('the visitor ends the walk with false and nothing else', () => {
  for (const [answer, count] of [
    [false, 1],
    [true, 4],
    [undefined, 4],
  ] as const) {
    let visits = 0
    walkDict(root, 4, () => {
      visits++
      return answer
    })
    assert.equal(visits, count)
  }
})

test('the number of nodes is limited', () => {
  const limit = (maxNodes: number) => () => walkDict(root, 4, () => true, { maxNodes })
  limit(7)()
  assert.throws(limit(6), new CellError('A dictionary has more than 6 nodes, the most that is read here.'))
})

test('a key is looked up along one path', () => {
  for (let k = 0; k < 16; k++) {
    const key = k.toString(2).padStart(4, '0')
    const isThere = ['0000', '0101', '0110', '1011'].includes(key)
    assert.equal(lookupDict(root, 4, fromBits(key))?.readUint(4), isThere ? k : undefined, key)
  }
  const visited = recordVisited(() => lookupDict(root, 4, fromBits('1011')))
  assert.deepEqual([visited.has(root), visited.has(root.ref(1)), visited.has(root.ref(0))], [true, true, false])
})

test('a root may be a slice', () => {
  assert.equal(lookupDict(wholeSlice(root), 4, fromBits('0101'))?.readUint(4), 5)
  assert.equal(openRoot(wholeSlice(root)).remainingRefs, 2)
  assert.equal(openRoot(root).remainingRefs, 2)
})

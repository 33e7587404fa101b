import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as bytes from './bytes.ts'
import { replaceLeadingBits } from './bytes.ts'
import { fromHex, toHex } from './hex.ts'

test('equality looks at length and content', () => {
  const cases: [a: string, b: string, equal: boolean][] = [
    ['', '', true],
    ['00', '', false],
    ['0102', '0102', true],
    ['0102', '0103', false],
    ['0102', '010200', false],
  ]
  for (const [a, b, equal] of cases) {
    assert.equal(bytes.bytesEqual(fromHex(a), fromHex(b)), equal, `${a} ${b}`)
    assert.equal(bytes.bytesEqual(fromHex(b), fromHex(a)), equal, `${b} ${a}`)
  }
})

test('order is by byte value, a prefix first', () => {
  const sorted = ['', '00', '0000', '00ff', '01', '7f', '80', '80ff', 'ff'].map((hex) => fromHex(hex))
  for (const [i, a] of sorted.entries()) {
    for (const [j, b] of sorted.entries()) {
      assert.equal(Math.sign(bytes.compareBytes(a, b)), Math.sign(i - j), `${toHex(a)} ${toHex(b)}`)
    }
  }
})

test('concatenation copies', () => {
  const part = Uint8Array.of(1, 2)
  const whole = bytes.concatBytes([part, new Uint8Array(), Uint8Array.of(3)])
  part[0] = 9
  assert.deepEqual(whole, Uint8Array.of(1, 2, 3))
  assert.deepEqual(bytes.concatBytes([]), new Uint8Array())
})

test('numbers of both byte orders', () => {
  const data = fromHex('0081828384858687f8')
  assert.equal(bytes.getU16LE(data, 1), 0x8281)
  assert.equal(bytes.getU16BE(data, 1), 0x8182)
  assert.equal(bytes.getU32LE(data, 1), 0x84838281)
  assert.equal(bytes.getU32BE(data, 1), 0x81828384)
  assert.equal(bytes.getI32LE(data, 1), 0x84838281 - 2 ** 32)
  assert.equal(bytes.getI32BE(data, 1), 0x81828384 - 2 ** 32)
  assert.equal(bytes.getU64LE(data, 1), 0xf887868584838281n)
  assert.equal(bytes.getU64BE(data, 1), 0x81828384858687f8n)
})

test('written numbers, and nothing around them', () => {
  const written = (put: (target: Uint8Array) => void): string => {
    const target = new Uint8Array(10).fill(0xee)
    put(target)
    return toHex(target)
  }
  assert.equal(
    written((t) => bytes.putU16LE(t, 1, 0x8182)),
    'ee8281eeeeeeeeeeeeee',
  )
  assert.equal(
    written((t) => bytes.putU16BE(t, 1, 0x8182)),
    'ee8182eeeeeeeeeeeeee',
  )
  assert.equal(
    written((t) => bytes.putU32LE(t, 1, 0x81828384)),
    'ee84838281eeeeeeeeee',
  )
  assert.equal(
    written((t) => bytes.putU32BE(t, 1, 0x81828384)),
    'ee81828384eeeeeeeeee',
  )
  assert.equal(
    written((t) => bytes.putU32BE(t, 1, -2)),
    'eefffffffeeeeeeeeeee',
  )
  assert.equal(
    written((t) => bytes.putU64LE(t, 1, 0x81828384858687f8n)),
    'eef887868584838281ee',
  )
  assert.equal(
    written((t) => bytes.putU64BE(t, 1, 0x81828384858687f8n)),
    'ee81828384858687f8ee',
  )
  assert.equal(
    written((t) => bytes.putU64LE(t, 1, -(2n ** 63n))),
    'ee0000000000000080ee',
  )
})

test('big integers of any length', () => {
  const cases = [
    ['', 0n],
    ['00', 0n],
    ['ff', 0xffn],
    ['81828384858687', 0x81828384858687n],
    ['8182838485868788', 0x8182838485868788n],
    ['818283848586878889', 0x818283848586878889n],
    ['00000000000000000001', 1n],
    ['f'.repeat(64), 2n ** 256n - 1n],
    ['8'.padEnd(64, '0'), 2n ** 255n],
  ] as const
  for (const [hex, value] of cases) {
    assert.equal(bytes.bytesToBigint(fromHex(hex)), value, hex)
    assert.equal(toHex(bytes.bigintToBytes(value, hex.length / 2)), hex)
  }
})

test('a big integer that does not fit is a bug', () => {
  const cases: [value: bigint, length: number][] = [
    [1n, 0],
    [-1n, 0],
    [256n, 1],
    [-1n, 1],
    [2n ** 64n, 8],
    [-1n, 8],
    [2n ** 72n, 9],
    [-1n, 9],
    [2n ** 256n, 32],
    [-(2n ** 255n), 32],
  ]
  for (const [value, length] of cases) {
    assert.throws(() => bytes.bigintToBytes(value, length), {
      name: 'RangeError',
      message: `Expected an unsigned integer of ${length} bytes, but got ${value}`,
    })
  }
})

test('leading bits come from the prefix, the rest stays', () => {
  const cases: [count: number, expected: string][] = [
    [0, '00ff00ff'],
    [1, '80ff00ff'],
    [4, 'a0ff00ff'],
    [7, 'a4ff00ff'],
    [8, 'a5ff00ff'],
    [9, 'a57f00ff'],
    [12, 'a55f00ff'],
    [16, 'a55a00ff'],
    [30, 'a55ac33f'],
  ]
  const id = fromHex('00ff00ff')
  for (const [count, expected] of cases) {
    const prefix = fromHex('a55ac33c').subarray(0, Math.ceil(count / 8))
    assert.equal(toHex(replaceLeadingBits(id, prefix, count)), expected, `${count} bits`)
  }
  assert.equal(toHex(id), '00ff00ff')
})

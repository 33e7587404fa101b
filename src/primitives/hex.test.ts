import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParseError } from './errors.ts'
import { fromHex, toHex, toUpperHex } from './hex.ts'

test('bytes to hex and back', () => {
  const cases: [bytes: number[], lower: string, upper: string][] = [
    [[], '', ''],
    [[0], '00', '00'],
    [[0x0f, 0xa0], '0fa0', '0FA0'],
    [[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef], '0123456789abcdef', '0123456789ABCDEF'],
    [[0xff, 0xfe], 'fffe', 'FFFE'],
  ]
  for (const [values, lower, upper] of cases) {
    const bytes = Uint8Array.from(values)
    assert.equal(toHex(bytes), lower)
    assert.equal(toUpperHex(bytes), upper)
    assert.deepEqual(fromHex(lower), bytes)
    assert.deepEqual(fromHex(upper), bytes)
    assert.deepEqual(fromHex(lower, values.length), bytes)
  }
})

test('a view is printed from its own bounds', () => {
  assert.equal(toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3)), '0203')
})

test('what is not hex is refused', () => {
  for (const text of [
    'a',
    'abc',
    'zz',
    '0g',
    'g0',
    '0x',
    ' 00',
    '00\n',
    '٠٠',
    '\u0130\u0130',
    '0\u0131',
    '+1',
    '-1',
    '1.',
  ]) {
    assert.throws(() => fromHex(text), new ParseError('an even number of hex digits', text))
  }
})

test('another length than asked for is refused', () => {
  for (const text of ['', '00', '000', '00000', '000000', '00zz']) {
    assert.throws(() => fromHex(text, 2), new ParseError('4 hex digits', text))
  }
})

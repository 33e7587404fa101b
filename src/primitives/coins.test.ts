import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxCoins, parseCoins } from './coins.ts'
import { ParseError } from './errors.ts'

test('amounts from text', () => {
  assert.equal(maxCoins, 1329227995784915872903807060280344575n)
  for (const text of ['0', '1', '10', '1000000000', '9007199254740993', '1329227995784915872903807060280344575']) {
    assert.equal(parseCoins(text).toString(), text)
  }
})

test('texts that are no amount', () => {
  const tooMuch = ['1329227995784915872903807060280344576', '9'.repeat(37), '1'.padEnd(38, '0'), '9'.repeat(100_000)]
  for (const text of [
    '',
    '-1',
    '+1',
    '-0',
    '00',
    '01',
    '1.0',
    '1e9',
    '0x1',
    ' 1',
    '1\n',
    '1_000',
    '1n',
    '١',
    ...tooMuch,
  ]) {
    const expected = 'an amount in nanograms, decimal and less than 2^120'
    assert.throws(() => parseCoins(text), new ParseError(expected, text))
  }
})

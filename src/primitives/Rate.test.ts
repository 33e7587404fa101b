import assert from 'node:assert/strict'
import test from 'node:test'
import { ParseError } from './errors.ts'
import { formatRate, parseRate } from './Rate.ts'

test('a rate as text', () => {
  const cases: [text: string, perSecond: number, burst: number, again?: string][] = [
    ['1', 1, 1],
    ['10', 10, 10],
    ['10:40', 10, 40],
    ['0.5', 0.5, 1],
    ['2.5', 2.5, 3],
    ['10:10', 10, 10, '10'],
    ['1000000:1', 1_000_000, 1],
  ]
  for (const [text, perSecond, burst, again = text] of cases) {
    assert.deepEqual(parseRate(text), { perSecond, burst }, text)
    assert.equal(formatRate({ perSecond, burst }), again)
  }
  for (const text of ['', '0', '-1', '1e3', '1:', ':1', '1:0', '1:1.5', '1000001', '0.0001', ' 1', '1/s', 'x']) {
    assert.throws(() => parseRate(text), ParseError, text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceLeadingBits } from './bits.ts'
import { fromHex, toHex } from './hex.ts'

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

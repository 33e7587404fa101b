import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasLasted, nextStartLt } from './blockContext.ts'

test('a load has lasted after 24 blocks in a row, or after more with pauses', () => {
  assert.equal(hasLasted((1n << 23n) - 1n), false)
  assert.equal(hasLasted((1n << 24n) - 1n), true)
  assert.equal(hasLasted(((1n << 24n) - 1n) << 1n), false)
  assert.equal(hasLasted(((1n << 48n) - 1n) & ~0xffn), true)
})

test('a block starts at a multiple of a million that nothing has passed', () => {
  assert.equal(nextStartLt(), 1_000_000n)
  assert.equal(nextStartLt(0n, 0n), 1_000_000n)
  assert.equal(nextStartLt(3_000_000n, 1n), 3_000_000n)
  assert.equal(nextStartLt(3_000_001n), 4_000_000n)
})

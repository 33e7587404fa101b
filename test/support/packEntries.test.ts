import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packEntries } from './packEntries.ts'

const pack = Buffer.concat([
  Buffer.from('01dd8fae', 'hex'),
  Buffer.from('8b1e0300020000006f6e650102', 'hex'),
  Buffer.from('8b1e0300000000007477 6f'.replace(' ', ''), 'hex'),
])

test('the entries of a package come in their order', () => {
  assert.deepEqual(
    Array.from(packEntries(pack), ({ name, data }) => [name, [...data]]),
    [
      ['one', [1, 2]],
      ['two', []],
    ],
  )
})

test('a package that is cut short or holds something else is an error', () => {
  for (const length of [0, 3, 5, 11, 16, pack.length - 1]) {
    assert.throws(() => Array.from(packEntries(pack.subarray(0, length))), Error, `${length} bytes`)
  }
  assert.throws(() => Array.from(packEntries(Buffer.concat([pack, Buffer.alloc(8)]))), Error)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyBytes } from './KeyBytes.ts'

test('the text of a key has a character for each byte, whatever the bytes are kept in', () => {
  const all = Uint8Array.from({ length: 256 }, (_, k) => k)
  const expected = String.fromCharCode(...all)
  const key = new KeyBytes(all.buffer, 0, 256)
  for (const bytes of [key, all, Buffer.from(all)]) assert.equal(KeyBytes.textOf(bytes), expected)
  assert.equal(KeyBytes.textOf(key), expected, 'again')
  assert.equal(KeyBytes.textOf(new KeyBytes(all.buffer, 65, 3)), 'ABC')
  assert.equal(KeyBytes.textOf(new KeyBytes(all.buffer, 65, 0)), '')
})

test('a part of a key is a key of its own, and one whose text was asked for equals one whose was not', () => {
  const key = new KeyBytes(Uint8Array.of(65, 66, 67).buffer, 0, 3)
  assert.equal(KeyBytes.textOf(key), 'ABC')
  assert.equal(KeyBytes.textOf(key.subarray(1)), 'BC')
  assert.equal(KeyBytes.textOf(key.slice(0, 1)), 'A')
  assert.deepEqual(key, new KeyBytes(Uint8Array.of(65, 66, 67).buffer, 0, 3))
})

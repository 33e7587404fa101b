import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBase64 } from './base64.ts'
import { getU32LE } from './bytes.ts'
import { crc32c } from './crc32c.ts'

test('published check values', () => {
  const ascending = Uint8Array.from({ length: 32 }, (_, i) => i)
  assert.equal(crc32c(new TextEncoder().encode('123456789')), 0xe3069283)
  assert.equal(crc32c(new Uint8Array()), 0)
  // Appendix B.4 of RFC 3720, whose bytes stand in little-endian order.
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa)
  assert.equal(crc32c(new Uint8Array(32).fill(0xff)), 0x62a8ab43)
  assert.equal(crc32c(ascending), 0x46dd794e)
  assert.equal(crc32c(ascending.toReversed()), 0x113fdb5c)
})

test('a range of the bytes', () => {
  const bytes = new TextEncoder().encode('xx123456789yy')
  assert.equal(crc32c(bytes, 2, 11), 0xe3069283)
  assert.equal(crc32c(bytes.subarray(2), 0, 9), 0xe3069283)
  assert.equal(crc32c(bytes, 5, 5), 0)
})

test('the checksum that closes a bag of cells', () => {
  const bags = [
    'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=',
    'te6cckEBAQEALgAAV4gBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAAA0MrY2N8iUWiZQ==',
  ]
  for (const bag of bags) {
    const bytes = fromBase64(bag)
    assert.equal(crc32c(bytes, 0, bytes.length - 4), getU32LE(bytes, bytes.length - 4))
  }
})

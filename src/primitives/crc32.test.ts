import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, crc32OfText } from './crc32.ts'

test('published check values', () => {
  assert.equal(crc32(new Uint8Array()), 0)
  assert.equal(crc32OfText('123456789'), 0xcbf43926)
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926)
  assert.equal(crc32OfText('The quick brown fox jumps over the lazy dog'), 0x414fa339)
})

test('a view counts from its own bounds', () => {
  assert.equal(crc32(new TextEncoder().encode('xx123456789yy').subarray(2, 11)), 0xcbf43926)
})

test('TL constructor ids', () => {
  const ids = {
    'boolTrue = Bool': 0x997275b5,
    'boolFalse = Bool': 0xbc799737,
    'liteServer.getMasterchainInfo = liteServer.MasterchainInfo': 0x89b5e62e,
  }
  for (const [line, id] of Object.entries(ids)) assert.equal(crc32OfText(line), id, line)
})

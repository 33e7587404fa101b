import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBase64 } from './base64.ts'
import { getU32LE } from './bytes.ts'
import { crc16, crc16OfText, crc32c } from './crc.ts'

test('published check values', () => {
  assert.equal(crc16OfText(''), 0)
  assert.equal(crc16OfText('123456789'), 0x31c3)
  assert.equal(crc16OfText('A'), 0x58e5)
  assert.equal(crc16(Uint8Array.of(0, 0, 0)), 0)
  assert.equal(crc16(Uint8Array.of(0xff, 0xff)), 0x1d0f)
})

test('a range of the bytes', () => {
  const bytes = new TextEncoder().encode('xx123456789yy')
  assert.equal(crc16(bytes, 2, 11), 0x31c3)
  assert.equal(crc16(bytes, 11, 11), 0)
})

test('get-method ids', () => {
  const ids = {
    seqno: 85143,
    get_jetton_data: 106029,
    get_wallet_data: 97026,
    get_collection_data: 102491,
    get_nft_data: 102351,
    get_wallet_address: 103289,
    get_nft_address_by_index: 92067,
    get_nft_content: 68445,
    is_claimed: 122284,
    dnsresolve: 123660,
    get_domain: 119378,
  }
  for (const [name, id] of Object.entries(ids)) assert.equal(crc16OfText(name) | 0x10000, id, name)
})

test('text outside ASCII counts as UTF-8', () => {
  assert.equal(crc16OfText('é'), crc16(Uint8Array.of(0xc3, 0xa9)))
})

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc16, crc16OfText } from './crc16.ts'

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './Address.ts'
import { ADDRESS_KEY_EXTERN, ADDRESS_KEY_NONE, ADDRESS_KEY_VAR, addressKeyOf, parseAddressKey } from './addressKey.ts'
import { toHex } from './hex.ts'
import { ParseError } from './ParseError.ts'

const tail = 'ab'.repeat(31)

test('an address and back', () => {
  const cases: readonly [string, string][] = [
    [`0:01${tail}`, `0001${tail}`],
    [`-1:02${tail}`, `ff02${tail}`],
    [`127:00${tail}`, `7f00${tail}`],
    [`-128:ff${tail}`, `80ff${tail}`],
  ]
  for (const [text, hex] of cases) {
    const address = parseAddress(text)
    assert.equal(toHex(addressKeyOf(address)), hex)
    assert.deepEqual(parseAddressKey(addressKeyOf(address)), address)
  }
})

test('what is no account', () => {
  assert.equal(parseAddressKey(ADDRESS_KEY_NONE), 'none')
  assert.equal(parseAddressKey(ADDRESS_KEY_EXTERN), 'extern')
  assert.equal(parseAddressKey(ADDRESS_KEY_VAR), 'var')
})

test('other bytes are refused', () => {
  for (const bytes of [[0], [3], [1, 2], new Array(32).fill(7), new Array(34).fill(7)]) {
    assert.throws(() => parseAddressKey(Uint8Array.from(bytes)), ParseError)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKeyOf, formatUpperRawAddress } from '../../primitives/Address.ts'
import { fromHex } from '../../primitives/hex.ts'
import {
  accountStatusCode,
  decodeHeaderBits,
  decodeMessageBits,
  encodeHeaderBits,
  encodeMessageBits,
  findAccountStatus,
  hashKey,
  packDetails,
  previousShards,
  unpackDetails,
} from './codes.ts'

test('statuses of accounts', () => {
  const codes = { uninit: 0, frozen: 1, active: 2, nonexist: 3 } as const
  for (const status of ['uninit', 'frozen', 'active', 'nonexist'] as const) {
    assert.equal(accountStatusCode(status), codes[status])
    assert.equal(findAccountStatus(codes[status]), status)
  }
  assert.equal(findAccountStatus(4), undefined)
})

test('bits of messages', () => {
  for (let bits = 0; bits < 128; bits++) assert.equal(encodeMessageBits(decodeMessageBits(bits)), bits)
  assert.deepEqual(decodeMessageBits(0b0101_1001), {
    kind: 1,
    bounce: true,
    bounced: true,
    ihrDisabled: false,
    hasExtraFlags: true,
  })
})

test('bits of block headers', () => {
  for (let bits = 0; bits < 128; bits++) assert.equal(encodeHeaderBits(decodeHeaderBits(bits)), bits)
  assert.deepEqual(decodeHeaderBits(0b010_0101), {
    afterMerge: true,
    beforeSplit: false,
    afterSplit: true,
    wantMerge: false,
    wantSplit: false,
    keyBlock: true,
    vertSeqnoIncr: false,
  })
})

test('the shards before a block', () => {
  const whole = 0x8000000000000000n
  const [left, right] = [0x4000000000000000n, 0xc000000000000000n]
  const none = { afterSplit: false, afterMerge: false }
  assert.deepEqual(previousShards(left, none), [left])
  assert.deepEqual(previousShards(left, { ...none, afterSplit: true }), [whole])
  assert.deepEqual(previousShards(right, { ...none, afterSplit: true }), [whole])
  assert.deepEqual(previousShards(whole, { ...none, afterMerge: true }), [left, right])
})

test('the key of a hash', () => {
  assert.equal(hashKey(fromHex('0000000000000001ff')), 1n)
  assert.equal(hashKey(fromHex('ffffffffffffffff00')), -1n)
  assert.equal(hashKey(fromHex('8000000000000000aa')), -(2n ** 63n))
})

const addresses = [0, -1].map((workchain, k) => ({ workchain, hash: new Uint8Array(32).fill(171 + k) }))
const accounts = addresses.map(addressKeyOf)
const [alice, bob] = addresses.map(formatUpperRawAddress) as [string, string]
const carol = alice.replaceAll('AB', 'CD')

test('the accounts of an action are kept in its details by their places', () => {
  const details = {
    source: alice,
    list: [{ to: bob, amount: '5', comment: null }, bob, carol],
    lower: alice.toLowerCase(),
    texts: ['', '\u0001', '\u00010', '\u0001\u00011', '@1', `${alice} `],
    count: 3,
    success: true,
  }
  const packed = packDetails(details, accounts)
  assert.deepEqual(packed, {
    ...details,
    source: '\u00010',
    list: [{ to: '\u00011', amount: '5', comment: null }, '\u00011', carol],
    texts: ['', '\u0001\u0001', '\u0001\u00010', '\u0001\u0001\u00011', '@1', `${alice} `],
  })
  assert.deepEqual(unpackDetails(packed, accounts), details)
})

test('what was kept as it is shown is shown as it was kept', () => {
  const details = { source: alice, destination: carol }
  assert.deepEqual(unpackDetails(details, accounts), details)
  assert.deepEqual(packDetails(details, [new Uint8Array(0)]), details)
})

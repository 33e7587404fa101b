import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '../../primitives/hex.ts'
import { accountStatusCode, findAccountStatus } from './accountStatus.ts'
import { hashKey } from './hashKey.ts'
import { decodeHeaderBits, encodeHeaderBits } from './headerBits.ts'
import { decodeMessageBits, encodeMessageBits } from './messageBits.ts'
import { previousShards } from './previousShards.ts'

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../test/hostile/Random.ts'
import { toHex } from '../primitives/hex.ts'
import { KeySet } from './newestAccounts.ts'

test('it has what was added, and nothing else', () => {
  const random = new Random(1, 1)
  const set = new KeySet(33, 12)
  const expected = new Set<string>()
  // Few last bytes, so that keys fall on one place and only the whole of them tells them apart.
  const tails = Array.from({ length: 40 }, () => random.bytes(4))
  for (let k = 0; k < 3000; k++) {
    const bytes = new Uint8Array(40)
    bytes.set([random.below(2), random.below(50)], 3)
    bytes.set(random.pick(tails), 3 + 29)
    const key = toHex(bytes.subarray(3, 36))
    assert.equal(set.has(bytes, 3), expected.has(key))
    if (random.once(2)) {
      assert.equal(set.add(bytes, 3), !expected.has(key))
      expected.add(key)
    }
    assert.equal(set.size, expected.size)
  }
  assert.ok(expected.size > 500)
  set.clear()
  assert.equal(set.size, 0)
  for (const key of expected) assert.equal(set.has(Buffer.from(key, 'hex')), false)
})

test('when it is full it begins anew', () => {
  const set = new KeySet(4, 4)
  const keys = Array.from({ length: 17 }, (_, k) => Uint8Array.of(0, 0, 1, k))
  for (const key of keys.slice(0, 16)) set.add(key)
  assert.ok(keys.slice(0, 16).every((key) => set.has(key)))
  set.add(keys[16]!)
  assert.equal(set.size, 1)
  assert.deepEqual(
    keys.map((key) => set.has(key)),
    keys.map((_, k) => k === 16),
  )
})

test('keys are found by the order in which they came, however many were expected', () => {
  const keys = Array.from({ length: 1000 }, (_, k) => Uint8Array.of(0, 0, k >> 8, k, k * 7, 1))
  for (const expected of [0, 1000, 5000]) {
    const set = new KeySet(6, 16, expected)
    for (const key of keys) set.add(key)
    for (const key of keys) set.add(key)
    assert.deepEqual(
      keys.map((key) => set.find(key)),
      keys.map((_, k) => k),
    )
    assert.equal(set.find(Uint8Array.of(1, 1, 1, 1, 1, 1)), -1)
  }
})

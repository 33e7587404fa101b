import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplePendingTrace } from '../../test/support/samplePendingTrace.ts'
import type { PendingFilter } from '../store/reader/pending.ts'
import { MemoryPendingStore } from './MemoryPendingStore.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const account = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const openStore = (limits = { maxTraces: 100, maxBytes: 1 << 20 }) => {
  let now = 0
  const store = new MemoryPendingStore(limits, () => now)
  const find = async (question: PendingFilter): Promise<number[]> =>
    (await store.find(question)).map(({ externalHashNorm }) => externalHashNorm[0]!).sort()
  const pass = (ms: number): void => {
    now += ms
  }
  return { store, find, pass }
}

test('traces are found by what they have, each once, until they are old', async () => {
  const { store, find, pass } = openStore()
  await store.put(samplePendingTrace({ normal: 1, plain: 11, accounts: [1, 2, 1] }), 1000)
  await store.put(samplePendingTrace({ normal: 2, plain: 12, accounts: [2], traceId: 22 }), 2000)
  assert.deepEqual(await find({ accounts: [account(1)] }), [1])
  assert.deepEqual(await find({ accounts: [account(2), account(1)] }), [1, 2])
  for (const each of [1, 11]) assert.deepEqual(await find({ hashes: [hash(each)] }), [1])
  for (const each of [2, 12, 22]) assert.deepEqual(await find({ hashes: [hash(each)] }), [2])
  assert.deepEqual(await find({ hashes: [hash(3)] }), [])
  pass(1000)
  assert.deepEqual(await find({ accounts: [account(2)] }), [2])
  pass(1000)
  assert.deepEqual(await find({ accounts: [account(2)] }), [])
  await store.put(samplePendingTrace({ normal: 3, plain: 13, accounts: [3] }), 1000)
  assert.equal(store.size, 1)
})

test('what is known of a trace takes the place of what was known before', async () => {
  const { store, find } = openStore()
  await store.put(samplePendingTrace({ normal: 1, plain: 11, accounts: [1, 2] }), 1000)
  await store.put(samplePendingTrace({ normal: 1, plain: 11, accounts: [1, 3], traceId: 21 }), 1000)
  assert.deepEqual(await find({ accounts: [account(2)] }), [])
  assert.deepEqual(await find({ accounts: [account(3)] }), [1])
  assert.deepEqual(await find({ hashes: [hash(21), hash(1), hash(11)] }), [1])
  await store.remove(hash(1))
  assert.deepEqual(await find({ accounts: [account(1), account(3)] }), [])
  assert.equal(store.size, 0)
})

test('the oldest go where there is no room', async () => {
  const { store, find } = openStore({ maxTraces: 2, maxBytes: 1 << 20 })
  for (const normal of [1, 2, 3]) await store.put(samplePendingTrace({ normal, plain: normal, accounts: [9] }), 1000)
  assert.deepEqual(await find({ accounts: [account(9)] }), [2, 3])
  const small = openStore({ maxTraces: 100, maxBytes: 7000 })
  for (const normal of [1, 2, 3]) {
    await small.store.put(samplePendingTrace({ normal, plain: normal, accounts: [9] }), 1000)
  }
  assert.deepEqual(await small.find({ accounts: [account(9)] }), [2, 3])
  await small.store.put(samplePendingTrace({ normal: 4, plain: 4, accounts: [9, 9, 9, 9, 9, 9] }), 1000)
  assert.deepEqual(await small.find({ accounts: [account(9)] }), [2, 3], 'one that never fits drives nobody out')
})

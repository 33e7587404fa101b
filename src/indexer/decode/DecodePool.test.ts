import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { listLocalnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { RawBlockSet } from '../blockSets.ts'
import { DecodePool, type DecodePoolOptions } from './DecodePool.ts'
import { decodeBlockSet } from './decodeBlockSet.ts'
import {
  BlockUndecodableError,
  DecoderBusyError,
  DecoderClosedError,
  DecoderCrashedError,
  WatchedAccounts,
} from './findTransactions.ts'

const openPool = (t: TestContext, options: DecodePoolOptions = {}): DecodePool => {
  const pool = new DecodePool(options)
  t.after(() => pool.close())
  return pool
}

/** A thread that does as the seqno of its block set says, so that every way to fail can be had. */
const OBEDIENT = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ blockSet }) => {
    if (blockSet.seqno === 13) throw new Error('uncaught')
    if (blockSet.seqno === 14) process.exit(3)
    if (blockSet.seqno === 15) for (;;) {}
    if (blockSet.seqno === 16) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    parentPort.postMessage({ kind: 'decoded', blockSet: { seqno: blockSet.seqno, thread: threadId, accounts: { lastLts: [] } } })
  })
  parentPort.postMessage({ kind: 'ready' })
`

const obedient = (source = OBEDIENT): NonNullable<DecodePoolOptions['startThread']> => {
  return () => new Worker(source, { eval: true })
}

const id = { workchain: -1, shard: 1n << 63n, seqno: 1, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

const blockSetOf = (seqno: number): RawBlockSet => ({
  seqno,
  masterchain: { id, bytes: Uint8Array.of(1, 2, 3) },
  shards: [],
  tops: [],
})

test('block sets come back as they are without threads, and what was given stays as it was', async (t) => {
  const pool = openPool(t, { size: 2 })
  const blockSets = listLocalnetBlockSets().slice(0, 60)
  const decoded = await Promise.all(blockSets.map((blockSet) => pool.decode(blockSet)))
  for (const [k, blockSet] of blockSets.entries()) {
    assert.ok(blockSet.masterchain.bytes.length > 0)
    assert.deepEqual(decoded[k], decodeBlockSet(blockSet))
  }
  const [blockSet] = blockSets
  const { seqno, masterchain } = blockSet!
  const spoilt = { ...blockSet!, masterchain: { ...masterchain, bytes: masterchain.bytes.slice(0, 100) } }
  await assert.rejects(pool.decode(spoilt), (error) => {
    assert.ok(error instanceof BlockUndecodableError)
    assert.deepEqual([error.block.workchain, error.block.seqno], [-1, seqno])
    return true
  })
  assert.deepEqual(
    await pool.decode(blockSet!, undefined, { globalVersion: 3 }),
    decodeBlockSet(blockSet!, { globalVersion: 3 }),
  )
})

test("bytes that are nobody else's are handed over; a thread that breaks down takes those that it had with it", async (t) => {
  const pool = openPool(t, { size: 1, startThread: obedient() })
  await pool.decode(blockSetOf(1))
  const blockSets = [13, 2, 3, 4, 5, 6, 7].map((seqno) => ({ ...blockSetOf(seqno), isOwn: true }))
  const outcomes = await Promise.allSettled(blockSets.map((blockSet) => pool.decode(blockSet)))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.seqno : outcome.reason.constructor)),
    [...Array.from({ length: 6 }, () => DecoderCrashedError), 7],
  )
  for (const { masterchain } of blockSets) assert.equal(masterchain.bytes.length, 0)
})

test('threads check root hashes', async (t) => {
  const pool = openPool(t, { size: 1 })
  const { masterchain: block } = listLocalnetBlockSets()[7]!
  await pool.checkRoot(block)
  const other = { ...block, id: { ...block.id, rootHash: new Uint8Array(32) } }
  await assert.rejects(pool.checkRoot(other), {
    code: 'source_answer_invalid',
    message: /does not match its root hash/,
  })
  const short = { ...block, bytes: block.bytes.slice(0, 100) }
  await assert.rejects(pool.checkRoot(short), { code: 'source_answer_invalid', message: /cannot be read/ })
  assert.ok(block.bytes.length > 0)
})

test('threads know who is watched', async (t) => {
  const blockSets = listLocalnetBlockSets().slice(20, 50)
  const [busiest] = blockSets
    .map((blockSet) => decodeBlockSet(blockSet))
    .sort((a, b) => b.transactions.count - a.transactions.count)
  const watched = [busiest!.accounts[0]!.account, busiest!.accounts.at(-1)!.account]
  const pool = openPool(t, { size: 2, watched })
  const decoded = await Promise.all(blockSets.map((blockSet) => pool.decode(blockSet)))
  for (const [k, blockSet] of blockSets.entries()) {
    assert.deepEqual(decoded[k], decodeBlockSet(blockSet, { watched: new WatchedAccounts(watched) }))
    assert.deepEqual(decoded[k]!.blocks, decodeBlockSet(blockSet).blocks)
  }
  assert.deepEqual(decoded.find(({ seqno }) => seqno === busiest!.seqno)!.accounts.length, 2)
  for (const { accounts } of decoded) {
    for (const { account } of accounts) assert.ok(watched.some((key) => bytesEqual(key, account)))
  }
})

test('a thread that breaks down takes one block set with it', async (t) => {
  const pool = openPool(t, { size: 1, startThread: obedient() })
  const outcomes = await Promise.allSettled([1, 13, 2, 14, 3].map((seqno) => pool.decode(blockSetOf(seqno))))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.seqno : outcome.reason.constructor)),
    [1, DecoderCrashedError, 2, DecoderCrashedError, 3],
  )
})

test('a block set that takes too long is given up', async (t) => {
  const pool = openPool(t, { size: 1, startThread: obedient(), timeLimitMs: 3000 })
  const [late, next] = await Promise.allSettled([pool.decode(blockSetOf(15)), pool.decode(blockSetOf(1))])
  assert.ok(late.status === 'rejected' && late.reason instanceof DecoderCrashedError)
  assert.ok(next.status === 'fulfilled' && next.value.seqno === 1)
})

test('threads that cannot start fail what waits, and the next try is made anew', async (t) => {
  let source = 'process.exit(1)'
  const pool = openPool(t, { size: 1, startThread: () => obedient(source)() })
  const outcomes = await Promise.allSettled([pool.decode(blockSetOf(1)), pool.decode(blockSetOf(2))])
  assert.ok(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof DecoderCrashedError))
  source = OBEDIENT
  assert.equal((await pool.decode(blockSetOf(3))).seqno, 3)
})

test('as many wait as may', async (t) => {
  const pool = openPool(t, { size: 1, maxWaiting: 3, startThread: obedient() })
  await pool.decode(blockSetOf(1))
  // Six are with the thread, three wait.
  const seqnos = [16, 16, 2, 3, 4, 5, 6, 7, 8]
  const given = seqnos.map((seqno) => pool.decode(blockSetOf(seqno)))
  await assert.rejects(pool.decode(blockSetOf(9)), DecoderBusyError)
  assert.deepEqual(
    (await Promise.all(given)).map(({ seqno }) => seqno),
    seqnos,
  )
})

test('one who no longer waits', async (t) => {
  const pool = openPool(t, { size: 1, startThread: obedient() })
  const abort = new AbortController()
  const given = [16, 16, 7].map((seqno) => pool.decode(blockSetOf(seqno), abort.signal))
  const other = pool.decode(blockSetOf(8))
  const reason = new Error('no longer wanted')
  abort.abort(reason)
  for (const each of given) await assert.rejects(each, reason)
  assert.equal((await other).seqno, 8)
  await assert.rejects(pool.decode(blockSetOf(9), abort.signal), reason)
})

test('after the end', async (t) => {
  const pool = openPool(t, { size: 1, startThread: obedient() })
  const given = [15, 1, 2, 3].map((seqno) => pool.decode(blockSetOf(seqno)))
  const outcomes = Promise.allSettled(given)
  await pool.close()
  assert.ok((await outcomes).every((each) => each.status === 'rejected' && each.reason instanceof DecoderClosedError))
  await assert.rejects(pool.decode(blockSetOf(4)), DecoderClosedError)
})

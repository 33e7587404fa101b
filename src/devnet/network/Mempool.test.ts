import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ExternalMessage } from '../collate/StepRequest.ts'
import { LiteserverError } from '../liteserver/LiteFunction.ts'
import { Mempool, POOL_LIMITS } from './Mempool.ts'

const message = (number: number, to = 1): ExternalMessage => {
  const cell = new CellWriter().writeUint(number, 32).toCell()
  return { destination: { workchain: 0, hash: new Uint8Array(32).fill(to) }, message: cell, hash: toHex(cell.hash()) }
}

const refusal = (code: number, text: string) => (error: unknown) => {
  assert.ok(error instanceof LiteserverError)
  assert.deepEqual([error.serverCode, error.serverText], [code, text])
  return true
}

const add = (pool: Mempool, number: number, { to = 1, bytes = 10, utime = 0, fromSeqno = 0 } = {}): string => {
  const external = message(number, to)
  pool.claim(external, bytes, utime)
  pool.confirm(external.hash, fromSeqno)
  return external.hash
}

const listed = (pool: Mempool, seqno: number, most = 100): string[] => pool.list(seqno, most).map(({ hash }) => hash)

test('messages wait in the order in which they came, whenever their checks end', () => {
  const pool = new Mempool()
  const [first, second, third] = [message(1), message(2), message(3)]
  for (const each of [first, second, third]) pool.claim(each, 1, 0)
  assert.equal(pool.hasWork, false)
  pool.confirm(third.hash, 0)
  pool.confirm(first.hash, 5)
  assert.equal(pool.hasWork, true)
  assert.deepEqual(listed(pool, 4), [third.hash])
  pool.confirm(second.hash, 0)
  assert.deepEqual(listed(pool, 5), [first.hash, second.hash, third.hash])
  assert.deepEqual(listed(pool, 5, 2), [first.hash, second.hash])
  pool.remove(second.hash)
  pool.remove(second.hash)
  assert.deepEqual([pool.size, pool.countFor(first.destination)], [2, 2])
})

test('the same message is refused while it waits and for a minute, unless its check failed', () => {
  const pool = new Mempool()
  const isDuplicate = refusal(0, 'cannot send external message : duplicate message')
  const hash = add(pool, 1, { utime: 100 })
  assert.throws(() => add(pool, 1, { utime: 100 }), isDuplicate)
  pool.remove(hash)
  assert.throws(() => add(pool, 1, { utime: 159 }), isDuplicate)
  add(pool, 1, { utime: 160 })
  const unwanted = message(2)
  pool.claim(unwanted, 1, 200)
  pool.release(unwanted.hash)
  add(pool, 2, { utime: 200 })
})

test('it has bounds: messages, bytes, and messages to one address', () => {
  const place = `0:${'01'.repeat(32)}`
  const tight = { ...POOL_LIMITS, maxMessages: 3, maxBytes: 100, maxPerDestination: 2 }
  const pool = new Mempool(tight)
  const [first] = [add(pool, 1), add(pool, 2)]
  assert.throws(
    () => add(pool, 3),
    refusal(0, `cannot apply external message to current state : too many external messages to address ${place}`),
  )
  const isFull = refusal(
    651,
    'cannot apply external message to current state : too many pending external message checks',
  )
  assert.throws(() => add(pool, 4, { to: 2, bytes: 90 }), isFull)
  add(pool, 4, { to: 2, bytes: 80 })
  assert.throws(() => add(pool, 5, { to: 3, bytes: 0 }), isFull)
  pool.remove(first)
  add(pool, 6)
})

test('a message that no block takes is dropped after ten minutes', () => {
  const pool = new Mempool()
  add(pool, 1, { utime: 1000 })
  const second = add(pool, 2, { utime: 1500 })
  pool.dropOld(1599)
  assert.equal(pool.size, 2)
  pool.dropOld(1600)
  assert.deepEqual(listed(pool, 1), [second])
})

test('it remembers a bounded number of messages', () => {
  const pool = new Mempool({ ...POOL_LIMITS, maxRemembered: 3 })
  for (const number of [1, 2, 3, 4]) pool.remove(add(pool, number))
  pool.remove(add(pool, 5))
  pool.remove(add(pool, 1))
  assert.throws(() => add(pool, 5), LiteserverError)
})

test('it goes back to an earlier state, without what is being checked', () => {
  const pool = new Mempool()
  const first = add(pool, 1)
  pool.claim(message(2), 5, 0)
  const saved = pool.save()
  pool.remove(first)
  add(pool, 3, { to: 7 })
  pool.restore(saved)
  assert.deepEqual(listed(pool, 1), [first])
  assert.deepEqual(
    [pool.size, pool.countFor(message(3, 7).destination), pool.countFor(message(1).destination)],
    [1, 0, 1],
  )
  pool.confirm(message(2).hash, 0)
  assert.equal(pool.size, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { decodeLiteAnswer, encodeLiteQuery, type LiteQuery, splitWaitPrefix } from './liteQuery.ts'
import { TlError } from './TlError.ts'
import { encodeTlObject } from './tlObject.ts'

const plain = fromHex('2ee6b589')
const waiting = fromHex('92b8eabaa7010000983a00002ee6b589')
const wait = { seqno: 423, timeoutMs: 15_000 }

const faultOf = (data: string): [string, number] => {
  try {
    decodeLiteQuery(fromHex(data))
  } catch (error) {
    if (error instanceof TlError) return [error.fault, error.offset]
    throw error
  }
  assert.fail('it decoded')
}

test('a query is a call, with or without a wait prefix', () => {
  const cases: [Uint8Array, LiteQuery][] = [
    [plain, { call: { kind: 'liteServer.getMasterchainInfo' } }],
    [waiting, { wait, call: { kind: 'liteServer.getMasterchainInfo' } }],
  ]
  for (const [data, query] of cases) {
    assert.deepEqual(decodeLiteQuery(data), query)
    assert.equal(toHex(encodeLiteQuery(query)), toHex(data))
  }
})

test('the prefix comes off without a look at the rest', () => {
  assert.deepEqual(splitWaitPrefix(waiting), { wait, rest: plain })
  assert.deepEqual(splitWaitPrefix(plain), { rest: plain })
  assert.deepEqual(splitWaitPrefix(new Uint8Array(0)), { rest: new Uint8Array(0) })
  assert.equal(splitWaitPrefix(waiting).rest.buffer, waiting.buffer)
  assert.throws(() => splitWaitPrefix(waiting.subarray(0, 8)), TlError)
})

test('a query that is none says what is wrong, with offsets as in the answers of a node', () => {
  assert.deepEqual(faultOf(''), ['not_enough_bytes', 0])
  assert.deepEqual(faultOf('deadbeef'), ['unknown_constructor', 0])
  // The node answers these two with "Not enough data to read at 20" and "Too much data to fetch at 4".
  assert.deepEqual(faultOf('0dcf7763ffffffff00000000000000808b010000'), ['not_enough_bytes', 20])
  assert.deepEqual(faultOf('86e6d3722ee6b589'), ['trailing_bytes', 4])
  // A prefix with nothing behind it, and one behind another.
  assert.deepEqual(faultOf('92b8eabaa7010000983a0000'), ['not_enough_bytes', 0])
  assert.deepEqual(faultOf('92b8eabaa7010000983a000092b8eabaa7010000983a00002ee6b589'), ['trailing_bytes', 12])
  // A type, and a function of another namespace.
  assert.deepEqual(faultOf('0d0053e900000000'), ['unknown_constructor', 0])
  assert.deepEqual(faultOf('9a2b084d0000000000000000'), ['unknown_constructor', 0])
})

test('an answer is the result or an error', () => {
  const time = encodeTlObject({ kind: 'liteServer.currentTime', now: 7 })
  const error = { code: -400, message: 'nothing there' }
  assert.deepEqual(decodeLiteAnswer('liteServer.getTime', time), { ok: true, result: { now: 7 } })
  const refusal = encodeTlObject({ kind: 'liteServer.error', ...error })
  assert.deepEqual(decodeLiteAnswer('liteServer.getTime', refusal), { ok: false, error })
  assert.throws(() => decodeLiteAnswer('liteServer.getVersion', time), /Expected liteServer\.version \(0x5a0491e5\)/)
  assert.throws(() => decodeLiteAnswer('liteServer.getTime', new Uint8Array(3)), TlError)
  assert.throws(() => decodeLiteAnswer('liteServer.getTime', Uint8Array.of(...time, 0)), /got 1 more bytes/)
  assert.throws(() => decodeLiteAnswer('liteServer.getTime', Uint8Array.of(...refusal, 0)), /got 1 more bytes/)
})

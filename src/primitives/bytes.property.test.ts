import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as bytes from './bytes.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const someBytes = fc.uint8Array({ maxLength: 70 })

test('integers agree with DataView', (t) => {
  t.diagnostic(`seed ${seed}`)
  const place = fc
    .uint8Array({ minLength: 8, maxLength: 24 })
    .chain((data) => fc.record({ data: fc.constant(data), at: fc.nat(data.length - 8) }))
  fc.assert(
    fc.property(place, ({ data, at }) => {
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
      assert.equal(bytes.getU16LE(data, at), view.getUint16(at, true))
      assert.equal(bytes.getU16BE(data, at), view.getUint16(at))
      assert.equal(bytes.getI32LE(data, at), view.getInt32(at, true))
      assert.equal(bytes.getI32BE(data, at), view.getInt32(at))
      assert.equal(bytes.getU32LE(data, at), view.getUint32(at, true))
      assert.equal(bytes.getU32BE(data, at), view.getUint32(at))
      assert.equal(bytes.getU64LE(data, at), view.getBigUint64(at, true))
      assert.equal(bytes.getU64BE(data, at), view.getBigUint64(at))
      const copy = new Uint8Array(data.length)
      copy.set(data.subarray(0, at))
      copy.set(data.subarray(at + 8), at + 8)
      const puts: ((target: Uint8Array) => void)[] = [
        (target) => bytes.putU64LE(target, at, view.getBigInt64(at, true)),
        (target) => bytes.putU64BE(target, at, view.getBigUint64(at)),
        (target) => {
          bytes.putU32LE(target, at, view.getInt32(at, true))
          bytes.putU32BE(target, at + 4, view.getUint32(at + 4))
        },
        (target) => {
          bytes.putU16LE(target, at, view.getInt16(at, true))
          bytes.putU16BE(target, at + 2, view.getUint16(at + 2))
          bytes.putU32BE(target, at + 4, view.getInt32(at + 4))
        },
      ]
      for (const put of puts) {
        const target = copy.slice()
        put(target)
        assert.deepEqual(target, data)
      }
    }),
    { seed, numRuns: 1000 },
  )
})

test('big integers agree with hex', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(someBytes, (data) => {
      const value = BigInt(`0x0${Buffer.from(data).toString('hex')}`)
      assert.equal(bytes.bytesToBigint(data), value)
      assert.deepEqual(bytes.bigintToBytes(value, data.length), data)
      assert.throws(() => bytes.bigintToBytes(value + (1n << BigInt(data.length * 8)), data.length), RangeError)
      assert.throws(() => bytes.bigintToBytes(-value - 1n, data.length), RangeError)
    }),
    { seed, numRuns: 1000 },
  )
})

test('comparison and concatenation agree with Buffer', (t) => {
  t.diagnostic(`seed ${seed}`)
  const pair = fc.tuple(someBytes, someBytes, fc.boolean()).map(([a, b, same]) => [a, same ? a.slice() : b] as const)
  fc.assert(
    fc.property(pair, someBytes, ([a, b], c) => {
      assert.equal(Math.sign(bytes.compareBytes(a, b)), Buffer.compare(a, b))
      assert.equal(bytes.bytesEqual(a, b), Buffer.compare(a, b) === 0)
      assert.deepEqual(bytes.concatBytes([a, b, c]), new Uint8Array(Buffer.concat([a, b, c])))
    }),
    { seed, numRuns: 1000 },
  )
})

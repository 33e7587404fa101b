import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc16 as coreCrc16, crc32c as coreCrc32c } from '@ton/core'
import fc from 'fast-check'
import { getU16BE, getU32LE } from './bytes.ts'
import { crc16, crc32c } from './crc.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const bytes = fc.uint8Array({ maxLength: 200 })

test('CRC-32C agrees with @ton/core on any range', (t) => {
  t.diagnostic(`seed ${seed}`)
  const range = fc.tuple(bytes, fc.nat(200), fc.nat(200))
  fc.assert(
    fc.property(range, ([data, a, b]) => {
      const [start, end] = [Math.min(a, b, data.length), Math.min(Math.max(a, b), data.length)]
      assert.equal(crc32c(data, start, end), getU32LE(coreCrc32c(Buffer.from(data.slice(start, end))), 0))
    }),
    { seed, numRuns: 2000 },
  )
})

test('CRC-16 agrees with @ton/core', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(bytes, (data) => assert.equal(crc16(data), getU16BE(coreCrc16(Buffer.from(data)), 0))),
    { seed, numRuns: 1000 },
  )
})

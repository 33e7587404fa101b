import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ContentError } from './ContentError.ts'
import { decodeUtf8, decodeUtf8Lossy, encodeUtf8, findUtf8 } from './utf8.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('bytes that are not UTF-8 are an error, or are replaced, as asked', () => {
  const cases: [number[], string][] = [
    [[0xff], '\ufffd'],
    [[0x41, 0xc3], 'A\ufffd'],
    [[0xc0, 0x80], '\ufffd\ufffd'],
    [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    [[0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  ]
  for (const [bytes, replaced] of cases) {
    assert.throws(() => decodeUtf8(Uint8Array.from(bytes)), ContentError)
    assert.equal(findUtf8(Uint8Array.from(bytes)), undefined)
    assert.equal(decodeUtf8Lossy(Uint8Array.from(bytes)), replaced)
  }
})

test('NUL and the byte order mark are characters like any other', () => {
  const text = '\ufeffa\u0000b'
  assert.equal(decodeUtf8(encodeUtf8(text)), text)
  assert.equal(decodeUtf8Lossy(encodeUtf8(text)), text)
  assert.equal(decodeUtf8(new Uint8Array(0)), '')
})

test('any text comes back, and any bytes are text or refused', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(decodeUtf8(encodeUtf8(text)), text)),
    { seed },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = findUtf8(bytes)
      if (text !== undefined) assert.deepEqual(encodeUtf8(text), bytes)
      assert.equal(decodeUtf8Lossy(bytes), Buffer.from(bytes).toString('utf8'))
    }),
    { seed, numRuns: 1000 },
  )
})

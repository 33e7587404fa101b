import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from './hex.ts'
import { LANE_STRIDE, LANES, MAX_LANE_BYTES, Sha256Lanes } from './sha256Lanes.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const lanes = new Sha256Lanes()

const hashTogether = (messages: readonly Uint8Array[]): string[] => {
  const blocks = messages.map((message, lane) => {
    lanes.bytes.set(message, lane * LANE_STRIDE)
    return lanes.end(lane, message.length)
  })
  lanes.hash(Math.max(...blocks))
  const out = new Uint8Array(40)
  return messages.map((_, lane) => {
    lanes.copyDigest(lane, blocks[lane]!, new DataView(out.buffer), 5)
    return toHex(out.subarray(5, 37))
  })
}

const expected = (message: Uint8Array): string => createHash('sha256').update(message).digest('hex')

const fill = (length: number, from: number): Uint8Array => Uint8Array.from({ length }, (_, k) => from + 7 * k)

test('messages of every length, each in every lane', () => {
  for (let length = 0; length <= MAX_LANE_BYTES; length++) {
    const messages = Array.from({ length: LANES }, (_, lane) => fill((length + 97 * lane) % (MAX_LANE_BYTES + 1), lane))
    assert.deepEqual(hashTogether(messages), messages.map(expected), `${length} bytes`)
  }
})

test('fewer messages than lanes', () => {
  const message = new TextEncoder().encode('abc')
  assert.deepEqual(hashTogether([message]), ['ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'])
  assert.deepEqual(hashTogether([message, fill(200, 3)]), [message, fill(200, 3)].map(expected))
})

test('any messages', (t) => {
  t.diagnostic(`seed ${seed}`)
  const messages = fc.array(fc.uint8Array({ maxLength: MAX_LANE_BYTES, size: 'max' }), {
    minLength: 1,
    maxLength: LANES,
  })
  fc.assert(
    fc.property(messages, (given) => assert.deepEqual(hashTogether(given), given.map(expected))),
    { seed, numRuns: 500 },
  )
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { concatBytes, putU32LE } from '../primitives/bytes.ts'
import { AdnlError } from './errors.ts'
import { encodeFrame, FrameDecoder, MAX_PAYLOAD } from './frames.ts'

const decodeAll = (stream: Uint8Array, step: number): Uint8Array[] => {
  const payloads: Uint8Array[] = []
  const decoder = new FrameDecoder((payload) => void payloads.push(payload))
  for (let at = 0; at < stream.length; at += step) decoder.push(stream.subarray(at, at + step))
  return payloads
}

describe('frames', () => {
  const payloads = [0, 1, 63, 64, 4096, 100_000].map((length) => new Uint8Array(length).fill(length & 0xff))
  const stream = concatBytes(payloads.map((payload) => encodeFrame(payload)))

  for (const step of [1, 7, 68, 5000, stream.length]) {
    it(`gives every payload back when the stream comes in pieces of ${step} bytes`, () => {
      assert.deepEqual(decodeAll(stream, step), payloads)
    })
  }

  it('has the size that the protocol states', () => {
    const frame = encodeFrame(new Uint8Array(12))
    assert.equal(frame.length, 4 + 64 + 12)
    assert.deepEqual([...frame.subarray(0, 4)], [76, 0, 0, 0])
  })

  for (const length of [0, 32, 63, (1 << 24) + 1, 0xffffffff]) {
    it(`refuses a packet that announces ${length} bytes`, () => {
      const head = new Uint8Array(4)
      putU32LE(head, 0, length)
      assert.throws(() => decodeAll(head, 4), AdnlError)
    })
  }

  it('refuses any changed byte behind the length', () => {
    const frame = encodeFrame(Uint8Array.of(1, 2, 3))
    for (let at = 4; at < frame.length; at++) {
      const broken = frame.slice()
      broken[at]! ^= 1
      assert.throws(() => decodeAll(broken, broken.length), AdnlError)
    }
  })

  it('refuses to send what no receiver would take', () => {
    assert.throws(() => encodeFrame(new Uint8Array(MAX_PAYLOAD + 1)), AdnlError)
  })
})

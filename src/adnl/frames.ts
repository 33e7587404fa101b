import { randomFillSync } from 'node:crypto'
import { concatBytes, getU32LE, putU32LE } from '../primitives/bytes.ts'
import { sha256Into } from '../primitives/hash.ts'
import { AdnlError } from './errors.ts'

const NONCE = 32
const OVERHEAD = 64
export const MAX_FRAME = 1 << 24
export const MAX_PAYLOAD = MAX_FRAME - OVERHEAD

// Nonces need not be secret or unpredictable to anyone but the keystream, so they are drawn many at a time.
const nonces = new Uint8Array(NONCE * 256)
let nextNonce = nonces.length

const takeNonce = (): Uint8Array => {
  if (nextNonce === nonces.length) {
    randomFillSync(nonces)
    nextNonce = 0
  }
  nextNonce += NONCE
  return nonces.subarray(nextNonce - NONCE, nextNonce)
}

/** A packet as it goes into the cipher: length, nonce, payload, checksum. */
export const encodeFrame = (payload: Uint8Array, nonce: Uint8Array = takeNonce()): Uint8Array => {
  if (payload.length > MAX_PAYLOAD) {
    throw new AdnlError(`A packet carries at most ${MAX_PAYLOAD} bytes, ${payload.length} were to be sent.`)
  }
  const length = OVERHEAD + payload.length
  const frame = new Uint8Array(4 + length)
  putU32LE(frame, 0, length)
  frame.set(nonce, 4)
  frame.set(payload, 4 + NONCE)
  putChecksum(frame, 4, 4 + NONCE + payload.length, frame, 4 + NONCE + payload.length)
  return frame
}

/**
 * Cuts a decrypted stream into payloads, however it arrives. A frame's memory is taken as its bytes come in, so a stated
 * length costs nothing by itself.
 */
export class FrameDecoder {
  private readonly maxFrame: number
  private chunks: Uint8Array[] = []
  private buffered = 0
  private needed = 4
  private readonly onPayload: (payload: Uint8Array) => void

  constructor(onPayload: (payload: Uint8Array) => void, maxFrame: number = MAX_FRAME) {
    this.onPayload = onPayload
    this.maxFrame = maxFrame
  }

  /** Takes the next part of the stream; throws where it cannot be right, after which the connection is of no more use. */
  push(chunk: Uint8Array): void {
    this.chunks.push(chunk)
    this.buffered += chunk.length
    if (this.buffered < this.needed) return
    const bytes = this.chunks.length === 1 ? chunk : concatBytes(this.chunks)
    let at = 0
    for (;;) {
      const left = bytes.length - at
      if (left < 4) {
        this.needed = 4
        break
      }
      const length = getU32LE(bytes, at)
      if (length < OVERHEAD || length > this.maxFrame) {
        throw new AdnlError(`A packet has ${OVERHEAD} to ${this.maxFrame} bytes, the other end announced ${length}.`)
      }
      if (left < 4 + length) {
        this.needed = 4 + length
        break
      }
      this.onPayload(checkFrame(bytes, at + 4, length))
      at += 4 + length
    }
    this.chunks = at === bytes.length ? [] : [bytes.subarray(at)]
    this.buffered = bytes.length - at
  }
}

const checkFrame = (bytes: Uint8Array, start: number, length: number): Uint8Array => {
  const end = start + length - 32
  putChecksum(bytes, start, end, checksum, 0)
  for (let k = 0; k < 32; k++) {
    if (checksum[k] === bytes[end + k]) continue

    throw new AdnlError('A packet does not have the checksum that it carries.')
  }
  return bytes.subarray(start + NONCE, end)
}

const checksum = new Uint8Array(32)

const putChecksum = (bytes: Uint8Array, start: number, end: number, out: Uint8Array, at: number): void =>
  sha256Into(bytes.subarray(start, end), out, at)

import { hash } from 'node:crypto'

const HASH_BYTES = 32

/** One-shot SHA-256 of any number of bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(HASH_BYTES)
  sha256Into(bytes, out, 0)
  return out
}

/**
 * SHA-256 of the bytes, written to `out` at `outAt`. Nearly all that is hashed here are cells of some hundred bytes or fewer, and for
 * these the way back from the native side counts most: as text, a character a byte, a digest costs a third of what it does as a buffer.
 */
export const sha256Into = (bytes: Uint8Array, out: Uint8Array, outAt: number): void => {
  const digest = hash('sha256', bytes, 'binary')
  for (let k = 0; k < HASH_BYTES; k++) out[outAt + k] = digest.charCodeAt(k)
}

// The hash functions by which PostgreSQL, and Citus with it, spreads values of bytea and bigint: Bob Jenkins's lookup3, as PostgreSQL
// starts it.

const START = 0x9e3779b9 + 3_923_095

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** Mixes the last words and returns the hash, as a signed number. */
const finish = (first: number, second: number, third: number): number => {
  let [a, b, c] = [first, second, third]
  c = (c ^ b) - rotate(b, 14)
  a = (a ^ c) - rotate(c, 11)
  b = (b ^ a) - rotate(a, 25)
  c = (c ^ b) - rotate(b, 16)
  a = (a ^ c) - rotate(c, 4)
  b = (b ^ a) - rotate(a, 14)
  return ((c ^ b) - rotate(b, 24)) | 0
}

const wordAt = (bytes: Uint8Array, at: number, end: number): number => {
  let word = 0
  for (let k = 0; k < 4 && at + k < end; k++) word |= bytes[at + k]! << (8 * k)
  return word
}

/** As `hashbytea` does. */
export const hashBytes = (bytes: Uint8Array): number => {
  const { length } = bytes
  let a = (START + length) | 0
  let [b, c] = [a, a]
  let at = 0
  for (; length - at >= 12; at += 12) {
    a = (a + wordAt(bytes, at, length)) | 0
    b = (b + wordAt(bytes, at + 4, length)) | 0
    c = (c + wordAt(bytes, at + 8, length)) | 0
    a = ((a - c) ^ rotate(c, 4)) | 0
    c = (c + b) | 0
    b = ((b - a) ^ rotate(a, 6)) | 0
    a = (a + c) | 0
    c = ((c - b) ^ rotate(b, 8)) | 0
    b = (b + a) | 0
    a = ((a - c) ^ rotate(c, 16)) | 0
    c = (c + b) | 0
    b = ((b - a) ^ rotate(a, 19)) | 0
    a = (a + c) | 0
    c = ((c - b) ^ rotate(b, 4)) | 0
    b = (b + a) | 0
  }
  a = (a + wordAt(bytes, at, length)) | 0
  b = (b + wordAt(bytes, at + 4, length)) | 0
  // The lowest byte of the last word is that of the length.
  c = (c + (wordAt(bytes, at + 8, length) << 8)) | 0
  return finish(a, b, c)
}

/** As `hashint8` does: small values have the hash of the same number in 32 bits. */
export const hashBigint = (value: bigint): number => {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  const start = (START + 4) | 0
  return finish((start + (low ^ (value >= 0n ? high : ~high))) | 0, start, start)
}

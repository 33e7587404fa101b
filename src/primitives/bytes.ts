/** Same length and same content. */
export const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Negative, zero or positive as `a` sorts before, with or after `b`: byte by byte, and a prefix comes first. */
export const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = a[i]! - b[i]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** A new array with all parts one after another. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

// Integers in byte arrays. Bounds are the caller's to check: these are the inner loops of every binary reader and writer.
// A `put` keeps the low bits of its value, so it takes signed and unsigned numbers alike.

// Making a DataView costs ten times one of these reads, so 64-bit words pass through a single one.
const word = new DataView(new ArrayBuffer(8))

const joinWord = (high: number, low: number): bigint => {
  word.setInt32(0, high)
  word.setInt32(4, low)
  return word.getBigUint64(0)
}

export const getU16LE = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8)

export const getU16BE = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!

export const getI32LE = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)

export const getI32BE = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!

export const getU32LE = (bytes: Uint8Array, at: number): number => getI32LE(bytes, at) >>> 0

export const getU32BE = (bytes: Uint8Array, at: number): number => getI32BE(bytes, at) >>> 0

export const getU64LE = (bytes: Uint8Array, at: number): bigint =>
  joinWord(getI32LE(bytes, at + 4), getI32LE(bytes, at))

export const getU64BE = (bytes: Uint8Array, at: number): bigint =>
  joinWord(getI32BE(bytes, at), getI32BE(bytes, at + 4))

export const getI64BE = (bytes: Uint8Array, at: number): bigint => {
  word.setInt32(0, getI32BE(bytes, at))
  word.setInt32(4, getI32BE(bytes, at + 4))
  return word.getBigInt64(0)
}

export const putU16LE = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
}

export const putU16BE = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
}

export const putU32LE = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}

export const putU32BE = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

export const putU64LE = (bytes: Uint8Array, at: number, value: bigint): void => {
  word.setBigUint64(0, value)
  putU32LE(bytes, at, word.getInt32(4))
  putU32LE(bytes, at + 4, word.getInt32(0))
}

export const putU64BE = (bytes: Uint8Array, at: number, value: bigint): void => {
  word.setBigUint64(0, value)
  putU32BE(bytes, at, word.getInt32(0))
  putU32BE(bytes, at + 4, word.getInt32(4))
}

/** The unsigned big-endian integer that fills `bytes`. */
export const bytesToBigint = (bytes: Uint8Array): bigint => {
  const head = bytes.length & 7
  let high = 0
  let low = 0
  for (let i = 0; i < head; i++) {
    high = (high << 8) | (low >>> 24)
    low = (low << 8) | bytes[i]!
  }
  let value = joinWord(high, low)
  for (let i = head; i < bytes.length; i += 8) value = (value << 64n) | getU64BE(bytes, i)
  return value
}

/** `value` as an unsigned big-endian integer of `length` bytes. One that does not fit is a bug of the caller: RangeError. */
export const bigintToBytes = (value: bigint, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let rest = value
  let end = length
  for (; end > 8; end -= 8) {
    putU64BE(bytes, end - 8, rest)
    rest >>= 64n
  }
  if (BigInt.asUintN(end * 8, rest) !== rest) {
    throw new RangeError(`Expected an unsigned integer of ${length} bytes, but got ${value}`)
  }
  word.setBigUint64(0, rest)
  let high = word.getInt32(0)
  let low = word.getInt32(4)
  for (let i = end - 1; i >= 0; i--) {
    bytes[i] = low
    low = (low >>> 8) | (high << 24)
    high >>>= 8
  }
  return bytes
}

/**
 * A copy of `bytes` whose first `count` bits are those of `prefix`: how an anycast rewrite, or the free prefix of a contract's
 * address, turns one account id into another.
 */
export const replaceLeadingBits = (bytes: Uint8Array, prefix: Uint8Array, count: number): Uint8Array => {
  const replaced = bytes.slice()
  const wholeBytes = count >>> 3
  replaced.set(prefix.subarray(0, wholeBytes))
  const rest = count & 7
  if (rest !== 0) {
    const kept = 0xff >>> rest
    replaced[wholeBytes] = (prefix[wholeBytes]! & ~kept) | (bytes[wholeBytes]! & kept)
  }
  return replaced
}

type Slice = (this: Uint8Array, start: number, end: number) => string

/**
 * The natives behind `Buffer.toString`, for any bytes. Skipping its type check and its lookup of the encoding halves the time for a
 * hash.
 */
export const { hexSlice, base64Slice, base64urlSlice, latin1Slice, utf8Slice } = Buffer.prototype as unknown as {
  readonly hexSlice: Slice
  readonly base64Slice: Slice
  readonly base64urlSlice: Slice
  readonly latin1Slice: Slice
  readonly utf8Slice: Slice
}

/** The native behind `Buffer.write`, with the number of bytes that it wrote. */
export const { utf8Write } = Buffer.prototype as unknown as {
  readonly utf8Write: (this: Uint8Array, text: string, at: number) => number
}

/** Bits at any offset of a byte array: the innermost loops of slices and builders. */

const words32 = new Uint32Array(2)
const words64 = new BigUint64Array(words32.buffer)
// Which half of a 64-bit word the host stores first.
const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1
const HIGH = 1 - LOW

/** `count` bits (1 to 32) from bit `at` on, as an unsigned number. */
export const peekBits = (bytes: Uint8Array, at: number, count: number): number => {
  const p = at >> 3
  const shift = at & 7
  let word = (bytes[p]! << 24) | (bytes[p + 1]! << 16) | (bytes[p + 2]! << 8) | bytes[p + 3]!
  if (shift !== 0) word = (word << shift) | (bytes[p + 4]! >> (8 - shift))
  return word >>> (32 - count)
}

/** `count` bits (0 to 53) as an unsigned number. */
const peekNumber = (bytes: Uint8Array, at: number, count: number): number => {
  if (count === 0) return 0
  if (count <= 32) return peekBits(bytes, at, count)
  return peekBits(bytes, at, count - 32) * 0x1_0000_0000 + peekBits(bytes, at + count - 32, 32)
}

const peekWord = (bytes: Uint8Array, at: number): bigint => {
  words32[HIGH] = peekBits(bytes, at, 32)
  words32[LOW] = peekBits(bytes, at + 32, 32)
  return words64[0]!
}

const peekWide = (bytes: Uint8Array, at: number, count: number): bigint => {
  const first = count & 63
  let value = 0n
  let from = at
  if (first !== 0) {
    words32[HIGH] = first > 32 ? peekBits(bytes, at, first - 32) : 0
    words32[LOW] = first > 32 ? peekBits(bytes, at + first - 32, 32) : peekBits(bytes, at, first)
    value = words64[0]!
    from += first
  } else {
    value = peekWord(bytes, at)
    from += 64
  }
  for (const end = at + count; from < end; from += 64) value = (value << 64n) | peekWord(bytes, from)
  return value
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** A big integer as the machine keeps it: a number where it is a safe integer. */
export const shrink = (value: bigint): number | bigint =>
  value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : value

/** `count` bits (0 to 256) as an unsigned integer. */
export const peekUint = (bytes: Uint8Array, at: number, count: number): number | bigint =>
  count <= 53 ? peekNumber(bytes, at, count) : shrink(peekWide(bytes, at, count))

/** `count` bits (0 to 257) in two's complement. */
export const peekInt = (bytes: Uint8Array, at: number, count: number): number | bigint => {
  if (count <= 53) {
    const value = peekNumber(bytes, at, count)
    return count === 0 || peekBits(bytes, at, 1) === 0 ? value : value - 2 ** count
  }
  return shrink(BigInt.asIntN(count, peekWide(bytes, at, count)))
}

/** Writes the low `count` bits (1 to 32) of `value` at bit `at`, where zeros stand. Up to four bytes behind are touched. */
export const putBits = (bytes: Uint8Array, at: number, value: number, count: number): void => {
  const p = at >> 3
  const shift = at & 7
  const left = value << (32 - count)
  const high = left >>> shift
  bytes[p]! |= high >>> 24
  bytes[p + 1]! |= (high >>> 16) & 0xff
  bytes[p + 2]! |= (high >>> 8) & 0xff
  bytes[p + 3]! |= high & 0xff
  if (shift !== 0) bytes[p + 4]! |= (left << (8 - shift)) & 0xff
}

/** Writes an integer that fits `count` bits, signed or unsigned, at bit `at`, where zeros stand. */
export const putInteger = (bytes: Uint8Array, at: number, value: number | bigint, count: number): void => {
  if (typeof value === 'bigint') putWide(bytes, at, value, count)
  else putNumber(bytes, at, value, count)
}

const putNumber = (bytes: Uint8Array, at: number, value: number, count: number): void => {
  let rest = value
  let end = at + count
  while (end - at > 32) {
    const high = Math.floor(rest / 0x1_0000_0000)
    end -= 32
    putBits(bytes, end, rest - high * 0x1_0000_0000, 32)
    rest = high
  }
  if (end > at) putBits(bytes, at, rest, end - at)
}

const putWide = (bytes: Uint8Array, at: number, value: bigint, count: number): void => {
  let rest = value
  let end = at + count
  while (end - at >= 64) {
    words64[0] = BigInt.asUintN(64, rest)
    end -= 64
    putBits(bytes, end, words32[HIGH]!, 32)
    putBits(bytes, end + 32, words32[LOW]!, 32)
    rest >>= 64n
  }
  const left = end - at
  if (left === 0) return
  words64[0] = BigInt.asUintN(64, rest)
  if (left > 32) {
    putBits(bytes, at, words32[HIGH]!, left - 32)
    putBits(bytes, at + left - 32, words32[LOW]!, 32)
  } else putBits(bytes, at, words32[LOW]!, left)
}

/** Copies `count` bits to bit `to` of `out`, where zeros stand. */
export const copyBits = (from: Uint8Array, fromAt: number, out: Uint8Array, to: number, count: number): void => {
  let done = 0
  if (((fromAt | to) & 7) === 0) {
    const whole = count >> 3
    const source = fromAt >> 3
    const target = to >> 3
    for (let k = 0; k < whole; k++) out[target + k] = from[source + k]!
    done = whole << 3
  }
  for (; count - done >= 32; done += 32) putBits(out, to + done, peekBits(from, fromAt + done, 32), 32)
  if (done < count) putBits(out, to + done, peekBits(from, fromAt + done, count - done), count - done)
}

/** The first bit offset below `count` at which the two differ, or `count`. */
export const firstDifferentBit = (a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, count: number): number => {
  for (let done = 0; done < count; done += 32) {
    const take = Math.min(32, count - done)
    const difference = (peekBits(a, aAt + done, take) ^ peekBits(b, bAt + done, take)) >>> 0
    if (difference !== 0) return done + Math.clz32(difference) - (32 - take)
  }
  return count
}

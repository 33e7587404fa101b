import { shrink } from './bits.ts'
import { fault, INTEGER_OVERFLOW } from './faults.ts'
import type { Vm } from './Vm.ts'
import type { Integer } from './values.ts'

/** Arithmetic on integers as the machine keeps them: numbers while they are safe, bigints beyond, `NaN` for NaN. */

// biome-ignore lint/suspicious/noSelfCompare: the fastest test for NaN
export const isNan = (value: Integer): boolean => value !== value

export const toBig = (value: Integer): bigint => (typeof value === 'bigint' ? value : BigInt(value))

/** Pushes a result. What does not fit 257 bits, and NaN, is an overflow, or NaN for the quiet forms. */
export const pushInteger = (vm: Vm, value: Integer, quiet: boolean): void => {
  if (typeof value === 'number') {
    if (isNan(value) && !quiet) fault(INTEGER_OVERFLOW)
    vm.stack.push(value)
  } else if (BigInt.asIntN(257, value) === value) vm.stack.push(shrink(value))
  else if (quiet) vm.stack.push(Number.NaN)
  else fault(INTEGER_OVERFLOW)
}

export const add = (x: Integer, y: Integer): Integer => {
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y
    if (Number.isSafeInteger(sum) || isNan(sum)) return sum
  }
  return isNan(x) || isNan(y) ? Number.NaN : toBig(x) + toBig(y)
}

export const subtract = (x: Integer, y: Integer): Integer => {
  if (typeof x === 'number' && typeof y === 'number') {
    const difference = x - y
    if (Number.isSafeInteger(difference) || isNan(difference)) return difference
  }
  return isNan(x) || isNan(y) ? Number.NaN : toBig(x) - toBig(y)
}

export const multiply = (x: Integer, y: Integer): Integer => {
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y
    // Adding zero makes a zero of either sign a positive one.
    if (Number.isSafeInteger(product) || isNan(product)) return product + 0
  }
  return isNan(x) || isNan(y) ? Number.NaN : toBig(x) * toBig(y)
}

export const negate = (x: Integer): Integer => (typeof x === 'number' ? 0 - x : -x)

export const compare = (x: Integer, y: Integer): number => (x < y ? -1 : x > y ? 1 : 0)

export type Rounding = 'floor' | 'nearest' | 'ceiling'

export type Division = { readonly quotient: Integer; readonly remainder: Integer }

const NAN_DIVISION: Division = { quotient: Number.NaN, remainder: Number.NaN }

/** Quotient and remainder; halves are rounded up. The remainder is what the rounded quotient leaves. */
export const divide = (x: Integer, y: Integer, rounding: Rounding): Division => {
  if (isNan(x) || isNan(y) || y === 0 || y === 0n) return NAN_DIVISION
  if (typeof x === 'number' && typeof y === 'number') return divideNumbers(x, y, rounding)
  return divideBig(toBig(x), toBig(y), rounding)
}

const divideNumbers = (x: number, y: number, rounding: Rounding): Division => {
  let remainder = x % y
  let quotient = (x - remainder) / y
  if (remainder !== 0 && remainder < 0 !== y < 0) {
    remainder += y
    quotient -= 1
  }
  if (
    remainder !== 0 &&
    (rounding === 'ceiling' || (rounding === 'nearest' && Math.abs(2 * remainder) >= Math.abs(y)))
  ) {
    remainder -= y
    quotient += 1
  }
  return { quotient: quotient + 0, remainder: remainder + 0 }
}

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)

const divideBig = (x: bigint, y: bigint, rounding: Rounding): Division => {
  let remainder = x % y
  let quotient = (x - remainder) / y
  if (remainder !== 0n && remainder < 0n !== y < 0n) {
    remainder += y
    quotient -= 1n
  }
  if (
    remainder !== 0n &&
    (rounding === 'ceiling' || (rounding === 'nearest' && magnitude(2n * remainder) >= magnitude(y)))
  ) {
    remainder -= y
    quotient += 1n
  }
  return { quotient, remainder }
}

/** x·2^bits for a finite x. */
export const shiftLeft = (x: Integer, bits: number): Integer => {
  if (typeof x === 'number' && bits <= 52) {
    const shifted = x * 2 ** bits
    if (Number.isSafeInteger(shifted)) return shifted
  }
  return toBig(x) << BigInt(bits)
}

/** floor(x / 2^bits) for a finite x. */
export const shiftRight = (x: Integer, bits: number): Integer => {
  if (typeof x === 'number') return bits > 1023 ? (x < 0 ? -1 : 0) : Math.floor(x / 2 ** bits)
  return x >> BigInt(bits)
}

/** Bits of one word of the reference's big integers. */
export const WORD_BITS = 52

/**
 * NaN shifted left by versions that do not look for it: an integer without words, which gets zeros from below as soon as a whole
 * word is shifted in. `words` is how many it can have.
 */
export const shiftNanLeft = (bits: number, words: number): number => {
  const shifted = Math.floor(bits / WORD_BITS)
  return shifted === 0 || shifted > words ? Number.NaN : 0
}

/** The same shifted right: rounded down, far enough, it counts as negative. */
export const shiftNanRight = (bits: number, rounding: Rounding): number => {
  if (bits === 0) return Number.NaN
  return bits > 12 && rounding === 'floor' ? -1 : 0
}

/** 2^bits. */
export const powerOfTwo = (bits: number): Integer => (bits <= 52 ? 2 ** bits : 1n << BigInt(bits))

export const fitsSigned = (x: Integer, bits: number): boolean => {
  if (typeof x === 'bigint') return BigInt.asIntN(bits, x) === x
  if (isNan(x)) return false
  if (bits === 0) return x === 0
  return bits > 53 || (x >= -(2 ** (bits - 1)) && x < 2 ** (bits - 1))
}

export const fitsUnsigned = (x: Integer, bits: number): boolean => {
  if (typeof x === 'bigint') return x >= 0n && BigInt.asUintN(bits, x) === x
  return x >= 0 && (bits > 53 || x < 2 ** bits)
}

/** The least number of bits that an integer fits in two's complement; 0 for 0. */
export const signedSize = (x: Integer): number => {
  if (x === 0) return 0
  const value = toBig(x)
  return (value < 0n ? ~value : value).toString(2).replace(/^0$/, '').length + 1
}

/** The same without a sign, for what is not negative. */
export const unsignedSize = (x: Integer): number => (x === 0 ? 0 : toBig(x).toString(2).length)

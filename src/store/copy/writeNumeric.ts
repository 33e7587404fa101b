import type { ByteWriter } from './ByteWriter.ts'
import { RowValueError } from './errors.ts'

const NEGATIVE = 0x4000
const BASE = 10_000
// Twelve decimal digits, three of the base: a plain number holds them exactly, and would not hold four.
const CHUNK = 10n ** 12n
const DIGITS_PER_CHUNK = 3
const MAX_DIGITS = 32_767

// Filled from the end.
let digits = new Int16Array(128)

/** A whole number in the binary form of `numeric`: its digits to the base 10000, the most significant first. */
export const writeNumeric = (w: ByteWriter, value: bigint): void => {
  const isNegative = value < 0n
  let start = digits.length
  let rest = isNegative ? -value : value
  while (rest > 0n) {
    if (start < DIGITS_PER_CHUNK) start = growDigits(start)
    const isLast = rest < CHUNK
    let low = Number(isLast ? rest : rest % CHUNK)
    for (let k = 0; isLast ? low > 0 : k < DIGITS_PER_CHUNK; k++) {
      digits[--start] = low % BASE
      low = Math.floor(low / BASE)
    }
    rest = isLast ? 0n : rest / CHUNK
  }
  const count = digits.length - start
  if (count > MAX_DIGITS)
    throw new RowValueError(`A numeric cannot hold a number of more than ${MAX_DIGITS * 4} digits.`)
  w.reserve(8 + count * 2)
  w.int16(count)
  w.int16(count === 0 ? 0 : count - 1)
  w.int16(isNegative ? NEGATIVE : 0)
  w.int16(0)
  for (let k = start; k < digits.length; k++) w.int16(digits[k]!)
}

/** Twice the room, with what is there at its end again. Returns where that now begins. */
const growDigits = (start: number): number => {
  const grown = new Int16Array(digits.length * 2)
  grown.set(digits, digits.length)
  const moved = start + digits.length
  digits = grown
  return moved
}

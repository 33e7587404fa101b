import { CodedError } from '../../primitives/errors.ts'

const SPARE_BYTES = 64

/** A growing byte buffer. Numbers are big-endian, as in the PostgreSQL protocol. */
export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  #at = 0
  readonly #firstBytes: number

  constructor(firstBytes = 1 << 16) {
    this.#firstBytes = firstBytes
    this.#bytes = new Uint8Array(firstBytes)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#at
  }

  /** Ensures room for `count` bytes, once for all numbers of a value; the number writers do not check. */
  reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count + SPARE_BYTES))
    grown.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }

  int8(value: number): void {
    this.#bytes[this.#at++] = value
  }

  int16(value: number): void {
    this.#view.setInt16(this.#at, value)
    this.#at += 2
  }

  int32(value: number): void {
    this.#view.setInt32(this.#at, value)
    this.#at += 4
  }

  int64(value: bigint): void {
    this.#view.setBigInt64(this.#at, value)
    this.#at += 8
  }

  float64(value: number): void {
    this.#view.setFloat64(this.#at, value)
    this.#at += 8
  }

  /** Reserves its own room. */
  bytes(value: Uint8Array): void {
    this.reserve(value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  /** UTF-8 text. Reserves its own room and returns the number of bytes. */
  text(value: string): number {
    this.reserve(value.length * 3)
    const { length } = value
    // Most texts are short ASCII; for them the loop is faster than a call into the encoder.
    if (length <= SHORT_TEXT) {
      const start = this.#at
      for (let k = 0; k < length; k++) {
        const unit = value.charCodeAt(k)
        if (unit > 0x7f) {
          this.#at = start
          return this.#encode(value)
        }
        this.#bytes[this.#at++] = unit
      }
      return length
    }
    return this.#encode(value)
  }

  #encode(value: string): number {
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(this.#at))
    this.#at += written
    return written
  }

  /** Overwrites four bytes written before. */
  patchInt32(at: number, value: number): void {
    this.#view.setInt32(at, value)
  }

  /** Truncates to a length. */
  cutTo(length: number): void {
    this.#at = length
  }

  /** The bytes written so far, in a buffer of their own that can be transferred to another thread. The writer starts over. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#at) as Uint8Array<ArrayBuffer>
    this.#at = 0
    if (this.#bytes.length > this.#firstBytes * 16) {
      this.#bytes = new Uint8Array(this.#firstBytes)
      this.#view = new DataView(this.#bytes.buffer)
    }
    return taken
  }
}

const SHORT_TEXT = 48
const encoder = new TextEncoder()

/** A value does not fit the column that it is for. */
export class RowValueError extends CodedError {
  readonly code = 'row_value_invalid'
}

const NEGATIVE = 0x4000
const BASE = 10_000
// Twelve decimal digits, three base-10000 digits: a number holds them exactly, and would not hold four.
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

/** Doubles the buffer, keeping the digits at its end. Returns where they now begin. */
const growDigits = (start: number): number => {
  const grown = new Int16Array(digits.length * 2)
  grown.set(digits, digits.length)
  const moved = start + digits.length
  digits = grown
  return moved
}

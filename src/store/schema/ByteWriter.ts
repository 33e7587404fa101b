import { CodedError } from '../../primitives/errors.ts'

const SPARE_BYTES = 64

/** Bytes that grow at their end. Numbers are big-endian, as on the wire of the database. */
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

  /** Room for `count` bytes: asked for once for all the numbers of a value, which then are written without looking. */
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

  /** Reserves by itself. */
  bytes(value: Uint8Array): void {
    this.reserve(value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  /** Text in UTF-8. Reserves by itself, and returns how many bytes it took. */
  text(value: string): number {
    this.reserve(value.length * 3)
    const { length } = value
    // Most texts are short and plain; for them a call into the encoder costs more than the loop.
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

  /** Writes a number over four bytes that were written before. */
  patchInt32(at: number, value: number): void {
    this.#view.setInt32(at, value)
  }

  /** Forgets what came after a place. */
  cutTo(length: number): void {
    this.#at = length
  }

  /** All that was written, in a buffer of its own that can be handed to another thread. The writer begins anew. */
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

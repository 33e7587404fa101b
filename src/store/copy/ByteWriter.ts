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

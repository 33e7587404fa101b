import { formatTlId, TlError } from './TlError.ts'

/** The largest input a reader takes unless told otherwise; no ADNL packet is longer. */
export const MAX_TL_BYTES = 1 << 24

/** A `string` is text for people (error messages, host names); the node's longest carry a VM log of some kilobytes. */
export const MAX_TL_STRING_BYTES = 1 << 20

/** Items of one vector. The byte count bounds it too, but a four-byte item costs some forty bytes of memory. */
export const MAX_TL_VECTOR_ITEMS = 1 << 20

export const BOOL_TRUE_ID = 0x997275b5
export const BOOL_FALSE_ID = 0xbc799737

// A node may cut a message in the middle of a character, and its error code must survive that: no `fatal`.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * A cursor over TL bytes. Byte fields are views of the input: copy what outlives it.
 *
 * It takes what the reference node takes: a length prefix longer than needed and padding of any value are read (within
 * bounds), so such input does not encode back to the same bytes. Writers produce only the canonical form.
 */
export class TlReader {
  /** Position of the next unread byte. */
  offset = 0
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly end: number

  constructor(bytes: Uint8Array, maxBytes: number = MAX_TL_BYTES) {
    if (bytes.length > maxBytes) {
      throw new TlError('too_large', 0, `Expected at most ${maxBytes} bytes of input, got ${bytes.length}`)
    }
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.end = bytes.length
  }

  get remaining(): number {
    return this.end - this.offset
  }

  /** `int`, signed. */
  readInt(): number {
    return this.view.getInt32(this.take(4, 'int'), true)
  }

  /** `#`, and constructor ids. */
  readUint(): number {
    return this.view.getUint32(this.take(4, '#'), true)
  }

  /** `long`, signed. */
  readLong(): bigint {
    return this.view.getBigInt64(this.take(8, 'long'), true)
  }

  /** A `long` that carries an unsigned number: a shard. */
  readUlong(): bigint {
    return this.view.getBigUint64(this.take(8, 'long'), true)
  }

  readDouble(): number {
    return this.view.getFloat64(this.take(8, 'double'), true)
  }

  readInt128(): Uint8Array {
    return this.viewOf(this.take(16, 'int128'), 16)
  }

  readInt256(): Uint8Array {
    return this.viewOf(this.take(32, 'int256'), 32)
  }

  readBool(): boolean {
    const id = this.readUint()
    if (id === BOOL_TRUE_ID) return true
    if (id === BOOL_FALSE_ID) return false
    return this.fail('bad_value', this.offset - 4, `Expected Bool (0x997275b5 or 0xbc799737), got ${formatTlId(id)}`)
  }

  readBytes(): Uint8Array {
    const start = this.offset
    const length = this.readLength('bytes')
    return this.takeTail(start, length, 'bytes')
  }

  /** Bytes that are not UTF-8 come out as U+FFFD. */
  readString(): string {
    const start = this.offset
    const length = this.readLength('string')
    if (length > MAX_TL_STRING_BYTES) {
      const room = `Expected a string of at most ${MAX_TL_STRING_BYTES} bytes`
      this.fail('too_large', start, `${room}, its prefix says ${length}`)
    }
    return utf8.decode(this.takeTail(start, length, 'string'))
  }

  /** The count of a bare vector whose items take at least `minItemBytes` each; a lying count allocates nothing. */
  readCount(minItemBytes: number): number {
    const start = this.offset
    const count = this.readUint()
    if (count * minItemBytes > this.remaining) {
      const room = `only ${this.remaining} bytes follow (each item takes at least ${minItemBytes})`
      this.fail('bad_value', start, `Expected a vector that fits its input, got a count of ${count} where ${room}`)
    }
    if (count > MAX_TL_VECTOR_ITEMS) {
      const room = `Expected a vector of at most ${MAX_TL_VECTOR_ITEMS} items`
      this.fail('too_large', start, `${room}, got a count of ${count}`)
    }
    return count
  }

  /** Reads a constructor id that has to be this one. */
  expectId(id: number, name: string): void {
    const came = this.readUint()
    if (came !== id) this.failId(came, `${name} (${formatTlId(id)})`)
  }

  expectEnd(): void {
    if (this.offset !== this.end) {
      this.fail('trailing_bytes', this.offset, `Expected the end of the object, got ${this.remaining} more bytes`)
    }
  }

  /** For a constructor id that was just read and that nothing here knows. */
  failId(id: number, expected: string): never {
    return this.fail('unknown_constructor', this.offset - 4, `Expected ${expected}, got constructor ${formatTlId(id)}`)
  }

  private take(count: number, type: string): number {
    const start = this.offset
    if (count > this.end - start) {
      this.fail(
        'not_enough_bytes',
        start,
        `Expected ${count} more bytes for ${type}, only ${this.end - start} are left`,
      )
    }
    this.offset = start + count
    return start
  }

  // Leaves the cursor behind the first word (second, in the longest form), as the node does: its errors name it.
  private readLength(type: string): number {
    const at = this.take(4, type)
    const first = this.bytes[at] as number
    if (first < 254) return first
    const low = this.view.getUint32(at, true) >>> 8
    if (first === 254) return low
    // Above 2^53 the sum rounds, which is of no account: it is far beyond any input either way.
    return low + this.view.getUint32(this.take(4, type), true) * 0x100_0000
  }

  // The data behind a length prefix that began at `start`, with its padding taken too.
  private takeTail(start: number, length: number, type: string): Uint8Array {
    const first = this.bytes[start] as number
    const prefix = first < 254 ? 1 : first === 254 ? 4 : 8
    const end = start + prefix + length + (-(prefix + length) & 3)
    this.take(end - this.offset, type)
    return this.viewOf(start + prefix, length)
  }

  // Always a plain Uint8Array, also over a Buffer.
  private viewOf(at: number, length: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + at, length)
  }

  private fail(fault: TlError['fault'], offset: number, message: string): never {
    throw new TlError(fault, offset, message)
  }
}

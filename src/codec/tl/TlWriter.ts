import { TlError } from './TlError.ts'
import { BOOL_FALSE_ID, BOOL_TRUE_ID, MAX_TL_STRING_BYTES, MAX_TL_VECTOR_ITEMS } from './TlReader.ts'

const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n
const MAX_ULONG = 2n ** 64n - 1n
const MAX_BUFFER_BYTES = 2 ** 31 - 1

const utf8 = new TextEncoder()

// Small objects share a chunk: making a buffer costs ten times what filling it does. A writer reserves a piece, and
// gives back what it did not use. No byte is given out again once written, so a piece is zero when it is given out.
const CHUNK_BYTES = 8192
const PIECE_BYTES = 256
let chunk = new Uint8Array(CHUNK_BYTES)
let chunkView = new DataView(chunk.buffer)
let chunkUsed = 0

/**
 * Appends TL to a buffer that grows. Values that TL cannot carry (a number out of range, a hash of the wrong length)
 * throw. The buffer is zero beyond the end, so padding is a matter of moving on.
 */
export class TlWriter {
  private bytes: Uint8Array
  private view: DataView
  private start: number
  private position: number
  private limit: number

  constructor() {
    // By its own length: it is zero if someone transferred the buffer away after all.
    if (chunkUsed + PIECE_BYTES > chunk.length) {
      chunk = new Uint8Array(CHUNK_BYTES)
      chunkView = new DataView(chunk.buffer)
      chunkUsed = 0
    }
    this.bytes = chunk
    this.view = chunkView
    this.start = chunkUsed
    this.position = chunkUsed
    chunkUsed += PIECE_BYTES
    this.limit = chunkUsed
  }

  /** Bytes written so far. */
  get offset(): number {
    return this.position - this.start
  }

  /** The written bytes. They may share memory with other encoded objects: pass on the view, never its `buffer`. */
  finish(): Uint8Array {
    if (this.bytes === chunk && this.limit === chunkUsed) chunkUsed = this.position
    this.limit = this.position
    return this.bytes.subarray(this.start, this.position)
  }

  /** `int`, signed. */
  writeInt(value: number): void {
    if ((value | 0) !== value) this.fail(`Expected an integer from -2^31 to 2^31 - 1 for int, got ${String(value)}`)
    const at = this.advance(4)
    this.view.setInt32(at, value, true)
  }

  /** `#`, and constructor ids. */
  writeUint(value: number): void {
    if (value >>> 0 !== value) this.fail(`Expected an integer from 0 to 2^32 - 1 for #, got ${String(value)}`)
    const at = this.advance(4)
    this.view.setUint32(at, value, true)
  }

  /** `long`, signed. */
  writeLong(value: bigint): void {
    if (typeof value !== 'bigint' || value < MIN_LONG || value > MAX_LONG) {
      this.fail(`Expected a bigint from -2^63 to 2^63 - 1 for long, got ${String(value)}`)
    }
    const at = this.advance(8)
    this.view.setBigInt64(at, value, true)
  }

  /** A `long` that carries an unsigned number: a shard. */
  writeUlong(value: bigint): void {
    if (typeof value !== 'bigint' || value < 0n || value > MAX_ULONG) {
      this.fail(`Expected a bigint from 0 to 2^64 - 1 for an unsigned long, got ${String(value)}`)
    }
    const at = this.advance(8)
    this.view.setBigUint64(at, value, true)
  }

  writeDouble(value: number): void {
    const at = this.advance(8)
    this.view.setFloat64(at, value, true)
  }

  writeInt128(value: Uint8Array): void {
    this.writeRaw(value, 16, 'int128')
  }

  writeInt256(value: Uint8Array): void {
    this.writeRaw(value, 32, 'int256')
  }

  writeBool(value: boolean): void {
    if (typeof value !== 'boolean') this.fail(`Expected a boolean for Bool, got ${typeof value}`)
    this.writeUint(value ? BOOL_TRUE_ID : BOOL_FALSE_ID)
  }

  writeBytes(value: Uint8Array): void {
    if (!(value instanceof Uint8Array)) this.fail(`Expected a Uint8Array for bytes, got ${typeof value}`)
    const length = value.length
    const prefix = length < 254 ? 1 : length < 0x100_0000 ? 4 : 8
    const at = this.advance(prefix + length + (-(prefix + length) & 3))
    if (prefix === 1) {
      this.bytes[at] = length
    } else if (prefix === 4) {
      this.view.setUint32(at, length * 0x100 + 254, true)
    } else {
      this.bytes[at] = 255
      // The buffer limit keeps the length within these four of the seven bytes.
      this.view.setUint32(at + 1, length, true)
    }
    this.bytes.set(value, at + prefix)
  }

  /** As UTF-8; half a surrogate pair becomes U+FFFD. */
  writeString(value: string): void {
    if (typeof value !== 'string') this.fail(`Expected a string, got ${typeof value}`)
    const encoded = utf8.encode(value)
    if (encoded.length > MAX_TL_STRING_BYTES) {
      const room = `Expected a string of at most ${MAX_TL_STRING_BYTES} bytes`
      throw new TlError('too_large', this.offset, `${room}, got ${encoded.length}`)
    }
    this.writeBytes(encoded)
  }

  /** The count of a bare vector; the items follow. */
  writeCount(count: number): void {
    if (count > MAX_TL_VECTOR_ITEMS) {
      const room = `Expected a vector of at most ${MAX_TL_VECTOR_ITEMS} items`
      throw new TlError('too_large', this.offset, `${room}, got ${count}`)
    }
    this.writeUint(count)
  }

  /** Bytes that are TL already: a function behind a prefix. */
  writeEncoded(bytes: Uint8Array): void {
    const at = this.advance(bytes.length)
    this.bytes.set(bytes, at)
  }

  fail(message: string): never {
    throw new TlError('bad_value', this.offset, message)
  }

  /** For a value whose `kind` is none of the constructors of its type. */
  failKind(typeName: string, value: unknown): never {
    const kind = (value as { readonly kind?: unknown } | undefined)?.kind
    return this.fail(`Expected a constructor of ${typeName}, got kind ${String(kind)}`)
  }

  private writeRaw(value: Uint8Array, length: number, type: string): void {
    if (!(value instanceof Uint8Array) || value.length !== length) {
      const came = value instanceof Uint8Array ? `${value.length} bytes` : typeof value
      this.fail(`Expected ${length} bytes for ${type}, got ${came}`)
    }
    const at = this.advance(length)
    this.bytes.set(value, at)
  }

  // Callers take the position before they touch `bytes` or `view`: growing replaces both.
  private advance(count: number): number {
    if (this.position + count > this.limit) this.grow(count)
    const at = this.position
    this.position = at + count
    return at
  }

  private grow(count: number): void {
    const used = this.offset
    const needed = used + count
    if (needed > MAX_BUFFER_BYTES) {
      throw new TlError('too_large', used, `Expected at most ${MAX_BUFFER_BYTES} bytes of output, got ${needed}`)
    }
    const bytes = new Uint8Array(Math.min(MAX_BUFFER_BYTES, Math.max(needed + 64, used * 2)))
    bytes.set(this.bytes.subarray(this.start, this.position))
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
    this.start = 0
    this.position = used
    this.limit = bytes.length
  }
}

import { toBase64 } from '../../../primitives/base64.ts'
import { utf8Write } from '../../../primitives/bytes.ts'

/** Names of members, as `"name":`. */
export type JsonNames<N extends string> = Readonly<Record<N, Uint8Array>>

/** Names must not need escapes. */
export const jsonNames = <N extends string>(...names: readonly N[]): JsonNames<N> =>
  Object.fromEntries(names.map((name) => [name, Buffer.from(`,"${name}":`)])) as unknown as JsonNames<N>

/** What was written is handed out as parts of larger buffers: a buffer of its own for each row costs more than to write the row. */
const BUFFER_BYTES = 128 * 1024
/** Room for an ordinary row. */
const ROW_BYTES = 8 * 1024
/** More than a name and a value of bounded length take. */
const MAX_MEMBER = 256
/** A longer text is turned into base64 faster by the engine. */
const SHORT_BASE64 = 512

const hexDigits = Buffer.from('0123456789ABCDEF')
const base64Digits = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
/** Two digits each, for twelve bits and for a byte: four digits are then one write instead of four. */
const base64Pairs = Uint16Array.from({ length: 4096 }, (_, k) => (base64Digits[k >> 6]! << 8) | base64Digits[k & 63]!)
const hexPairs = Uint16Array.from({ length: 256 }, (_, k) => (hexDigits[k >> 4]! << 8) | hexDigits[k & 15]!)
const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

const [QUOTE, COMMA, MINUS, ZERO, COLON, EQUALS, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x30, 0x3a, 0x3d, 0x5c]
const [FIRST_PRINTED, LAST_PRINTED] = [0x20, 0x7e]
const HASH_BYTES = 32
const ADDRESS_BYTES = 33
const BILLION = 1_000_000_000

/**
 * Writes the UTF-8 of JSON of many hashes, addresses and numbers: digits go straight into a buffer, without strings and objects in
 * between. A member whose value is undefined is omitted.
 */
export class JsonWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  /** The same bytes, for writes of several at a time. */
  #view = viewOf(this.#bytes)
  #at = 0
  /** Where the piece begins that is being written. */
  #start = 0
  /** The next member is the first of its object. */
  #isFirst = true

  /** What a function writes. Calls must not be nested. */
  write(write: (writer: this) => void): Uint8Array {
    const isUsed = this.#bytes.length > BUFFER_BYTES || this.#at > BUFFER_BYTES - ROW_BYTES
    if (isUsed) this.#use(Buffer.allocUnsafeSlow(BUFFER_BYTES))
    // What a function wrote that then failed is overwritten.
    this.#at = isUsed ? 0 : this.#start
    this.#start = this.#at
    write(this)
    const written = this.#bytes.subarray(this.#start, this.#at)
    this.#start = this.#at
    return written
  }

  /** How many bytes were written so far. */
  get length(): number {
    return this.#at - this.#start
  }

  /** What was written from there on. It stays as it is unless what is being written fails. */
  writtenFrom(from: number): Buffer {
    return this.#bytes.subarray(this.#start + from, this.#at)
  }

  /** Copies what was written from there on. */
  copyFrom(from: number, target: Uint8Array, at: number): void {
    this.#bytes.copy(target, at, this.#start + from, this.#at)
  }

  open(): this {
    this.#ensureRoom()
    this.#bytes[this.#at++] = 0x7b
    this.#isFirst = true
    return this
  }

  close(): void {
    this.#ensureRoom()
    this.#bytes[this.#at++] = 0x7d
    this.#isFirst = false
  }

  /** The name of a member whose value is written next. */
  name(name: Uint8Array): this {
    this.#ensureRoom()
    this.#put(name, this.#isFirst ? 1 : 0)
    this.#isFirst = false
    return this
  }

  /** A member that is a list. */
  list<T>(name: Uint8Array, items: readonly T[], writeItem: (item: T) => void): void {
    this.name(name)
    this.#bytes[this.#at++] = 0x5b
    for (let k = 0; k < items.length; k++) {
      if (k > 0) this.#bytes[this.#at++] = COMMA
      writeItem(items[k]!)
      this.#ensureRoom()
    }
    this.#bytes[this.#at++] = 0x5d
  }

  /** A hash in base64. */
  hash(name: Uint8Array, hash: Uint8Array | null | undefined): void {
    if (hash === undefined) return
    this.name(name)
    if (hash === null) this.#put(NULL)
    else if (hash.length === HASH_BYTES) this.#hash(hash)
    else this.#base64(hash)
  }

  /** Bytes of any length in base64. */
  base64(name: Uint8Array, value: Uint8Array): void {
    this.name(name)
    this.#base64(value)
  }

  /** The raw form of the key of an account; `other` is the text of any other key. */
  address(name: Uint8Array, key: Uint8Array | null, other: (key: Uint8Array) => string): void {
    this.name(name)
    if (key === null) this.#put(NULL)
    else if (key.length === ADDRESS_BYTES) this.#rawAddress(key)
    else this.#quote(other(key))
  }

  /** A number as text. */
  decimal(name: Uint8Array, value: bigint | number | null | undefined): void {
    if (value === undefined) return
    this.name(name)
    if (value === null) {
      this.#put(NULL)
      return
    }
    this.#bytes[this.#at++] = QUOTE
    const number = Number(value)
    if (Number.isSafeInteger(number)) this.#integer(number)
    else this.#ascii(String(value))
    this.#bytes[this.#at++] = QUOTE
  }

  number(name: Uint8Array, value: number | null | undefined): void {
    if (value === undefined) return
    this.name(name)
    if (value === null) this.#put(NULL)
    else this.#integer(value)
  }

  flag(name: Uint8Array, value: boolean | null | undefined): void {
    if (value === undefined) return
    this.name(name)
    this.#put(value === null ? NULL : value ? TRUE : FALSE)
  }

  text(name: Uint8Array, text: string | null | undefined): void {
    if (text === undefined) return
    this.name(name)
    if (text === null) this.#put(NULL)
    else this.#quote(text)
  }

  /** A member of which the JSON is known. */
  json(name: Uint8Array, json: string | undefined): void {
    if (json === undefined) return
    this.name(name)
    this.#utf8(json)
  }

  /** The value of a member of which the UTF-8 of the JSON is known: a part of `source`. */
  known(source: Buffer, from: number, end: number): void {
    this.#ensureRoom(end - from)
    this.#at += source.copy(this.#bytes, this.#at, from, end)
  }

  /** For this much, and for a name and a value of bounded length. */
  #ensureRoom(length = 0): void {
    const needed = this.#at + length + 2 * MAX_MEMBER
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * (needed - this.#start), BUFFER_BYTES))
    this.#bytes.copy(grown, 0, this.#start, this.#at)
    this.#use(grown)
    this.#at -= this.#start
    this.#start = 0
  }

  #use(bytes: Buffer): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }

  #utf8(text: string): void {
    this.#ensureRoom(3 * text.length)
    this.#at += utf8Write.call(this.#bytes, text, this.#at)
  }

  #put(text: Uint8Array, from = 0): void {
    const bytes = this.#bytes
    let at = this.#at
    for (let k = from; k < text.length; k++) bytes[at++] = text[k]!
    this.#at = at
  }

  #base64(value: Uint8Array): void {
    if (value.length > SHORT_BASE64) {
      this.#utf8(`"${toBase64(value)}"`)
      return
    }
    this.#ensureRoom(2 * value.length)
    const bytes = this.#bytes
    const rest = value.length % 3
    bytes[this.#at++] = QUOTE
    this.#threes(value, value.length - rest)
    let at = this.#at
    if (rest > 0) {
      const [first, second] = [value[value.length - rest]!, rest === 2 ? value[value.length - 1]! : 0]
      bytes[at++] = base64Digits[first >> 2]!
      bytes[at++] = base64Digits[((first << 4) & 63) | (second >> 4)]!
      bytes[at++] = rest === 2 ? base64Digits[(second << 2) & 63]! : EQUALS
      bytes[at++] = EQUALS
    }
    bytes[at++] = QUOTE
    this.#at = at
  }

  /** Four digits for each three bytes. */
  #threes(value: Uint8Array, length: number): void {
    const view = this.#view
    let at = this.#at
    for (let k = 0; k < length; k += 3) {
      const three = (value[k]! << 16) | (value[k + 1]! << 8) | value[k + 2]!
      view.setInt32(at, (base64Pairs[three >> 12]! << 16) | base64Pairs[three & 4095]!)
      at += 4
    }
    this.#at = at
  }

  #hash(hash: Uint8Array): void {
    const bytes = this.#bytes
    bytes[this.#at++] = QUOTE
    this.#threes(hash, 30)
    const at = this.#at
    const two = (hash[30]! << 10) | (hash[31]! << 2)
    this.#view.setInt32(at, (base64Pairs[two >> 6]! << 16) | (base64Digits[two & 63]! << 8) | EQUALS)
    bytes[at + 4] = QUOTE
    this.#at = at + 5
  }

  #rawAddress(key: Uint8Array): void {
    const bytes = this.#bytes
    bytes[this.#at++] = QUOTE
    this.#integer((key[0]! << 24) >> 24)
    let at = this.#at
    bytes[at++] = COLON
    const view = this.#view
    for (let k = 1; k < ADDRESS_BYTES; k += 2) {
      view.setInt32(at, (hexPairs[key[k]!]! << 16) | hexPairs[key[k + 1]!]!)
      at += 4
    }
    bytes[at] = QUOTE
    this.#at = at + 1
  }

  /** Byte by byte while the characters are ASCII that needs no escapes, as most texts are. */
  #quote(text: string): void {
    const bytes = this.#bytes
    let at = this.#at
    bytes[at++] = QUOTE
    const length = text.length <= MAX_MEMBER ? text.length : 0
    for (let k = 0; k < length; k++) {
      const code = text.charCodeAt(k)
      if (code < FIRST_PRINTED || code > LAST_PRINTED || code === QUOTE || code === BACKSLASH) break
      bytes[at++] = code
    }
    if (at - this.#at === text.length + 1) {
      bytes[at] = QUOTE
      this.#at = at + 1
    } else this.#utf8(JSON.stringify(text))
  }

  #ascii(text: string): void {
    const bytes = this.#bytes
    let at = this.#at
    for (let k = 0; k < text.length; k++) bytes[at++] = text.charCodeAt(k)
    this.#at = at
  }

  /** A safe integer. */
  #integer(value: number): void {
    const bytes = this.#bytes
    if (value < 0) bytes[this.#at++] = MINUS
    let rest = Math.abs(value)
    const end = this.#at + countDigits(rest)
    let at = end
    // Divisions of small integers are far cheaper than those of others.
    while (rest >= BILLION) {
      const high = Math.floor(rest / BILLION)
      let low = (rest - high * BILLION) | 0
      for (let k = 0; k < 9; k++) {
        const next = (low / 10) | 0
        bytes[--at] = ZERO + low - next * 10
        low = next
      }
      rest = high
    }
    let small = rest | 0
    do {
      const next = (small / 10) | 0
      bytes[--at] = ZERO + small - next * 10
      small = next
    } while (small > 0)
    this.#at = end
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

const powersOfTen = Array.from({ length: 16 }, (_, k) => 10 ** k)

const countDigits = (value: number): number => {
  let digits = 1
  while (digits < powersOfTen.length && value >= powersOfTen[digits]!) digits++
  return digits
}

/** For everything that is written in one go. */
export const jsonWriter = new JsonWriter()

const HEAD_BYTES = 5

/** Splits the bytes from a server into messages: a letter, and where the content begins and ends. */
export class MessageReader {
  readonly #onMessage: (letter: string, bytes: Buffer, at: number, end: number) => void
  #waiting: Buffer[] = []
  #waitingLength = 0
  /** Bytes needed before the next message can be read. */
  #needed = HEAD_BYTES

  constructor(onMessage: (letter: string, bytes: Buffer, at: number, end: number) => void) {
    this.#onMessage = onMessage
  }

  take(chunk: Buffer): void {
    if (this.#waitingLength + chunk.length < this.#needed) {
      this.#keep(chunk)
      return
    }
    const bytes = this.#waitingLength === 0 ? chunk : Buffer.concat([...this.#waiting, chunk])
    this.#waiting = []
    this.#waitingLength = 0
    this.#needed = HEAD_BYTES
    let at = 0
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) {
        this.#needed = end - at
        break
      }
      this.#onMessage(letters[bytes[at]!]!, bytes, at + HEAD_BYTES, end)
      at = end
    }
    if (at < bytes.length) this.#keep(bytes.subarray(at))
  }

  #keep(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#waitingLength += bytes.length
  }
}

const letters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))

const BYTEA = 17

/** Encodes protocol messages to the server. */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(8192)
  #at = 0
  #start = 0

  /** The bytes written since the last call. */
  take(): Buffer {
    const written = this.#buffer.subarray(0, this.#at)
    // The taken bytes are still to be sent: never overwrite them.
    this.#buffer = Buffer.allocUnsafe(8192)
    this.#at = 0
    return written
  }

  query(text: string): void {
    this.#begin('Q')
    this.#text(text)
    this.#end()
  }

  parse(name: string, text: string): void {
    this.#begin('P')
    this.#text(name)
    this.#text(text)
    this.#int16(0)
    this.#end()
  }

  describeStatement(name: string): void {
    this.#begin('D')
    this.#byte('S')
    this.#text(name)
    this.#end()
  }

  closeStatement(name: string): void {
    this.#begin('C')
    this.#byte('S')
    this.#text(name)
    this.#end()
  }

  /** Binds values to a statement. `areBinary` says for each result column whether it is wanted in binary. */
  bind(name: string, values: readonly unknown[], areBinary: readonly boolean[]): void {
    this.#begin('B')
    this.#text('')
    this.#text(name)
    this.#int16(values.length)
    for (const value of values) this.#int16(isBinary(value) ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(areBinary.length)
    for (const each of areBinary) this.#int16(each ? 1 : 0)
    this.#end()
  }

  execute(): void {
    this.#begin('E')
    this.#text('')
    this.#int32(0)
    this.#end()
  }

  sync(): void {
    this.#begin('S')
    this.#end()
  }

  #value(value: unknown): void {
    if (value === null || value === undefined) {
      this.#int32(-1)
      return
    }
    const place = this.#at
    this.#int32(0)
    if (value instanceof Uint8Array) this.#bytes(value)
    else if (isBinary(value)) this.#byteLists(value as readonly (Uint8Array | null)[])
    else this.#utf8(toText(value))
    this.#buffer.writeInt32BE(this.#at - place - 4, place)
  }

  #byteLists(items: readonly (Uint8Array | null)[]): void {
    this.#int32(1)
    this.#int32(items.includes(null) ? 1 : 0)
    this.#int32(BYTEA)
    this.#int32(items.length)
    this.#int32(1)
    for (const item of items) {
      this.#int32(item === null ? -1 : item.length)
      if (item !== null) this.#bytes(item)
    }
  }

  #begin(type: string): void {
    this.#byte(type)
    this.#start = this.#at
    this.#int32(0)
  }

  #end(): void {
    this.#buffer.writeInt32BE(this.#at - this.#start, this.#start)
  }

  #byte(letter: string): void {
    this.#reserve(1)
    this.#buffer[this.#at++] = letter.charCodeAt(0)
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#at = this.#buffer.writeInt16BE(value, this.#at)
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.#at = this.#buffer.writeInt32BE(value, this.#at)
  }

  #bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#at)
    this.#at += bytes.length
  }

  #utf8(text: string): void {
    this.#reserve(3 * text.length)
    this.#at += this.#buffer.write(text, this.#at, 'utf8')
  }

  /** Zero-terminated. */
  #text(text: string): void {
    this.#utf8(text)
    this.#reserve(1)
    this.#buffer[this.#at++] = 0
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(2 * (this.#at + length))
    this.#buffer.copy(grown, 0, 0, this.#at)
    this.#buffer = grown
  }
}

/** Byte arrays and lists of them go in binary, all else as text. */
const isBinary = (value: unknown): boolean =>
  value instanceof Uint8Array ||
  (Array.isArray(value) && value.length > 0 && value.every((item) => item === null || item instanceof Uint8Array))

const toText = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map(toItem).join(',')}}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const toItem = (item: unknown): string => {
  if (item === null || item === undefined) return 'NULL'
  return typeof item === 'string' ? `"${item.replace(/["\\]/g, '\\$&')}"` : String(item)
}

const HEAD_BYTES = 5

/** Takes apart what a server sends: each message by its letter, and where its content begins and ends. */
export class MessageReader {
  readonly #onMessage: (letter: string, bytes: Buffer, at: number, end: number) => void
  #waiting: Buffer[] = []
  #waitingLength = 0
  /** So many bytes are needed before there is anything to read. */
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

/** What an empty line of a server-sent event stream ends. */
export type SseFrame = {
  /** `message` unless the frame names another one. */
  readonly event: string
  /** `undefined` if the frame has no data: it only sets the id or the delay. */
  readonly data: string | undefined
  /** The last id of the stream so far, also if an earlier frame has set it. */
  readonly id: string | undefined
  /** Delay before the next connection, in milliseconds. */
  readonly retryMs: number | undefined
}

/**
 * Parses server-sent events from chunks of bytes that end anywhere: inside a line, a line break or a character. A frame without its empty
 * line is incomplete and never returned.
 */
export class SseParser {
  readonly #decoder = new TextDecoder()
  /** The line that has not ended yet, in pieces: a long line in many chunks is joined once. */
  #line: string[] = []
  /** A carriage return has ended a line; the line feed that may follow belongs to it. */
  #isAfterReturn = false
  #id: string | undefined
  #event = ''
  #data: string[] = []
  #retryMs: number | undefined
  #isEmpty = true

  push(chunk: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = []
    let text = this.#decoder.decode(chunk, { stream: true })
    if (text === '') return frames
    if (this.#isAfterReturn && text[0] === '\n') text = text.slice(1)
    const lines = text.split(/\r\n|\n|\r/)
    this.#isAfterReturn = text === '' ? false : text.endsWith('\r')
    const rest = lines.pop()!
    for (const line of lines) {
      const frame = this.#read(this.#line.length === 0 ? line : this.#line.join('') + line)
      this.#line = []
      if (frame !== undefined) frames.push(frame)
    }
    if (rest !== '') this.#line.push(rest)
    return frames
  }

  #read(line: string): SseFrame | undefined {
    if (line === '') return this.#end()
    const colon = line.indexOf(':')
    // A comment.
    if (colon === 0) return undefined
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]{1,9}$/.test(value)) this.#retryMs = Number(value)
    else return undefined
    this.#isEmpty = false
    return undefined
  }

  #end(): SseFrame | undefined {
    if (this.#isEmpty) return undefined
    const frame = {
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.length === 0 ? undefined : this.#data.join('\n'),
      id: this.#id,
      retryMs: this.#retryMs,
    }
    this.#event = ''
    this.#data = []
    this.#retryMs = undefined
    this.#isEmpty = true
    return frame
  }
}

import type { Duplex } from 'node:stream'
import type { Connection, Submittable } from 'pg'

/** Bytes of whole rows, as encoders made them. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

// "PGCOPY", bytes that a careless transport would change, no flags and no extension; at the end, in place of a row, a -1.
const HEADER = Uint8Array.of(0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0)
const TRAILER = Uint8Array.of(0xff, 0xff)

const COPY_DATA = 0x64
// The server takes a message as a whole into memory.
const MAX_MESSAGE = 1 << 18

/** What the driver's connection can do beyond what its types say. */
type CopyConnection = {
  readonly stream: Duplex
  query(text: string): void
  endCopyFrom(): void
  sendCopyFail(text: string): void
}

/** One COPY … FROM STDIN on a connection of the driver, which calls the methods below as messages come. */
export class CopyIn implements Submittable {
  readonly done: Promise<number>
  /** Set by the driver to end its timer. */
  callback: ((error: unknown) => void) | undefined = undefined
  readonly #statement: string
  readonly #chunks: Chunks
  #settle: { resolve: (rows: number) => void; reject: (error: unknown) => void } | undefined
  #isOver = false
  #rows = 0
  /** Why we broke off. What the server says to that is only an echo. */
  #ownFailure: unknown

  constructor(statement: string, chunks: Chunks) {
    this.#statement = statement
    this.#chunks = chunks
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  submit(connection: Connection): void {
    connection.query(this.#statement)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => {
      if (this.#isOver) return
      this.#ownFailure = error
      connection.sendCopyFail('The rows ended with an error.')
    })
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1])
  }

  handleReadyForQuery(): void {
    this.#end(() => this.#settle?.resolve(this.#rows))
  }

  handleError(error: unknown): void {
    this.#end(() => this.#settle?.reject(this.#ownFailure ?? error))
  }

  #end(settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    settle()
    this.callback?.(undefined)
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection
    writeMessage(stream, HEADER)
    for await (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.length; at += MAX_MESSAGE) {
        const isRoom = writeMessage(stream, chunk.subarray(at, at + MAX_MESSAGE))
        if (!isRoom) await drained(stream)
        // The server has refused a row, or the connection is gone: nothing more is to be sent.
        if (this.#isOver) return
      }
    }
    if (this.#isOver) return
    writeMessage(stream, TRAILER)
    connection.endCopyFrom()
  }
}

const writeMessage = (stream: Duplex, bytes: Uint8Array): boolean => {
  const head = new Uint8Array(5)
  head[0] = COPY_DATA
  new DataView(head.buffer).setUint32(1, bytes.length + 4)
  stream.cork()
  stream.write(head)
  const isRoom = stream.write(bytes)
  stream.uncork()
  return isRoom
}

/** Resolves too when the stream is closed, since no room will be made then. */
const drained = (stream: Duplex): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      stream.off('drain', finish).off('close', finish).off('error', finish)
      done()
    }
    stream.on('drain', finish).on('close', finish).on('error', finish)
    if (stream.destroyed || !stream.writableNeedDrain) finish()
  })

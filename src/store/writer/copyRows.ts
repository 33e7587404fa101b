import type { Duplex } from 'node:stream'
import type { Connection, Submittable } from 'pg'
import pg from 'pg'
import { findTracer, runChildSpan } from '../../observe/Tracer.ts'
import { toDatabaseError } from '../errors.ts'
import { ByteWriter, RowValueError } from '../schema/ByteWriter.ts'
import type { Column, CopyRow, Table } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'

/** Encoded rows. */
type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

// The signature, no flags, no header extension. The trailer is -1 in place of a row.
const HEADER = Uint8Array.of(0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0)
const TRAILER = Uint8Array.of(0xff, 0xff)

const COPY_DATA = 0x64
// The server buffers a whole message in memory.
const MAX_MESSAGE = 1 << 18

/** Members of the driver's connection that its types leave out. */
type CopyConnection = {
  readonly stream: Duplex
  query(text: string): void
  endCopyFrom(): void
  sendCopyFail(text: string): void
}

/** One COPY … FROM STDIN on a connection of the driver, which calls these methods for messages of the server. */
class CopyIn implements Submittable {
  readonly done: Promise<number>
  /** Set by the driver to stop its timer. */
  callback: ((error: unknown) => void) | undefined = undefined
  readonly #statement: string
  readonly #chunks: Chunks
  #settle: { resolve: (rows: number) => void; reject: (error: unknown) => void } | undefined
  #isOver = false
  #rows = 0
  /** Why we aborted. The server's error is then only an echo. */
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
        // The server refused a row or the connection is lost: send nothing more.
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

/** Also resolves when the stream is closed, since it will never drain then. */
const drained = (stream: Duplex): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      stream.off('drain', finish).off('close', finish).off('error', finish)
      done()
    }
    stream.on('drain', finish).on('close', finish).on('error', finish)
    if (stream.destroyed || !stream.writableNeedDrain) finish()
  })

type AnyColumn = Pick<Column<unknown>, 'write'>

/**
 * Encodes rows of one table for COPY BINARY. It needs no connection, so a worker can encode and transfer the bytes; chunks of
 * several encoders can be sent one after the other.
 */
export class RowEncoder<T extends Table> {
  readonly columns: readonly string[]
  readonly #writes: readonly AnyColumn['write'][]
  readonly #w = new ByteWriter()
  #rows = 0

  /** All columns, or the named ones; the others get their defaults. */
  constructor(table: T, columns: readonly (keyof T & string)[] = Object.keys(table)) {
    this.columns = columns
    this.#writes = columns.map((name) => table[name]!.write as AnyColumn['write'])
  }

  /** Rows since the last `take`. */
  get rows(): number {
    return this.#rows
  }

  /** Bytes since the last `take`. */
  get size(): number {
    return this.#w.length
  }

  /** Throws for a row that cannot be encoded, and leaves nothing of it. */
  add(row: CopyRow<T>): void {
    const w = this.#w
    const start = w.length
    const { columns } = this
    const writes = this.#writes
    w.reserve(2)
    w.int16(columns.length)
    for (let k = 0; k < columns.length; k++) {
      const value = (row as Readonly<Record<string, unknown>>)[columns[k]!]
      w.reserve(4)
      const at = w.length
      w.int32(ABSENT)
      if (value === undefined || value === null) continue
      try {
        writes[k]!(w, value)
      } catch (error) {
        w.cutTo(start)
        throw error instanceof RowValueError
          ? new RowValueError(`${error.message} It was for the column ${columns[k]}.`, { cause: error })
          : error
      }
      w.patchInt32(at, w.length - at - 4)
    }
    this.#rows++
  }

  /** The bytes encoded so far, in a buffer of their own. */
  take(): Uint8Array<ArrayBuffer> {
    this.#rows = 0
    return this.#w.take()
  }
}

const ABSENT = -1

/**
 * Sends encoded rows to a table and returns their number: all, or none and an error. If the chunks fail, the COPY is aborted and
 * the error passed on.
 */
export const copyChunks = async (
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  chunks: Chunks,
): Promise<number> => {
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ')
  const statement = `COPY ${pg.escapeIdentifier(table)} (${names}) FROM STDIN (FORMAT binary)`
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': 'COPY', 'db.collection.name': table }
  return runChildSpan(findTracer(), `COPY ${table}`, { kind: 'client', attributes }, async (span) => {
    const copy = new CopyIn(statement, chunks)
    client.query(copy)
    try {
      const rows = await copy.done
      span?.set({ 'chaincenter.rows': rows })
      return rows
    } catch (error) {
      throw toDatabaseError(error)
    }
  })
}

type TableName = keyof typeof tables
type ColumnName<Name extends TableName> = keyof (typeof tables)[Name] & string

const CHUNK_BYTES = 1 << 18

/** Copies rows into a table, or another table with the same columns, while encoding them. Returns their number. */
export const copyRows = async <Name extends TableName>(
  client: pg.ClientBase,
  table: Name,
  rows: Iterable<CopyRow<(typeof tables)[Name]>>,
  columns?: readonly ColumnName<Name>[],
  into: string = table,
): Promise<number> => {
  const encoder = new RowEncoder<(typeof tables)[Name]>(tables[table], columns)
  return copyChunks(client, into, encoder.columns, encodeChunks(encoder, rows))
}

const encodeChunks = function* <T extends (typeof tables)[TableName]>(
  encoder: RowEncoder<T>,
  rows: Iterable<CopyRow<T>>,
): Generator<Uint8Array> {
  for (const row of rows) {
    encoder.add(row)
    if (encoder.size >= CHUNK_BYTES) yield encoder.take()
  }
  if (encoder.size > 0) yield encoder.take()
}

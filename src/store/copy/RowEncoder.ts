import type { Column } from '../columns.ts'
import type { CopyRow, Table } from '../Table.ts'
import { ByteWriter } from './ByteWriter.ts'
import { RowValueError } from './errors.ts'

type AnyColumn = Pick<Column<unknown>, 'write'>

/**
 * Writes rows of one table as COPY BINARY takes them. It needs no connection, so a worker can do it and hand the bytes over; what
 * several encoders wrote may be sent one after the other.
 */
export class RowEncoder<T extends Table> {
  readonly columns: readonly string[]
  readonly #writes: readonly AnyColumn['write'][]
  readonly #w = new ByteWriter()
  #rows = 0

  /** Of all columns, or of those that are named; the database fills the others. */
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

  /** A row that cannot be written throws, and leaves nothing behind. */
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

  /** What was written so far, as bytes of their own. */
  take(): Uint8Array<ArrayBuffer> {
    this.#rows = 0
    return this.#w.take()
  }
}

const ABSENT = -1

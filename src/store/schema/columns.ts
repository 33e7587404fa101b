import { type ByteWriter, RowValueError, writeNumeric } from './ByteWriter.ts'

/** A column type: its database type, its TypeScript type, and how a value is written for COPY BINARY. */
export type Column<T = never> = {
  /** The type name in the catalogue. */
  readonly type: string
  readonly nullable: boolean
  /** Whether the database has a default for it. */
  readonly hasDefault: boolean
  /** Writes the value without its length prefix. */
  readonly write: (w: ByteWriter, value: T) => void
}

const column = <T>(type: string, write: Column<T>['write']): Column<T> => ({
  type,
  nullable: false,
  hasDefault: false,
  write,
})

export const nullable = <T>(of: Column<T>): Column<T> & { readonly nullable: true } => ({ ...of, nullable: true })

export const withDefault = <T>(of: Column<T>): Column<T> & { readonly hasDefault: true } => ({
  ...of,
  hasDefault: true,
})

const refuse = (value: unknown, type: string): never => {
  throw new RowValueError(`A column of type ${type} cannot hold ${String(value).slice(0, 100)}.`)
}

export const int2 = column<number>('smallint', (w, value) => {
  if (value !== (value << 16) >> 16) refuse(value, 'smallint')
  w.reserve(2)
  w.int16(value)
})

export const int4 = column<number>('integer', (w, value) => {
  if (value !== (value | 0)) refuse(value, 'integer')
  w.reserve(4)
  w.int32(value)
})

const MIN_INT8 = -(2n ** 63n)
const MAX_INT8 = 2n ** 63n - 1n

export const int8 = column<bigint>('bigint', (w, value) => {
  if (value < MIN_INT8 || value > MAX_INT8) refuse(value, 'bigint')
  w.reserve(8)
  w.int64(value)
})

export const float8 = column<number>('double precision', (w, value) => {
  w.reserve(8)
  w.float64(value)
})

/** Whole numbers of any size. */
export const numeric = column<bigint>('numeric', writeNumeric)

export const bool = column<boolean>('boolean', (w, value) => {
  w.reserve(1)
  w.int8(value ? 1 : 0)
})

export const text = column<string>('text', (w, value) => {
  if (value.includes('\0')) refuse(JSON.stringify(value), 'text')
  w.text(value)
})

export const bytea = column<Uint8Array>('bytea', (w, value) => w.bytes(value))

// The server counts microseconds from 2000-01-01.
const EPOCH_MS = Date.UTC(2000, 0, 1)

export const timestamptz = column<Date>('timestamp with time zone', (w, value) => {
  const ms = value.getTime()
  if (Number.isNaN(ms)) refuse('a date that is none', 'timestamptz')
  w.reserve(8)
  w.int64(BigInt(ms - EPOCH_MS) * 1000n)
})

/** Any JSON value. Give numbers above 2^53 as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const jsonb = column<Json>('jsonb', (w, value) => {
  const written = JSON.stringify(value)
  if (NUL_IN_JSON.test(written)) refuse(written, 'jsonb')
  w.reserve(1)
  w.int8(JSONB_VERSION)
  w.text(written)
})

const JSONB_VERSION = 1
// After an even number of backslashes: a text may contain a backslash followed by these letters.
const NUL_IN_JSON = /(?<!\\)(?:\\\\)*\\u0000/

/** OIDs of the types that can be array elements. */
const elementTypes: Readonly<Record<string, number>> = {
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  numeric: 1700,
}

/** An array without nulls. */
export const array = <T>(of: Column<T>): Column<readonly T[]> => {
  const elementType = elementTypes[of.type] ?? 0
  return column<readonly T[]>(`${of.type}[]`, (w, values) => {
    w.reserve(20)
    w.int32(values.length === 0 ? 0 : 1)
    w.int32(0)
    w.int32(elementType)
    if (values.length === 0) return
    w.int32(values.length)
    w.int32(1)
    for (const value of values) writeField(w, of, value)
  })
}

/** Writes a value with its length prefix. */
const writeField = <T>(w: ByteWriter, { write }: Pick<Column<T>, 'write'>, value: T): void => {
  w.reserve(4)
  const at = w.length
  w.int32(0)
  write(w, value)
  w.patchInt32(at, w.length - at - 4)
}

/** The columns of a table, by their names. */
export type Table = Readonly<Record<string, Column>>

type ValueOf<C> = C extends { readonly write: (w: never, value: infer T) => void } ? T : never

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T

/** A row as it is read. */
export type SelectedRow<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly nullable: true }
    ? Mutable<ValueOf<T[Name]>> | null
    : Mutable<ValueOf<T[Name]>>
}

type OptionalNames<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly nullable: true } | { readonly hasDefault: true } ? Name : never
}[keyof T]

/** A row to be written. Nullable columns may be left out. */
export type CopyRow<T extends Table> = {
  readonly [Name in Exclude<keyof T, OptionalNames<T>>]: ValueOf<T[Name]>
} & {
  readonly [Name in OptionalNames<T>]?: ValueOf<T[Name]> | null | undefined
}

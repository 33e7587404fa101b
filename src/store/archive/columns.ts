import { fromHex } from '../../primitives/hex.ts'
import type { ByteWriter } from '../schema/ByteWriter.ts'
import { array, bool, bytea, type Column, int2, int4, int8, numeric, type Table, text } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'
import type { ArchivedValue, ParquetColumn } from './parquet.ts'

export type ArchivedTable = keyof typeof tables

/** A column of a table as it is archived: exactly, and readable by other programs. */
export type ArchivedColumn = ParquetColumn & {
  /** The SQL expression of the archived value. */
  readonly sql: string
  /** Writes the archived value for COPY BINARY. */
  readonly write: (w: ByteWriter, value: never) => void
}

type Kind = Pick<ArchivedColumn, 'type' | 'isText'> & {
  readonly sql: (name: string) => string
  readonly write: (w: ByteWriter, value: never) => void
}

const plain = (type: Kind['type'], { write }: Column<never>, isText = false): Kind => ({
  type,
  isText,
  sql: (name) => `"${name}"`,
  write,
})

const asText = (sql: Kind['sql'], write: (w: ByteWriter, value: string) => void): Kind => ({
  type: 'BYTE_ARRAY',
  isText: true,
  sql,
  write: write as Kind['write'],
})

// Microseconds from 1970 to 2000, where the server begins to count.
const EPOCH_US = 946_684_800_000_000n
const JSONB_VERSION = 1

/** A list is a JSON list of texts, as the server writes its items. */
const list = <T>(of: Column<T>, parse: (item: string) => T): Kind => {
  const { write } = array(of)
  return asText(
    (name) => `array_to_json("${name}"::text[])::text`,
    (w, value) => write(w, (JSON.parse(value) as readonly string[]).map(parse)),
  )
}

const kinds: Readonly<Record<string, Kind>> = {
  smallint: plain('INT32', int2 as Column<never>),
  integer: plain('INT32', int4 as Column<never>),
  bigint: plain('INT64', int8 as Column<never>),
  boolean: plain('BOOLEAN', bool as Column<never>),
  bytea: plain('BYTE_ARRAY', bytea as Column<never>),
  text: plain('BYTE_ARRAY', text as Column<never>, true),
  // Whole numbers of any size.
  numeric: asText(
    (name) => `"${name}"::text`,
    (w, value) => numeric.write(w, BigInt(value)),
  ),
  // As the server writes it: a parsed number would lose digits.
  jsonb: asText(
    (name) => `"${name}"::text`,
    (w, value) => {
      w.reserve(1)
      w.int8(JSONB_VERSION)
      w.text(value)
    },
  ),
  // Microseconds since 1970: a date of JavaScript has only milliseconds.
  'timestamp with time zone': {
    type: 'INT64',
    isText: false,
    sql: (name) => `(extract(epoch FROM "${name}") * 1000000)::bigint`,
    write: ((w: ByteWriter, value: bigint) => int8.write(w, value - EPOCH_US)) as Kind['write'],
  },
  'bytea[]': list(bytea, (item) => fromHex(item.slice(2))),
  'text[]': list(text, (item) => item),
  'integer[]': list(int4, Number),
  'bigint[]': list(int8, BigInt),
}

/** The columns of a table, in their order. */
export const archivedColumns = (table: ArchivedTable): readonly ArchivedColumn[] =>
  Object.entries(tables[table] as Table).map(([name, { type: pgType, nullable }]) => {
    const kind = kinds[pgType]
    if (kind === undefined) throw new TypeError(`${table}.${name}: no archived form of the type ${pgType}.`)
    const { type, isText, sql, write } = kind
    return { name, type, isText, nullable, sql: `${sql(name)} AS "${name}"`, write }
  })

/** The table as an encoder of archived rows takes it. */
export const archivedTable = (table: ArchivedTable): Table =>
  Object.fromEntries(
    archivedColumns(table).map(({ name, nullable, write }) => [name, { type: '', nullable, hasDefault: false, write }]),
  )

/** The bytes of a row that its checksum is of. */
export const rowBytes = (columns: readonly ParquetColumn[], row: { readonly [name: string]: ArchivedValue }): string =>
  columns
    .map(({ name }) => {
      const value = row[name] ?? null
      if (value === null) return '-'
      return value instanceof Uint8Array
        ? `x${Buffer.from(value).toString('hex')}`
        : `${typeof value}:${JSON.stringify(String(value))}`
    })
    .join(' ')

import type pg from 'pg'
import type { CopyRow } from '../Table.ts'
import { tables } from '../tables.ts'
import { copyChunks } from './copyChunks.ts'
import { RowEncoder } from './RowEncoder.ts'

type TableName = keyof typeof tables
type ColumnName<Name extends TableName> = keyof (typeof tables)[Name] & string

const CHUNK_BYTES = 1 << 18

/** Writes rows into a table, or into another with its columns, by COPY, as they are encoded. Returns how many. */
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

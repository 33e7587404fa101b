import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { CursorRefusedError } from '../errors.ts'

/** A value that rows are ordered by. */
export type KeyValue = bigint | number | string | Uint8Array

/** A column that rows are ordered by, as the query names it. It must not be null. */
export type OrderColumn = { readonly column: string; readonly direction: 'asc' | 'desc' }

/** A total order of rows: its last column is unique among those that agree in the others. */
export type Order = {
  /** Says of a cursor which order it is a place in. */
  readonly name: string
  readonly columns: readonly OrderColumn[]
}

/** A place in an order: the last row of a page. */
export type Cursor = { readonly order: string; readonly key: readonly KeyValue[] }

export type Page = {
  readonly limit: number
  readonly offset: number
  /** Rows after this one are wanted; the offset then counts for nothing. */
  readonly after: Cursor | undefined
}

/** Rows, and where the next ones begin; `undefined` where there are none. */
export type Paged<Row> = { readonly rows: readonly Row[]; readonly next: Cursor | undefined }

// biome-ignore lint/suspicious/noExplicitAny: any query can be paged
type AnyQuery = SelectQueryBuilder<any, any, any>

/** Puts a query in order and cuts it to a page, and one row more by which it is seen that there are others. */
export const applyPage = <Query extends AnyQuery>(query: Query, order: Order, page: Page): Query => {
  let paged: AnyQuery = query
  if (page.after !== undefined) paged = paged.where(afterCursor(order, page.after))
  for (const { column, direction } of order.columns) paged = paged.orderBy(sql.ref(column), direction)
  paged = paged.limit(page.limit + 1)
  if (page.after === undefined && page.offset > 0) paged = paged.offset(page.offset)
  return paged as Query
}

/** The rows of a page from what its query found; `keyOf` gives the values that its order is made of. */
export const cutPage = <Row>(
  found: readonly Row[],
  order: Order,
  { limit }: Page,
  keyOf: (row: Row) => readonly KeyValue[],
): Paged<Row> => {
  if (found.length <= limit) return { rows: found, next: undefined }
  const rows = found.slice(0, limit)
  return { rows, next: { order: order.name, key: keyOf(rows.at(-1)!) } }
}

/** What holds for rows after a place: a bound on the first column, which an index can use, and the rest column by column. */
export const afterCursor = (order: Order, cursor: Cursor): RawBuilder<boolean> => {
  const { columns } = order
  const { key } = cursor
  if (cursor.order !== order.name || key.length !== columns.length) throw new CursorRefusedError()
  const isUniform = columns.every(({ direction }) => direction === columns[0]!.direction)
  if (isUniform) {
    const refs = sql.join(columns.map(({ column }) => sql.ref(column)))
    const operator = sql.raw(columns[0]!.direction === 'asc' ? '>' : '<')
    return sql<boolean>`(${refs}) ${operator} (${sql.join(key.map((value) => sql.val(value)))})`
  }
  const first = columns[0]!
  const bound = sql.raw(first.direction === 'asc' ? '>=' : '<=')
  return sql<boolean>`${sql.ref(first.column)} ${bound} ${sql.val(key[0])} and (${beyond(columns, key)})`
}

const beyond = (columns: readonly OrderColumn[], key: readonly KeyValue[]): RawBuilder<boolean> => {
  const [{ column, direction }, ...others] = columns as [OrderColumn, ...OrderColumn[]]
  const [value, ...rest] = key
  const past = sql<boolean>`${sql.ref(column)} ${sql.raw(direction === 'asc' ? '>' : '<')} ${sql.val(value)}`
  if (others.length === 0) return past
  return sql<boolean>`${past} or ${sql.ref(column)} = ${sql.val(value)} and (${beyond(others, rest)})`
}

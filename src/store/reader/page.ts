import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { batchReads, type ReadKeyed } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { MAX_SHORT_PAGE, pagesByLength, rawQuery } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

/** A value of a sort key. */
export type KeyValue = bigint | number | string | Uint8Array

/** A sort column, as the query names it. It must not be null. */
export type OrderColumn = { readonly column: string; readonly direction: 'asc' | 'desc' }

/** A total order of rows: the last column is unique among rows equal in the others. */
export type Order = {
  /** Identifies the order of a cursor. */
  readonly name: string
  readonly columns: readonly OrderColumn[]
}

/** A position in an order: the last row of a page. */
export type Cursor = { readonly order: string; readonly key: readonly KeyValue[] }

export type Page = {
  readonly limit: number
  readonly offset: number
  /** Start after this position; the offset is then ignored. */
  readonly after: Cursor | undefined
}

/** Rows, and the cursor of the next page; `undefined` on the last page. */
export type Paged<Row> = { readonly rows: readonly Row[]; readonly next: Cursor | undefined }

// biome-ignore lint/suspicious/noExplicitAny: any query can be paged
type AnyQuery = SelectQueryBuilder<any, any, any>

/** Orders a query and limits it to a page and the lookahead row, which shows whether there are more. */
export const applyPage = <Query extends AnyQuery>(query: Query, order: Order, page: Page): Query => {
  let paged: AnyQuery = query
  if (page.after !== undefined) paged = paged.where(afterCursor(order, page.after))
  for (const { column, direction } of order.columns) paged = paged.orderBy(sql.ref(column), direction)
  paged = paged.limit(page.limit + 1)
  if (page.after === undefined && page.offset > 0) paged = paged.offset(page.offset)
  return paged as Query
}

/** The page from the rows of its query; `keyOf` returns the sort key of a row. */
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

/** The condition for rows after a cursor: a bound on the first column, which an index can use, and the rest column by column. */
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

/** Seconds, both ends included; an absent end is open. */
export type TimeWindow = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Logical times, both ends included. */
export type LtWindow = { readonly from: bigint; readonly to: bigint }

const MAX_INT4 = 0x7fff_ffff
const MAX_INT8 = 2n ** 63n - 1n
const MASTERCHAIN = -1

/** No bounds on logical times. */
export const anyLt: LtWindow = { from: 0n, to: MAX_INT8 }

/**
 * Between shards the order of times differs from that of logical times, but not by much. By both clocks, a block comes after the
 * masterchain block it refers to and before the one that includes it. So a masterchain block further from a time than a block
 * takes from generation to inclusion separates older from younger. That is a few seconds; this is a safe bound.
 */
const SKEW_SECONDS = 60

/** Clamps a time to the column type. */
export const toInt4 = (utime: number): number => Math.min(utime, MAX_INT4)

/** Clamps a logical time to the column type. */
export const toInt8 = (lt: bigint): bigint => (lt > MAX_INT8 ? MAX_INT8 : lt)

/** A range of times. */
type Times = readonly [first: number, last: number]

type LtRow = { first: number; last: number; from: bigint | null; to: bigint | null }

const LT_WINDOWS = `select w.first, w.last,
    (select start_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime <= w.first order by gen_utime desc limit 1) as "from",
    (select end_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime >= w.last order by gen_utime asc limit 1) as "to"
  from unnest($1::integer[], $2::integer[]) as w(first, last)`

/** The times to look up on either side of a window. */
export const timesOf = ({ from = 0, to = MAX_INT4 }: TimeWindow): Times => [
  toInt4(from) - SKEW_SECONDS,
  toInt4(toInt4(to) + SKEW_SECONDS),
]

export const ltWindowsQuery = (times: readonly Times[]): CompiledQuery<LtRow> =>
  rawQuery(LT_WINDOWS, [times.map(([first]) => first), times.map(([, last]) => last)])

const readLtWindows = batchReads<Times, LtRow>({
  queryOf: ltWindowsQuery,
  textOf: ([first, last]) => `${first} ${last}`,
  textOfRow: ({ first, last }) => `${first} ${last}`,
})

/**
 * Bounds of the logical times within a window of times. Transactions have no index by time; this lets the index by logical time
 * serve. The bounds are slightly wide, so the times are to be compared, too.
 */
export const findLtWindow = async (reader: Reader, window: TimeWindow): Promise<LtWindow> => {
  const isOpen = (window.from ?? 0) <= SKEW_SECONDS && (window.to ?? MAX_INT4) >= MAX_INT4
  if (isOpen) return anyLt
  const [row] = await readLtWindows(reader, [timesOf(window)])
  return { from: row?.from ?? anyLt.from, to: row?.to ?? anyLt.to }
}

/** The intersection. */
export const narrowLt = (a: LtWindow, b: LtWindow): LtWindow => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
})

/** In order of discovery. */
export const bySince = (direction: 'asc' | 'desc' = 'asc'): Order => ({
  name: `since ${direction}`,
  columns: [
    { column: 'since_lt', direction },
    { column: 'address', direction },
  ],
})

/** Bounds of the rest of a list after the cursor, for an order by a 64-bit number. */
export const reachAfter = ({ columns }: Order, { after }: Page): LtWindow => {
  const [place] = after?.key ?? []
  if (typeof place !== 'bigint') return anyLt
  return columns[0]!.direction === 'asc' ? { from: place, to: anyLt.to } : { from: anyLt.from, to: place }
}

/** A row, and the index of its key, from 1 on. */
type Placed<Row> = Row & { readonly place: number }

/**
 * Turns a query for one key into one for many keys: the rows of each are what the single query would find. It is compiled once.
 */
export const manyKeysQuery = <Row>(
  build: (key: Uint8Array) => RawBuilder<Row>,
): ((keys: readonly Uint8Array[]) => CompiledQuery<Placed<Row>>) => {
  const mark = new Uint8Array(0)
  const { sql: text, parameters } = build(mark).compile(queryBuilder)
  const others = parameters.flatMap((value, at) => (value === mark ? [] : [at]))
  const inner = text.replace(/\$([0-9]+)/g, (_whole, number: string) => {
    const at = Number(number) - 1
    return parameters[at] === mark ? 'asked.key' : `$${others.indexOf(at) + 2}`
  })
  const whole = `select asked.place::integer as place, found.* from unnest($1::bytea[]) with ordinality as asked(key, place)
    cross join lateral (${inner}) as found`
  const values = others.map((at) => parameters[at])
  return (keys) => rawQuery(whole, [keys, ...values])
}

/** Batches such a query over concurrent callers. */
const batchByKey = <Row>(build: (key: Uint8Array) => RawBuilder<Row>): ReadKeyed<Uint8Array, Row> =>
  batchReads<Uint8Array, Placed<Row>>({
    queryOf: manyKeysQuery(build),
    textOf: keyText,
    textOfRow: ({ place }, keys) => keyText(keys[place - 1]!),
  })

/** Like {@link batchByKey}, for each direction and length of a page; `undefined` if the page is too long. */
export const batchPages = <Row>(
  build: (key: Uint8Array, direction: 'asc' | 'desc', limit: number) => RawBuilder<Row>,
): ((direction: 'asc' | 'desc', limit: number) => ReadKeyed<Uint8Array, Row> | undefined) => {
  const pages = pagesByLength((direction, limit) => batchByKey((key) => build(key, direction, limit)))
  return (direction, limit) => (limit > MAX_SHORT_PAGE ? undefined : pages(direction, limit))
}

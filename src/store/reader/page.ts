import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { joinReads, type ReadKeyed } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { MAX_SHORT_PAGE, pagesByLength, rawQuery } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

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

/** Seconds, both ends included; an end that is absent is open. */
export type TimeWindow = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Logical times, both ends included. */
export type LtWindow = { readonly from: bigint; readonly to: bigint }

const MAX_INT4 = 0x7fff_ffff
const MAX_INT8 = 2n ** 63n - 1n
const MASTERCHAIN = -1

/** Where nothing is known of logical times. */
export const anyLt: LtWindow = { from: 0n, to: MAX_INT8 }

/**
 * Between shards the order of times is not that of logical times, but it cannot be far from it. A block comes after the
 * masterchain block that it refers to, and before the one that includes it, by both clocks. So what is older than a time, and
 * what is younger, is told apart by a masterchain block that is further from it than a block takes from being begun to being
 * included. That is a few seconds; here it may be this many.
 */
const SKEW_SECONDS = 60

/** Times as the columns hold them. */
export const toInt4 = (utime: number): number => Math.min(utime, MAX_INT4)

/** Logical times as the columns hold them: there are no higher ones. */
export const toInt8 = (lt: bigint): bigint => (lt > MAX_INT8 ? MAX_INT8 : lt)

/** From a time up to another. */
type Times = readonly [first: number, last: number]

type LtRow = { first: number; last: number; from: bigint | null; to: bigint | null }

const LT_WINDOWS = `select w.first, w.last,
    (select start_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime <= w.first order by gen_utime desc limit 1) as "from",
    (select end_lt from blocks where workchain = ${MASTERCHAIN} and gen_utime >= w.last order by gen_utime asc limit 1) as "to"
  from unnest($1::integer[], $2::integer[]) as w(first, last)`

/** What is looked for on either side of a window. */
export const timesOf = ({ from = 0, to = MAX_INT4 }: TimeWindow): Times => [
  toInt4(from) - SKEW_SECONDS,
  toInt4(toInt4(to) + SKEW_SECONDS),
]

export const ltWindowsQuery = (times: readonly Times[]): CompiledQuery<LtRow> =>
  rawQuery(LT_WINDOWS, [times.map(([first]) => first), times.map(([, last]) => last)])

const readLtWindows = joinReads<Times, LtRow>({
  queryOf: ltWindowsQuery,
  textOf: ([first, last]) => `${first} ${last}`,
  textOfRow: ({ first, last }) => `${first} ${last}`,
})

/**
 * Logical times outside of which nothing happened within a window of times. There is no index on the times of transactions:
 * this makes their logical times do. It is a little too wide, so the times themselves are to be compared, too.
 */
export const findLtWindow = async (reader: Reader, window: TimeWindow): Promise<LtWindow> => {
  const isOpen = (window.from ?? 0) <= SKEW_SECONDS && (window.to ?? MAX_INT4) >= MAX_INT4
  if (isOpen) return anyLt
  const [row] = await readLtWindows(reader, [timesOf(window)])
  return { from: row?.from ?? anyLt.from, to: row?.to ?? anyLt.to }
}

/** What is in both. */
export const narrowLt = (a: LtWindow, b: LtWindow): LtWindow => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
})

/** In the order in which contracts were discovered. */
export const bySince = (direction: 'asc' | 'desc' = 'asc'): Order => ({
  name: `since ${direction}`,
  columns: [
    { column: 'since_lt', direction },
    { column: 'address', direction },
  ],
})

/** Where the rest of a list is that is in an order of one direction by a number of 64 bits. */
export const reachAfter = ({ columns }: Order, { after }: Page): LtWindow => {
  const [place] = after?.key ?? []
  if (typeof place !== 'bigint') return anyLt
  return columns[0]!.direction === 'asc' ? { from: place, to: anyLt.to } : { from: anyLt.from, to: place }
}

/** A row, and the place among the keys, from 1 on, of the one that it is of. */
type Placed<Row> = Row & { readonly place: number }

/**
 * Makes a query for many keys of one that is for a single key, wherever that stands in it: the rows of each are what it would find for
 * that key alone. It is put together once, and not each time that it is asked.
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

/** Asks such a query together with what others ask. */
const joinByKey = <Row>(build: (key: Uint8Array) => RawBuilder<Row>): ReadKeyed<Uint8Array, Row> =>
  joinReads<Uint8Array, Placed<Row>>({
    queryOf: manyKeysQuery(build),
    textOf: keyText,
    textOfRow: ({ place }, keys) => keyText(keys[place - 1]!),
  })

/** As {@link joinByKey}, for each direction and length of a page; `undefined` where it is too long. */
export const joinPages = <Row>(
  build: (key: Uint8Array, direction: 'asc' | 'desc', limit: number) => RawBuilder<Row>,
): ((direction: 'asc' | 'desc', limit: number) => ReadKeyed<Uint8Array, Row> | undefined) => {
  const pages = pagesByLength((direction, limit) => joinByKey((key) => build(key, direction, limit)))
  return (direction, limit) => (limit > MAX_SHORT_PAGE ? undefined : pages(direction, limit))
}

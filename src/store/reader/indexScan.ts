import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { DatabaseTimeoutError, DatabaseUnavailableError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { type CostlyFilter, QueryTooCostlyError } from './costlyFilters.ts'
import { afterCursor, type Order, type Page } from './page.ts'
import type { Condition } from './sql.ts'

/**
 * How many rows of an index scan are checked for a condition without an index: a few first, then all, within the statement
 * timeout.
 */
const SCAN_LENGTHS: readonly [number, undefined] = [2000, undefined]

export const whereAll = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

/**
 * A condition checked only on rows of the chosen index, which nearly all of them match. In this form no other index serves it,
 * and the planner does not assume that it leaves few rows to sort.
 */
export const unindexed = (condition: Condition): Condition => sql<boolean>`coalesce(${condition}, false)`

export const orderBy = ({ columns }: Order): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

export const limitTo = (limit: number, offset: number): RawBuilder<unknown> =>
  offset === 0 ? sql`limit ${sql.val(limit)}` : sql`limit ${sql.val(limit)} offset ${sql.val(offset)}`

export const cutTo = ({ limit, offset, after }: Page): RawBuilder<unknown> =>
  limitTo(limit + 1, after === undefined ? offset : 0)

/** A key that precedes the sort columns in the index. */
export type ScanKey = { readonly column: RawBuilder<unknown>; readonly direction: 'asc' | 'desc' }

export type IndexScan = {
  /** The table, under the alias used by the order and the conditions. */
  readonly from: RawBuilder<unknown>
  readonly name: string
  /** Conditions served by an index in the order of the scan. */
  readonly indexFilters: readonly Condition[]
  /** Conditions checked row by row. */
  readonly rowFilters: readonly Condition[]
  readonly key?: ScanKey | undefined
  readonly order: Order
  readonly page: Page
}

const ordered = (
  { from, indexFilters, order, page, key }: IndexScan,
  select: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const conditions = page.after === undefined ? indexFilters : [...indexFilters, afterCursor(order, page.after)]
  return sql`select ${select} from ${from} ${whereAll(conditions)} ${orderByKey(order, key)}`
}

const orderByKey = (order: Order, key: ScanKey | undefined): RawBuilder<unknown> =>
  key === undefined
    ? orderBy(order)
    : sql`order by ${key.column} ${sql.raw(key.direction)}, ${sql.join(order.columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

const scannedRows = ({ page }: IndexScan, length: number): number =>
  length + (page.after === undefined ? page.offset : 0)

/** A page of rows in order. With row filters, `length` limits how many rows are scanned; all if `undefined`. */
export const scanQuery = <Row>(scan: IndexScan, length: number | undefined): RawBuilder<Row> => {
  const { rowFilters, order, page, name, indexFilters } = scan
  const all = sql`${sql.table(name)}.*`
  if (rowFilters.length === 0 || length === undefined) {
    return sql<Row>`${ordered({ ...scan, indexFilters: [...indexFilters, ...rowFilters.map(unindexed)] }, all)} ${cutTo(page)}`
  }
  const rows = sql`(${ordered(scan, all)} limit ${sql.val(scannedRows(scan, length))}) as ${sql.table(name)}`
  return sql<Row>`select ${all} from ${rows} ${whereAll(rowFilters)} ${orderBy(order)} ${cutTo(page)}`
}

/** Returns a row if a scan was not long enough. */
export const scanEndQuery = (scan: IndexScan, length: number): RawBuilder<{ one: number }> =>
  sql<{ one: number }>`${ordered(scan, sql`1 as one`)} limit 1 offset ${sql.val(scannedRows(scan, length))}`

/** Returns the result of a scan of some length, or that there is more to scan. */
type Step<Found> = (length: number | undefined) => Promise<Found | 'more'>

/** At most one long scan per process: callers of hard queries wait for each other, and delay nobody else. */
let lastLong: Promise<unknown> = Promise.resolve()
let waiting = 0
const MAX_WAITING = 64

const inTurn = async <Found>(scan: () => Promise<Found>): Promise<Found> => {
  if (waiting >= MAX_WAITING) {
    throw new DatabaseUnavailableError('Too many queries of this kind are waiting. Try again, or narrow the filter.')
  }
  waiting++
  const walked = lastLong.then(scan).finally(() => waiting--)
  lastLong = walked.catch(() => undefined)
  return walked
}

/** Scans further until the page is full or the rows end. Refuses if the statement timeout is reached. */
export const scanUntilFull = async <Found>(step: Step<Found>, filter: CostlyFilter): Promise<Found> => {
  const [first, all] = SCAN_LENGTHS
  const found = await step(first)
  return found === 'more' ? inTurn(() => walkLong(step, all, filter)) : found
}

const walkLong = async <Found>(step: Step<Found>, length: undefined, filter: CostlyFilter): Promise<Found> => {
  try {
    const found = await step(length)
    if (found !== 'more') return found
  } catch (error) {
    if (!(error instanceof DatabaseTimeoutError)) throw error
  }
  throw new QueryTooCostlyError(filter)
}

/** A page of a scan. */
export const scanPage = <Row>(reader: Reader, scan: IndexScan, filter: CostlyFilter): Promise<readonly Row[]> =>
  scanUntilFull<readonly Row[]>(async (length) => {
    const rows = await reader.read(scanQuery<Row>(scan, length).compile(queryBuilder))
    if (scan.rowFilters.length === 0 || length === undefined || rows.length > scan.page.limit) return rows
    const [more] = await reader.read(scanEndQuery(scan, length).compile(queryBuilder))
    return more === undefined ? rows : 'more'
  }, filter)

import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { cutTo, orderBy, unindexed, whereAll } from './indexScan.ts'
import { findAccountOffset } from './offsetPages.ts'
import { afterCursor, type LtWindow, narrowLt, type Order, type Page, type TimeWindow, toInt4 } from './page.ts'
import type { Condition } from './sql.ts'
import { MAX_SHORT_PAGE, pagesByLength, rawQuery } from './sql.ts'
import { keyText, type TransactionRow } from './TransactionRecord.ts'
import { isWithinLt } from './transactionFilter.ts'

/** The first transactions of one account within windows, both ends included. */
export type AccountPage = {
  readonly account: Uint8Array
  readonly lt: LtWindow
  readonly fromTime: number
  readonly toTime: number
}

/** The first rows of each account: see {@link transactionsOfAccountsQuery}. */
export const accountPagesQuery = (
  pages: readonly AccountPage[],
  direction: 'asc' | 'desc',
  length: number,
): CompiledQuery<PlacedRow> =>
  rawQuery(
    `select w.place::integer as place, t.*
    from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[]) with ordinality
      as w(account, first_lt, last_lt, first_now, last_now, place)
    cross join lateral (
      select * from transactions as t
      where (t.account, t.lt) >= (w.account, w.first_lt) and (t.account, t.lt) <= (w.account, w.last_lt)
        and t.now >= w.first_now and t.now <= w.last_now
      order by t.account ${direction}, t.lt ${direction} limit ${Math.trunc(length)}
    ) as t`,
    [
      pages.map(({ account }) => account),
      pages.map(({ lt }) => lt.from),
      pages.map(({ lt }) => lt.to),
      pages.map(({ fromTime }) => fromTime),
      pages.map(({ toTime }) => toTime),
    ],
  )

type PlacedRow = TransactionRow & { readonly place: number }

/** With its text, which each of its rows asks for. */
type NamedPage = AccountPage & { readonly text: string }

const namePage = ({ account, lt, fromTime, toTime }: AccountPage): NamedPage => ({
  account,
  lt,
  fromTime,
  toTime,
  text: `${keyText(account)} ${lt.from} ${lt.to} ${fromTime} ${toTime}`,
})

/** Batched reads of the first rows of accounts, by direction and length. */
const readAccountPages = pagesByLength((direction, length) =>
  batchReads<NamedPage, PlacedRow>({
    queryOf: (pages) => accountPagesQuery(pages, direction, length),
    textOf: ({ text }) => text,
    textOfRow: ({ place }, pages) => pages[place - 1]!.text,
  }),
)

/** A query of transactions of some accounts: its conditions and order. */
export type AccountsQuery = {
  readonly accounts: readonly Uint8Array[]
  readonly lt: LtWindow
  /** Whether the index by logical time is not used. */
  readonly isInOrder: boolean
  /** Conditions served by the index of account transactions, and conditions checked row by row. */
  readonly conditions: readonly Condition[]
  readonly rowFilters: readonly Condition[]
  /** How many transactions of all accounts together are scanned for matching rows; all if `undefined`. */
  readonly length?: number | undefined
  readonly order: Order
  readonly page: Page
}

/** The last position in the order that a page can reach. */
export type Reach = { readonly now: number; readonly lt: bigint }

/** Number of rows from the start of the list to the end of the page. */
const depthOf = ({ limit, offset, after }: Page): number => limit + 1 + (after === undefined ? offset : 0)

/** So few rows need no bound. */
const FEW = 5000

/** How many rows of each account are read to bound the page; `undefined` if all rows that it may need are few anyway. */
export const headLength = ({ accounts, page }: AccountsQuery): number | undefined => {
  const depth = depthOf(page)
  const length = Math.ceil((2 * depth) / accounts.length) + 16
  return accounts.length * depth <= FEW || length >= depth ? undefined : length
}

/** The first rows of each account, in the order of logical times. */
const listsOf = (query: AccountsQuery, columns: RawBuilder<unknown>, length: number): RawBuilder<unknown> => {
  const { accounts, rowFilters, conditions } = query
  const walked = scanLength(query)
  const list =
    rowFilters.length === 0 || walked === undefined
      ? sql`${listOf({ ...query, conditions: [...conditions, ...rowFilters.map(unindexed)] }, columns)} limit ${sql.val(length)}`
      : sql`select ${columns} from (${listOf(query, sql`*`)} limit ${sql.val(walked)}) as t
          ${whereAll(rowFilters)} order by t.lt ${directionOf(query)} limit ${sql.val(length)}`
  return sql`unnest(${sql.val(accounts)}::bytea[]) as a(account) cross join lateral (${list}) as t`
}

const listOf = (query: AccountsQuery, columns: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { lt, conditions, order, page } = query
  const all = [
    sql<boolean>`t.account = a.account`,
    ...isWithinLt('t.lt', lt),
    ...conditions,
    ...(page.after === undefined ? [] : [afterCursor(order, page.after)]),
  ]
  return sql`select ${columns} from transactions as t ${whereAll(all)} order by t.lt ${directionOf(query)}`
}

const directionOf = ({ order }: AccountsQuery): RawBuilder<unknown> =>
  sql.raw(order.columns.find(({ column }) => column === 't.lt')?.direction ?? 'asc')

/** How many transactions of each account are scanned for matching rows. */
const scanLength = ({ accounts, page, length }: AccountsQuery): number | undefined =>
  length && Math.ceil(length / accounts.length) + (page.after === undefined ? page.offset : 0)

/** Returns a row if an account has more transactions than are scanned; `undefined` if all are scanned. */
export const accountsScanEndQuery = (query: AccountsQuery): RawBuilder<{ one: number }> | undefined => {
  const walked = scanLength(query)
  if (query.rowFilters.length === 0 || walked === undefined) return undefined
  return sql<{
    one: number
  }>`select t.one from unnest(${sql.val(query.accounts)}::bytea[]) as a(account) cross join lateral (
    ${listOf(query, sql`1 as one`)} limit 1 offset ${sql.val(walked)}) as t limit 1`
}

/**
 * An upper bound of the page from the first rows of every account: they contain enough rows for the page, so nothing after the
 * last of them is in it. This way a thousand accounts with long histories cost only the rows needed.
 */
export const reachQuery = (query: AccountsQuery, length: number): RawBuilder<Reach> =>
  sql<Reach>`select t.now, t.lt from ${listsOf(query, sql`t.now, t.lt, t.account`, length)} ${orderBy(query.order)}
    limit 1 offset ${sql.val(depthOf(query.page) - 1)}`

/**
 * For one account the index returns rows in order. The account is compared as a range: for an equality the planner may fetch and
 * sort all rows. The window is part of the range, lest the planner prefer the index by logical time.
 */
const transactionsOfOneQuery = (query: AccountsQuery, account: Uint8Array): RawBuilder<TransactionRow> => {
  const { conditions, order, page } = query
  const { from, to } = windowAfter(query)
  const isPlaced = page.after === undefined || isByLtAlone(order)
  const all = [
    sql<boolean>`(t.account, t.lt) >= (${sql.val(account)}, ${sql.val(from)})`,
    sql<boolean>`(t.account, t.lt) <= (${sql.val(account)}, ${sql.val(to)})`,
    ...conditions,
    ...(page.after === undefined || isPlaced ? [] : [afterCursor(order, page.after)]),
  ]
  const direction = directionOf(query)
  return sql<TransactionRow>`select t.* from transactions as t ${whereAll(all)}
    order by t.account ${direction}, t.lt ${direction} ${cutTo(page)}`
}

const isByLtAlone = ({ columns }: Order): boolean => columns.length === 1 && columns[0]!.column === 't.lt'

/** The window, narrowed to what follows the cursor. */
const windowAfter = ({ lt, order, page: { after } }: AccountsQuery): LtWindow => {
  if (after === undefined || !isByLtAlone(order)) return lt
  const [place] = after.key
  if (after.order !== order.name || after.key.length !== 1 || typeof place !== 'bigint') throw new CursorRefusedError()
  return narrowLt(
    lt,
    order.columns[0]!.direction === 'asc' ? { from: place + 1n, to: lt.to } : { from: lt.from, to: place - 1n },
  )
}

/** The page: keys first, then the rows of the remaining keys. */
export const transactionsOfAccountsQuery = (query: AccountsQuery): RawBuilder<TransactionRow> => {
  const { accounts, rowFilters, order, page } = query
  const [account] = accounts
  if (query.isInOrder && accounts.length === 1 && account !== undefined && rowFilters.length === 0)
    return transactionsOfOneQuery(query, account)
  const isByTime = order.columns[0]!.column === 't.now'
  const columns = isByTime ? sql`t.now, t.account, t.lt, t.mc_seqno` : sql`t.account, t.lt, t.mc_seqno`
  return sql<TransactionRow>`select t.* from (
    select t.account, t.lt, t.mc_seqno from ${listsOf(query, columns, depthOf(page))} ${orderBy(order)} ${cutTo(page)}
  ) as k cross join lateral (
    select * from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno = k.mc_seqno limit 1
  ) as t ${orderBy(order)}`
}

const [MIN_INT4, MAX_INT4] = [-0x8000_0000, 0x7fff_ffff]

/**
 * The page of a single account, batched with concurrent reads, if it is short and filtered by times and logical times only;
 * otherwise `undefined`. An offset is found in the index first.
 */
export const readShortPage = async (
  reader: Reader,
  query: AccountsQuery,
  time: TimeWindow,
): Promise<TransactionRow[] | undefined> => {
  const { accounts, order, page, conditions } = query
  const [account] = accounts
  const isShort = query.isInOrder && query.rowFilters.length === 0 && page.limit < MAX_SHORT_PAGE
  if (!isShort || account === undefined || accounts.length > 1 || !isByLtAlone(order)) return undefined
  const { direction } = order.columns[0]!
  const offset = page.after === undefined ? page.offset : 0
  // Times are not in the index.
  if (offset > 0 && conditions.length > 0) return undefined
  const all = windowAfter(query)
  const lt = offset === 0 ? all : await findAccountOffset(reader, account, all, direction, offset)
  if (lt === undefined) return []
  const { from = MIN_INT4, to = MAX_INT4 } = time
  const rows = await readAccountPages(direction, page.limit + 1)(reader, [
    namePage({ account, lt, fromTime: toInt4(from), toTime: toInt4(to) }),
  ])
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => (a.lt < b.lt ? -sign : sign))
}

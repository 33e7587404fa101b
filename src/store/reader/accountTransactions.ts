import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { joinReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { afterCursor, type LtWindow, narrowLt, type Order, type Page, type TimeWindow, toInt4 } from './page.ts'
import type { Condition } from './sql.ts'
import { MAX_SHORT_PAGE, pagesByLength, rawQuery } from './sql.ts'
import { keyText, type TransactionRow } from './TransactionRecord.ts'
import { isWithinLt } from './transactionFilter.ts'
import { cutTo, orderBy, unindexed, whereAll } from './walkedQuery.ts'

/** The first transactions of one account within windows. Both ends are included. */
export type AccountPage = {
  readonly account: Uint8Array
  readonly lt: LtWindow
  readonly fromTime: number
  readonly toTime: number
}

/** As many of each as the page takes: see {@link transactionsOfAccountsQuery}. */
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

const pageText = ({ account, lt, fromTime, toTime }: AccountPage): string =>
  `${keyText(account)} ${lt.from} ${lt.to} ${fromTime} ${toTime}`

/** So many of the first of each, in one statement with what others ask. */
const readAccountPages = pagesByLength((direction, length) =>
  joinReads<AccountPage, PlacedRow>({
    queryOf: (pages) => accountPagesQuery(pages, direction, length),
    textOf: pageText,
    textOfRow: ({ place }, pages) => pageText(pages[place - 1]!),
  }),
)

/** Transactions of some accounts: what holds for them, and the order that they are wanted in. */
export type AccountsQuery = {
  readonly accounts: readonly Uint8Array[]
  readonly lt: LtWindow
  /** Whether the index of logical times has no part in it. */
  readonly isInOrder: boolean
  /** What the index of an account's transactions serves, and what is looked at row by row. */
  readonly conditions: readonly Condition[]
  readonly kept: readonly Condition[]
  /** How many transactions are looked at for those of which `kept` holds, of all accounts together; all where it is `undefined`. */
  readonly length?: number | undefined
  readonly order: Order
  readonly page: Page
}

/** The place in the order beyond which a page does not reach. */
export type Reach = { readonly now: number; readonly lt: bigint }

/** How far down the page goes in the whole list. */
const depthOf = ({ limit, offset, after }: Page): number => limit + 1 + (after === undefined ? offset : 0)

/** So few rows are worth no thought. */
const FEW = 5000

/** How many of the first rows of each account tell how far a page reaches; `undefined` where all that it may take are few anyway. */
export const headLength = ({ accounts, page }: AccountsQuery): number | undefined => {
  const depth = depthOf(page)
  const length = Math.ceil((2 * depth) / accounts.length) + 16
  return accounts.length * depth <= FEW || length >= depth ? undefined : length
}

/** The first rows of each account. Their order is that of its logical times. */
const listsOf = (query: AccountsQuery, columns: RawBuilder<unknown>, length: number): RawBuilder<unknown> => {
  const { accounts, kept, conditions } = query
  const walked = walkLength(query)
  const list =
    kept.length === 0 || walked === undefined
      ? sql`${listOf({ ...query, conditions: [...conditions, ...kept.map(unindexed)] }, columns)} limit ${sql.val(length)}`
      : sql`select ${columns} from (${listOf(query, sql`*`)} limit ${sql.val(walked)}) as t
          ${whereAll(kept)} order by t.lt ${directionOf(query)} limit ${sql.val(length)}`
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

/** How many transactions of each account are looked at for those that fulfil a condition. */
const walkLength = ({ accounts, page, length }: AccountsQuery): number | undefined =>
  length && Math.ceil(length / accounts.length) + (page.after === undefined ? page.offset : 0)

/** Finds something where an account has more than are looked at; `undefined` where all are. */
export const accountsWalkEndQuery = (query: AccountsQuery): RawBuilder<{ one: number }> | undefined => {
  const walked = walkLength(query)
  if (query.kept.length === 0 || walked === undefined) return undefined
  return sql<{
    one: number
  }>`select t.one from unnest(${sql.val(query.accounts)}::bytea[]) as a(account) cross join lateral (
    ${listOf(query, sql`1 as one`)} limit 1 offset ${sql.val(walked)}) as t limit 1`
}

/**
 * A bound on the page, from the first few rows of every account: among them are as many as the page may take, and no row after the
 * last of these is in it. So that of a thousand accounts with long histories only what is needed is read.
 */
export const reachQuery = (query: AccountsQuery, length: number): RawBuilder<Reach> =>
  sql<Reach>`select t.now, t.lt from ${listsOf(query, sql`t.now, t.lt, t.account`, length)} ${orderBy(query.order)}
    limit 1 offset ${sql.val(depthOf(query.page) - 1)}`

/**
 * Of one account the index has them in order. By a range, though it is one: of an equality the server may think that it is best to
 * fetch all there are and sort them. The window is part of it, lest the index of logical times looks better.
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

/** The window from where the page begins. */
const windowAfter = ({ lt, order, page: { after } }: AccountsQuery): LtWindow => {
  if (after === undefined || !isByLtAlone(order)) return lt
  const [place] = after.key
  if (after.order !== order.name || after.key.length !== 1 || typeof place !== 'bigint') throw new CursorRefusedError()
  return narrowLt(
    lt,
    order.columns[0]!.direction === 'asc' ? { from: place + 1n, to: lt.to } : { from: lt.from, to: place - 1n },
  )
}

/** The page itself: keys first, and the rows behind those that are left. */
export const transactionsOfAccountsQuery = (query: AccountsQuery): RawBuilder<TransactionRow> => {
  const { accounts, kept, order, page } = query
  const [account] = accounts
  if (query.isInOrder && accounts.length === 1 && account !== undefined && kept.length === 0)
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
 * The page where it is one of a single account, and short; `undefined` where it is not. What else is asked than times and logical
 * times has to be asked otherwise.
 */
export const readShortPage = async (
  reader: Reader,
  query: AccountsQuery,
  time: TimeWindow,
): Promise<TransactionRow[] | undefined> => {
  const { accounts, order, page } = query
  const [account] = accounts
  const isShort = query.isInOrder && query.kept.length === 0 && page.offset === 0 && page.limit < MAX_SHORT_PAGE
  if (!isShort || account === undefined || accounts.length > 1 || !isByLtAlone(order)) return undefined
  const { direction } = order.columns[0]!
  const { from = MIN_INT4, to = MAX_INT4 } = time
  const wanted = { account, lt: windowAfter(query), fromTime: toInt4(from), toTime: toInt4(to) }
  const rows = await readAccountPages(direction, page.limit + 1)(reader, [wanted])
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => (a.lt < b.lt ? -sign : sign))
}

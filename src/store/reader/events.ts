import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import { senderText } from './messageEnds.ts'
import {
  afterCursor,
  anyLt,
  batchPages,
  cutPage,
  findLtWindow,
  type KeyValue,
  type LtWindow,
  narrowLt,
  type Order,
  type OrderColumn,
  type Page,
  type Paged,
  reachAfter,
  type TimeWindow,
  toInt4,
  toInt8,
} from './page.ts'
import { isAnyOf, rawQuery, spanOf } from './sql.ts'
import { type Arm, unionQuery } from './unionQuery.ts'

/** The tables of token events. The key of a row is the account and logical time of its transaction. */
export type EventTable = 'jetton_transfers' | 'jetton_burns' | 'nft_transfers'

/** Time window and order of events: by logical time, or by time if the window has times. */
export type EventWindow = {
  readonly time: TimeWindow
  readonly startLt: bigint | undefined
  readonly endLt: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export type EventFilter = {
  /** Rows of any arm; all rows if there are none. */
  readonly arms: readonly Arm[]
  readonly where: readonly RawBuilder<boolean>[]
  /** Whether nearly all rows of the arms match the conditions. */
  readonly isLoose: boolean
  readonly window: EventWindow
}

type EventColumn<T extends EventTable> = keyof Tables[T] & string

/** Columns of an event that its transaction has. */
type OfTransaction = { hash: Uint8Array; trace_id: Uint8Array }

export type EventRow<T extends EventTable> = { readonly row: Tables[T]; readonly transaction: OfTransaction }

export type EventList<T extends EventTable> = {
  readonly table: T
  readonly columns: readonly EventColumn<T>[]
}

/** The first columns of every list of events. */
export const eventColumns = ['lt', 'now', 'mc_seqno', 'aborted', 'query_id'] as const

/** Bounds of the events of a page. */
type Bounds = { readonly lt: LtWindow; readonly time: TimeWindow }

const isByTime = ({ time }: EventWindow): boolean => time.from !== undefined || time.to !== undefined

const eventOrder = (window: EventWindow): Order => {
  const { direction } = window
  const columns = (isByTime(window) ? ['now', 'lt', 'account'] : ['lt', 'account']).map(
    (column): OrderColumn => ({ column, direction }),
  )
  return { name: `${isByTime(window) ? 'time' : 'lt'} ${direction}`, columns }
}

/** A page of events. */
export const eventsQuery = <T extends EventTable>(
  { table, columns }: EventList<T>,
  filter: EventFilter,
  bounds: Bounds,
  page: Page,
): RawBuilder<Tables[T]> => {
  const order = eventOrder(filter.window)
  const rows: RawBuilder<unknown> = unionQuery<T, EventColumn<T>>({
    table,
    columns,
    arms: filter.arms,
    where: conditionsOf(filter, bounds, order, page),
    order: order.columns,
    // No index is by time; and if few rows match, a page may not fill soon.
    reach: isByTime(filter.window) || !filter.isLoose ? undefined : narrowLt(bounds.lt, reachAfter(order, page)),
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
  return rows as RawBuilder<Tables[T]>
}

/** The position of an event. */
type EventPosition = { readonly account: Uint8Array; readonly lt: bigint; readonly mc_seqno: number }

/** The columns of events that are stored with their transactions. */
export const eventTransactionsQuery = (
  positions: readonly EventPosition[],
): CompiledQuery<EventPosition & OfTransaction> => {
  const seqnos = positions.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf(seqnos)
  return rawQuery(
    `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as e(account, lt, mc_seqno) cross join lateral (
      select t.account, t.lt, t.mc_seqno, t.hash, t.trace_id from transactions as t
      where t.account = e.account and t.lt = e.lt and t.mc_seqno = e.mc_seqno and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1
    ) as t`,
    [positions.map(({ account }) => account), positions.map(({ lt }) => lt), seqnos, first, last],
  )
}

const readEventTransactions = batchReads<EventPosition, EventPosition & OfTransaction>({
  queryOf: eventTransactionsQuery,
  textOf: senderText,
  textOfRow: senderText,
})

/** Counts the events up to the end of a page by logical time, and returns the furthest time. */
export const eventReachQuery = <T extends EventTable>(
  { table }: EventList<T>,
  filter: EventFilter,
  bounds: Bounds,
  page: Page,
): RawBuilder<{ count: bigint; reach: number | null }> => {
  const { direction } = filter.window
  const rows = unionQuery<T, EventColumn<T>>({
    table,
    columns: ['now', 'lt', 'account'],
    arms: filter.arms,
    where: conditionsOf(filter, bounds, eventOrder(filter.window), page),
    order: [
      { column: 'lt', direction },
      { column: 'account', direction },
    ],
    limit: rowsUpTo(page),
  })
  const furthest = sql.raw(direction === 'desc' ? 'min' : 'max')
  return sql`select count(*) as count, ${furthest}(now) as reach from (${rows}) as e`
}

const rowsUpTo = ({ limit, offset, after }: Page): number => limit + 1 + (after === undefined ? offset : 0)

const conditionsOf = (
  { where }: EventFilter,
  { lt, time }: Bounds,
  order: Order,
  { after }: Page,
): RawBuilder<boolean>[] => [
  ...where,
  ...(lt.from > anyLt.from ? [sql<boolean>`lt >= ${sql.val(lt.from)}`] : []),
  ...(lt.to < anyLt.to ? [sql<boolean>`lt <= ${sql.val(lt.to)}`] : []),
  ...(time.from === undefined ? [] : [sql<boolean>`now >= ${sql.val(time.from)}`]),
  ...(time.to === undefined ? [] : [sql<boolean>`now <= ${sql.val(time.to)}`]),
  ...(after === undefined ? [] : [afterCursor(order, after)]),
]

/** By list, and by the columns that may contain the key. */
const firstPages = new Map<string, ReturnType<typeof batchFirstPages>>()

const batchFirstPages = <T extends EventTable>(list: EventList<T>, { arms, where }: EventFilter) =>
  batchPages((key, direction, limit) => {
    const window = { time: {}, startLt: undefined, endLt: undefined, direction }
    const filter = { arms: arms.map((arm) => ({ ...arm, keys: [key] })), where, isLoose: true, window }
    return eventsQuery(list, filter, { lt: anyLt, time: {} }, { limit: limit - 1, offset: 0, after: undefined })
  })

/** The only key if the query is the first page of one key. If the filter is loose, its conditions are always the same. */
const findOnlyKey = ({ arms, isLoose, window }: EventFilter, { lt }: Bounds, page: Page): Uint8Array | undefined => {
  const [key] = arms[0]?.keys ?? []
  const isFirst = isLoose && !isByTime(window) && page.after === undefined && page.offset === 0
  const isOpen = lt.from === anyLt.from && lt.to === anyLt.to
  return isFirst && isOpen && arms.every(({ keys }) => keys.length === 1 && keys[0] === key) ? key : undefined
}

const byLt = (direction: 'asc' | 'desc') => {
  const sign = direction === 'asc' ? 1 : -1
  return (a: EventPosition, b: EventPosition): number =>
    sign * (a.lt === b.lt ? compareBytes(a.account, b.account) : a.lt < b.lt ? -1 : 1)
}

const findRows = async <T extends EventTable>(
  reader: Reader,
  list: EventList<T>,
  filter: EventFilter,
  bounds: Bounds,
  page: Page,
): Promise<readonly Tables[T][]> => {
  const key = findOnlyKey(filter, bounds, page)
  const name = `${list.table} ${filter.arms.map(({ column }) => column).join(' ')}`
  const pages = key === undefined ? undefined : (firstPages.get(name) ?? batchFirstPages(list, filter))
  if (pages !== undefined) firstPages.set(name, pages)
  const { direction } = filter.window
  const read = pages?.(direction, page.limit + 1)
  if (key === undefined || read === undefined) {
    return reader.read(eventsQuery(list, filter, bounds, page).compile(queryBuilder))
  }
  return ((await read(reader, [key])) as readonly Tables[T][]).toSorted(byLt(direction))
}

/**
 * A page of events in bounded work, whatever the window and depth. The indexes are by logical time. For the order by time they
 * are used in two steps, since the two orders are never far apart (see SKEW_SECONDS). First, as many events as the page needs are
 * counted by logical time, and the furthest of their times is noted: nothing later can be on the page. Then the events up to that
 * time are read through the logical times it allows, and sorted by time. The overhead is the events of some seconds at either
 * end. Blocks added in between only bring the end nearer.
 */
export const listEvents = async <T extends EventTable>(
  reader: Reader,
  list: EventList<T>,
  filter: EventFilter,
  page: Page,
): Promise<Paged<EventRow<T>>> => {
  const order = eventOrder(filter.window)
  const bounds = await findBounds(reader, list, filter, page)
  const rows = await findRows(reader, list, filter, bounds, page)
  const told = new Map((await readEventTransactions(reader, rows)).map((row) => [senderText(row), row]))
  // The event of a deleted transaction is about to be deleted, too.
  const found = rows.flatMap((row): EventRow<T>[] => {
    const transaction = told.get(senderText(row))
    return transaction === undefined ? [] : [{ row, transaction }]
  })
  return cutPage(found, order, page, ({ row }) => order.columns.map(({ column }) => keyOf(row, column)))
}

const keyOf = ({ now, lt, account }: { now: number; lt: bigint; account: Uint8Array }, column: string): KeyValue =>
  column === 'now' ? now : column === 'lt' ? lt : account

const findBounds = async <T extends EventTable>(
  reader: Reader,
  list: EventList<T>,
  filter: EventFilter,
  page: Page,
): Promise<Bounds> => {
  const { window } = filter
  const asked = { from: toInt8(window.startLt ?? anyLt.from), to: toInt8(window.endLt ?? anyLt.to) }
  if (!isByTime(window)) return { lt: asked, time: {} }
  const time = narrowTime(window, page)
  const wide = { lt: narrowLt(asked, await findLtWindow(reader, time)), time }
  const [counted] = await reader.read(eventReachQuery(list, filter, wide, page).compile(queryBuilder))
  if (counted === undefined || counted.reach === null || counted.count < BigInt(rowsUpTo(page))) return wide
  const reached = window.direction === 'desc' ? { ...time, from: counted.reach } : { ...time, to: counted.reach }
  return { lt: narrowLt(wide.lt, await findLtWindow(reader, reached)), time: reached }
}

/** After the cursor, times are bounded by its time. */
const narrowTime = ({ time, direction }: EventWindow, { after }: Page): TimeWindow => {
  const from = time.from === undefined ? undefined : toInt4(time.from)
  const to = time.to === undefined ? undefined : toInt4(time.to)
  if (after === undefined) return { from, to }
  const [reached] = after.key
  if (typeof reached !== 'number') throw new CursorRefusedError()
  return direction === 'desc'
    ? { from, to: to === undefined ? reached : Math.min(to, reached) }
    : { from: from === undefined ? reached : Math.max(from, reached), to }
}

type Condition = RawBuilder<boolean>

export type TokenEventFilter = Pick<EventFilter, 'window'> & {
  /** The token contracts: wallets or items. */
  readonly accounts: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
  /** The columns that may contain an owner. */
  readonly sides: readonly string[]
  /** The parent: a jetton or a collection. */
  readonly parent: Omit<Arm, 'keys'> & { readonly key: Uint8Array | undefined }
  /** Conditions on all rows, whatever the filter. */
  readonly always?: readonly Condition[]
}

/** Searches by the narrowest filter; the others become conditions. */
export const narrowestFilter = (filter: TokenEventFilter): EventFilter => {
  const { accounts, owners, sides, parent, always = [], window } = filter
  const { key, ...parentArm } = parent
  const ofParent: Condition[] = key === undefined ? [] : [sql`${sql.ref(parent.column)} = ${sql.val(key)}`]
  if (accounts !== undefined) {
    const compared = [...(owners === undefined ? [] : [isAtAnySide(sides, owners)]), ...ofParent]
    const arms = [{ column: 'account', keys: accounts }]
    return { arms, where: [...compared, ...always], isLoose: compared.length === 0, window }
  }
  if (owners !== undefined) {
    const arms = sides.map((column): Arm => ({ column, keys: owners }))
    return { arms, where: [...ofParent, ...always], isLoose: ofParent.length === 0, window }
  }
  return { arms: key === undefined ? [] : [{ ...parentArm, keys: [key] }], where: always, isLoose: true, window }
}

const isAtAnySide = (sides: readonly string[], owners: readonly Uint8Array[]): Condition =>
  sides.length === 1
    ? isAnyOf(sides[0]!, owners)
    : sql`(${sql.join(
        sides.map((side) => isAnyOf(side, owners)),
        sql` or `,
      )})`

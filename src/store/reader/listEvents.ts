import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import type { Tables } from '../tables.ts'
import { reachAfter } from './bySince.ts'
import { afterCursor, cutPage, type KeyValue, type Order, type OrderColumn, type Page, type Paged } from './page.ts'
import { anyLt, findLtWindow, type LtWindow, narrowLt, type TimeWindow, toInt4, toInt8 } from './timeWindow.ts'
import { type Arm, unitedQuery } from './unitedQuery.ts'

/** Tables of what tokens were asked to do. A row is known by the account and the logical time of its transaction. */
export type EventTable = 'jetton_transfers' | 'jetton_burns' | 'nft_transfers'

/** When events happened, and in which order they are wanted: by logical time, or by time where a window of times is given. */
export type EventWindow = {
  readonly time: TimeWindow
  readonly startLt: bigint | undefined
  readonly endLt: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export type EventFilter = {
  /** Rows of any of them; all where there is none. */
  readonly arms: readonly Arm[]
  readonly where: readonly RawBuilder<boolean>[]
  /** Whether nearly all rows of the arms fulfil the conditions. */
  readonly isLoose: boolean
  readonly window: EventWindow
}

type EventColumn<T extends EventTable> = keyof Tables[T] & string

/** What an event is made of that its table has not. */
type OfTransaction = { hash: Uint8Array; trace_id: Uint8Array }

export type EventRow<T extends EventTable> = Tables[T] & OfTransaction

export type EventList<T extends EventTable> = {
  readonly table: T
  readonly columns: readonly EventColumn<T>[]
}

/** What is known of the events that a page is made of, before it is read. */
type Bounds = { readonly lt: LtWindow; readonly time: TimeWindow }

const isByTime = ({ time }: EventWindow): boolean => time.from !== undefined || time.to !== undefined

const eventOrder = (window: EventWindow): Order => {
  const { direction } = window
  const columns = (isByTime(window) ? ['now', 'lt', 'account'] : ['lt', 'account']).map(
    (column): OrderColumn => ({ column, direction }),
  )
  return { name: `${isByTime(window) ? 'time' : 'lt'} ${direction}`, columns }
}

/** A page of events. The transactions are looked up by their keys, for the rows of the page only. */
export const eventsQuery = <T extends EventTable>(
  { table, columns }: EventList<T>,
  filter: EventFilter,
  bounds: Bounds,
  page: Page,
): RawBuilder<EventRow<T>> => {
  const order = eventOrder(filter.window)
  const rows = unitedQuery<T, EventColumn<T>>({
    table,
    columns,
    arms: filter.arms,
    where: conditionsOf(filter, bounds, order, page),
    order: order.columns,
    // By time they are in no index; and where few fit, it is not to be taken for granted that a page is soon full.
    reach: isByTime(filter.window) || !filter.isLoose ? undefined : narrowLt(bounds.lt, reachAfter(order, page)),
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
  const ordered = sql.join(
    order.columns.map(({ column, direction }) => sql`e.${sql.ref(column)} ${sql.raw(direction)}`),
  )
  return sql`select e.*, t.hash, t.trace_id from (${rows}) as e cross join lateral (select hash, trace_id from transactions where account = e.account and lt = e.lt and mc_seqno = e.mc_seqno limit 1) as t order by ${ordered}`
}

/** How many there are up to the end of a page, counted by logical time, and how far that goes by time. */
export const eventReachQuery = <T extends EventTable>(
  { table }: EventList<T>,
  filter: EventFilter,
  bounds: Bounds,
  page: Page,
): RawBuilder<{ count: bigint; reach: number | null }> => {
  const { direction } = filter.window
  const rows = unitedQuery<T, EventColumn<T>>({
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

/**
 * A page of events, in bounded work whatever the window and however deep.
 *
 * The indexes are by logical time. Where the order is by time, logical times serve it in two steps, since the one order is never
 * far from the other (see `timeWindow.ts`). First as many events as the page needs are counted in the order of logical times,
 * and the furthest of their times is noted: since there are enough that are no further than it, nothing beyond belongs to the
 * page. Then the events up to that time are read, by the logical times that it allows, and put in the order of times. What is
 * read in vain are the events of some seconds at either end. Blocks that are added in between only bring the end nearer.
 */
export const listEvents = async <T extends EventTable>(
  reader: Reader,
  list: EventList<T>,
  filter: EventFilter,
  page: Page,
): Promise<Paged<EventRow<T>>> => {
  const order = eventOrder(filter.window)
  const bounds = await findBounds(reader, list, filter, page)
  const found = await reader.read(eventsQuery(list, filter, bounds, page).compile(queryBuilder))
  return cutPage(found, order, page, (row) => order.columns.map(({ column }) => keyOf(row, column)))
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

/** After a place there is nothing beyond its time. */
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

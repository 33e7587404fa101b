import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { CursorRefusedError } from '../errors.ts'
import { HASH_START_BYTES, unpackDetails } from '../schema/codes.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import {
  afterCursor,
  applyPage,
  cutPage,
  type KeyValue,
  type Order,
  type OrderColumn,
  type Page,
  type Paged,
} from './page.ts'
import { isAnyOf } from './sql.ts'
import { keyText } from './TransactionRecord.ts'
import { isByTime, type TraceWindow, windowBounds } from './traces.ts'

export const actionColumns = [
  'start_lt',
  'end_lt',
  'trace_end_lt',
  'start_utime',
  'end_utime',
  'trace_end_utime',
  'mc_seqno',
  'success',
  'type',
  'shown_type',
  'trace_id',
  'action_id',
  'transactions',
  'accounts',
  'ancestor_types',
  'details',
  'raw_action',
] as const satisfies readonly (keyof Tables['actions'])[]

export const toActionRecord = (row: Tables['actions']) => ({
  traceId: row.trace_id,
  /** Unique in its trace. */
  actionId: row.action_id,
  startLt: row.start_lt,
  endLt: row.end_lt,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  traceEndLt: row.trace_end_lt,
  traceEndUtime: row.trace_end_utime,
  traceEndSeqno: row.mc_seqno,
  /** The hashes of its transactions. */
  transactions: row.transactions,
  /** The accounts whose history contains it. */
  accounts: row.accounts,
  /** `undefined` if unknown. */
  success: row.success ?? undefined,
  /** The type that filters use. */
  type: row.type,
  /** The displayed type, if different. */
  shownType: row.shown_type ?? undefined,
  /** The types of the actions that contain it. */
  ancestorTypes: (row.ancestor_types ?? []) as readonly string[],
  /** In the neutral dialect: raw upper-case addresses, amounts as text. */
  details: unpackDetails(row.details, row.accounts),
  rawAction: row.raw_action ?? undefined,
})

/** An action of a trace. */
export type ActionRecord = Readonly<ReturnType<typeof toActionRecord>>

/** Action types to include, unless the action is part of another known one. */
export type ActionTypes = {
  readonly types: readonly string[]
  readonly known: readonly string[]
  /** Few types are scanned one by one: they may be rare. */
  readonly areFew: boolean
}

/** Bounds: the actions belong to these traces, or are these. All conditions hold. */
export type BoundedActions = {
  readonly actionIds?: readonly Uint8Array[] | undefined
  readonly traceIds?: readonly Uint8Array[] | undefined
  /** The action has a transaction from each of these lists. */
  readonly transactions?: readonly (readonly Uint8Array[])[]
  readonly mcSeqno?: number | undefined
  readonly account?: Uint8Array | undefined
}

export type ActionFilter = {
  readonly types: ActionTypes
  /** Window of the trace's end. */
  readonly window: TraceWindow
  /** `undefined` to list all actions, or all of an account. */
  readonly among: BoundedActions | undefined
  readonly account: Uint8Array | undefined
}

const orderBy = (name: string, window: TraceWindow, [trace, action]: readonly [string, string]): Order => {
  const unit = isByTime(window) ? 'utime' : 'lt'
  const columns = [`trace_end_${unit}`, trace, `end_${unit}`, action]
  return {
    name: `${name} by ${unit} ${window.direction}`,
    columns: columns.map((column): OrderColumn => ({ column, direction: window.direction })),
  }
}

const actionOrder = (window: TraceWindow): Order => orderBy('actions', window, ['trace_id', 'action_id'])

/** The same order: equal hash prefixes mean equal hashes. */
const accountOrder = (window: TraceWindow): Order => orderBy('places', window, ['trace_start', 'action_start'])

type Ends = Pick<Tables['actions'], 'trace_end_lt' | 'trace_end_utime' | 'end_lt' | 'end_utime'>

/** The position of an account's action. */
export type ActionPosition = Ends & Pick<Tables['action_accounts'], 'trace_start' | 'action_start' | 'mc_seqno'>

const keyOf = (window: TraceWindow, ends: Ends, trace: Uint8Array, action: Uint8Array): readonly KeyValue[] =>
  isByTime(window)
    ? [ends.trace_end_utime, trace, ends.end_utime, action]
    : [ends.trace_end_lt, trace, ends.end_lt, action]

const isNoPart = ({ known }: ActionTypes): RawBuilder<boolean> =>
  sql<boolean>`(ancestor_types is null or not ancestor_types && ${sql.val(known)}::text[])`

const windowConditions = (window: TraceWindow): RawBuilder<boolean>[] =>
  windowBounds(window).map(
    ({ column, operator, value }) =>
      sql<boolean>`${sql.ref(`trace_end_${column}`)} ${sql.raw(operator)} ${sql.val(value)}`,
  )

/** Actions within bounds. */
export const boundedActionsQuery = ({ types, window, among = {} }: ActionFilter, page: Page) => {
  let query = queryBuilder.selectFrom('actions').select(actionColumns)
  const { actionIds, traceIds, transactions = [], mcSeqno, account } = among
  if (actionIds !== undefined) query = query.where(isAnyOf('action_id', actionIds))
  if (traceIds !== undefined) query = query.where(isAnyOf('trace_id', traceIds))
  if (mcSeqno !== undefined) query = query.where('mc_seqno', '=', mcSeqno)
  for (const hashes of transactions) query = query.where(sql<boolean>`transactions && ${sql.val(hashes)}::bytea[]`)
  if (account !== undefined) query = query.where(sql<boolean>`accounts @> ${sql.val([account])}::bytea[]`)
  for (const condition of windowConditions(window)) query = query.where(condition)
  query = query.where(isAnyOf('type', types.types)).where(isNoPart(types))
  // OFFSET 0 separates finding from sorting: otherwise the planner may scan the whole order.
  const found = query.offset(sql.lit(0)).as('found')
  return applyPage(queryBuilder.selectFrom(found).selectAll(), actionOrder(window), page)
}

/** The positions of an account's actions. */
export const accountActionsQuery = ({ types, window, account }: ActionFilter, page: Page) => {
  let query = queryBuilder
    .selectFrom('action_accounts')
    .select(['trace_end_lt', 'trace_end_utime', 'trace_start', 'end_lt', 'end_utime', 'action_start', 'mc_seqno'])
    .where(
      sql<boolean>`hash_array_extended(ARRAY[account], 0) = hash_array_extended(ARRAY[${sql.val(account!)}::bytea], 0)`,
    )
    .where('account', '=', account!)
  for (const condition of windowConditions(window)) query = query.where(condition)
  query = query.where(isAnyOf('type', types.types)).where(isNoPart(types))
  return applyPage(query, accountOrder(window), page)
}

/** All actions, filtered by type. */
export const allActionsQuery = (filter: ActionFilter, page: Page): RawBuilder<Tables['actions']> => {
  const { types, window } = filter
  const order = actionOrder(window)
  const conditions = [...windowConditions(window), isNoPart(types)]
  if (page.after !== undefined) conditions.push(afterCursor(order, page.after))
  const offset = page.after === undefined ? page.offset : 0
  const list = (those: RawBuilder<boolean>, first: readonly OrderColumn[], limit: number, passed: number) =>
    sql`select ${columns} from actions where ${sql.join([those, ...conditions], sql` and `)} ${ordered([...first, ...order.columns])} limit ${sql.val(limit)} offset ${sql.val(passed)}`
  const wanted = page.limit + 1
  if (!types.areFew) return sql`${list(isAnyOf('type', types.types), [], wanted, offset)}`
  const type: OrderColumn = { column: 'type', direction: window.direction }
  const ofType = list(isOfAskedType(filter, page), [type], wanted + offset, 0)
  return sql`select found.* from unnest(${sql.val(types.types)}::text[]) as asked (type) cross join lateral (${ofType}) as found ${ordered(order.columns)} limit ${sql.val(wanted)} offset ${sql.val(offset)}`
}

const columns = sql.join(actionColumns.map((name) => sql.ref(name)))

const ordered = (by: readonly OrderColumn[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(by.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

const MAX_INT4 = 0x7fff_ffff
const MAX_INT8 = 2n ** 63n - 1n

/**
 * The type is compared as a range: for an equality the planner knows that the type does not affect the order and scans the
 * actions of all types for one that may be rare. The range ends are those of the page, so that a deep page costs no more.
 */
const isOfAskedType = ({ window }: ActionFilter, { after }: Page): RawBuilder<boolean> => {
  const isTime = isByTime(window)
  const bounds = windowBounds(window).filter(({ column }) => column === (isTime ? 'utime' : 'lt'))
  const position = after?.key[0]
  if (position !== undefined && typeof position !== 'bigint' && typeof position !== 'number')
    throw new CursorRefusedError()
  let low = bounds.find(({ operator }) => operator === '>=')?.value ?? (isTime ? 0 : 0n)
  let high = bounds.find(({ operator }) => operator === '<=')?.value ?? (isTime ? MAX_INT4 : MAX_INT8)
  if (position !== undefined && window.direction === 'asc' && position > low) low = position
  if (position !== undefined && window.direction === 'desc' && position < high) high = position
  const pair = sql`(type, ${sql.ref(isTime ? 'trace_end_utime' : 'trace_end_lt')})`
  return sql<boolean>`${pair} >= (asked.type, ${sql.val(low)}) and ${pair} <= (asked.type, ${sql.val(high)})`
}

/** Actions in one of the traces that start with one of the prefixes; each trace is found once, by its end. */
export const actionsByPositionQuery = (positions: readonly ActionPosition[]) => {
  const traces = [
    ...new Map(positions.map((position) => [`${position.trace_end_lt} ${position.mc_seqno}`, position])).values(),
  ]
  return sql<
    Tables['actions']
  >`select a.* from unnest(${sql.val(traces.map(({ trace_end_lt }) => trace_end_lt))}::bigint[],
    ${sql.val(traces.map(({ mc_seqno }) => mc_seqno))}::integer[]) as k (trace_end_lt, mc_seqno) cross join lateral (
      select ${columns} from actions where trace_end_lt = k.trace_end_lt and mc_seqno = k.mc_seqno
      and substring(action_id for ${sql.lit(HASH_START_BYTES)}) = any(${sql.val(positions.map(({ action_start }) => action_start))}::bytea[])
      offset 0) as a`
}

/** Actions by the end of their traces. */
export const listActions = async (reader: Reader, filter: ActionFilter, page: Page): Promise<Paged<ActionRecord>> => {
  const { types, window, among, account } = filter
  if (types.types.length === 0) return { rows: [], next: undefined }
  if (among === undefined && account !== undefined) return listAccountActions(reader, filter, page)
  const found: Tables['actions'][] = await reader.read(
    among === undefined
      ? allActionsQuery(filter, page).compile(queryBuilder)
      : boundedActionsQuery(filter, page).compile(),
  )
  const { rows, next } = cutPage(found, actionOrder(window), page, (row) =>
    keyOf(window, row, row.trace_id, row.action_id),
  )
  return { rows: rows.map(toActionRecord), next }
}

/** In the order of their positions. Actions deleted meanwhile are left out. */
const listAccountActions = async (reader: Reader, filter: ActionFilter, page: Page): Promise<Paged<ActionRecord>> => {
  const { window } = filter
  const found = await reader.read(accountActionsQuery(filter, page).compile())
  const { rows: positions, next } = cutPage(found, accountOrder(window), page, (row) =>
    keyOf(window, row, row.trace_start, row.action_start),
  )
  if (positions.length === 0) return { rows: [], next }
  const rows = await reader.read(actionsByPositionQuery(positions).compile(queryBuilder))
  const nameOf = (trace: Uint8Array, action: Uint8Array): string => `${startText(trace)} ${startText(action)}`
  const rowOf = new Map(rows.map((row) => [nameOf(row.trace_id, row.action_id), row]))
  const present = positions
    .map(({ trace_start: trace, action_start: action }) => rowOf.get(nameOf(trace, action)))
    .filter((row) => row !== undefined)
  return { rows: present.map(toActionRecord), next }
}

const startText = (hash: Uint8Array): string => keyText(hash.subarray(0, HASH_START_BYTES))

export const traceActionsQuery = (traceIds: readonly Uint8Array[], types: ActionTypes) =>
  queryBuilder
    .selectFrom('actions')
    .select(actionColumns)
    .where(isAnyOf('trace_id', traceIds))
    .where(isAnyOf('type', types.types))
    .where(isNoPart(types))
    .orderBy('start_lt', 'asc')
    .orderBy('end_lt', 'asc')
    .orderBy('action_id', 'asc')

/** The actions of each trace, in order. */
export const findTraceActions = async (
  reader: Reader,
  traceIds: readonly Uint8Array[],
  types: ActionTypes,
): Promise<ActionRecord[]> => {
  if (traceIds.length === 0) return []
  return (await reader.read(traceActionsQuery(traceIds, types).compile())).map(toActionRecord)
}

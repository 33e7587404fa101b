import { type RawBuilder, sql } from 'kysely'
import { cutTo, limitTo, unindexed, whereAll } from './indexScan.ts'
import { type IndexedKey, indexedKeyOf, type MessageKey } from './messageKeys.ts'
import {
  type Bounds,
  isReceivedWithin,
  isUnreceivedWithin,
  type MessageFilter,
  type MessageRow,
  messageConditions,
  receivedSelection,
  tablesOf,
  unreceivedSelection,
} from './messageRecord.ts'
import { anyLt, type Page } from './page.ts'
import type { Condition } from './sql.ts'
import { hashPart } from './sql.ts'
import { isWithinLt } from './transactionFilter.ts'

/** The logical time of external-in messages, which have none: after all others. */
export const NO_LT = anyLt.to

/** The position of a cursor: after a message created at this time or logical time. */
export type MessagePosition = { readonly made: bigint | number; readonly hash: Uint8Array }

type Conditions = readonly Condition[]

/** How the messages of a page are found. */
export type AccessPath =
  /** Collects and sorts all messages that match exactly one of these conditions: they are few. */
  | { readonly kind: 'collected'; readonly received: Conditions; readonly unreceived: Conditions }
  /** Scans the index of a key. `length` limits how many messages are checked against the other filters; all if `undefined`. */
  | { readonly kind: 'scanned'; readonly by: MessageKey; readonly length: number | undefined }

/** The search for the messages of one page. */
export type Search = {
  readonly filter: MessageFilter
  readonly bounds: Bounds
  readonly accessPath: AccessPath
  readonly order: 'lt' | 'time'
  /** The cursor position, and its order. */
  readonly after: MessagePosition | undefined
  readonly afterOrder: 'lt' | 'time'
  /** Number of rows from the start of the list. */
  readonly depth: number
}

type Columns = { readonly lt: string; readonly time: string; readonly hash: string }

const receivedColumns: Columns = { lt: 't.in_created_lt', time: 't.in_created_at', hash: 't.in_hash' }
const unreceivedColumns: Columns = { lt: 'u.created_lt', time: 'u.created_at', hash: 'u.hash' }

type Part = RawBuilder<unknown>

/** The key as indexed in a table. `undefined` if the index is by logical time alone. */
const keyOf = ({ filter, accessPath }: Search, table: 't' | 'u'): IndexedKey | undefined =>
  accessPath.kind === 'collected' || accessPath.by === 'lt' ? undefined : indexedKeyOf(filter, accessPath.by, table)

const isAfter = ({ after, afterOrder, filter }: Search, columns: Columns): Condition[] => {
  if (after === undefined) return []
  const sign = sql.raw(filter.direction === 'asc' ? '>' : '<')
  const refs = sql`${sql.ref(columns[afterOrder])}, ${sql.ref(columns.hash)}`
  return [sql<boolean>`(${refs}) ${sign} (${sql.val(after.made)}, ${sql.val(after.hash)})`]
}

const inOrder = (search: Search, columns: Columns, key: IndexedKey | undefined): Part => {
  const { order, filter } = search
  const direction = sql.raw(filter.direction)
  const first = key === undefined || order === 'time' ? sql`` : sql`${key.column} ${direction}, `
  return sql`order by ${first}${sql.ref(columns[order])} ${direction}, ${sql.ref(columns.hash)} ${direction}`
}

/**
 * Messages with a key within a window. The key is compared as a range: for an equality the planner knows that it does not affect
 * the order, and may scan all messages for a rare one, or sort all of a busy key.
 */
const isOfKey = (search: Search, { column, value, present }: IndexedKey, lt: string): Condition[] => {
  const { from, to } = ltOf(search)
  const position = sql`(${column}, ${sql.ref(lt)})`
  return [
    ...present,
    sql<boolean>`${position} >= (${value}, ${sql.val(from)})`,
    sql<boolean>`${position} <= (${value}, ${sql.val(to)})`,
  ]
}

/**
 * Received messages in the order of times, which are all sorted, whatever the index. The planner takes a range of keys for a ninth of the
 * table, and reads a large one whole instead. It knows better how few messages have a key.
 */
const isOfTimedKey = (search: Search, { column, value, present }: IndexedKey, lt: string): Condition[] => [
  ...present,
  sql<boolean>`${column} = ${value}`,
  ...isWithinLt(lt, ltOf(search)),
]

/** The logical times of a search, narrowed by its cursor. */
const ltOf = ({ filter, bounds, after, afterOrder }: Search): Bounds['lt'] => {
  if (after === undefined || afterOrder !== 'lt') return bounds.lt
  const made = BigInt(after.made)
  const { from, to } = bounds.lt
  return filter.direction === 'asc' ? { from: made > from ? made : from, to } : { from, to: made < to ? made : to }
}

/** Rows of one table: conditions served by an index in their order, and conditions checked row by row. */
type Rows = {
  readonly table: Part
  readonly name: 't' | 'u'
  readonly indexFilters: Conditions
  readonly rowFilters: Conditions
  readonly by: Part
}

const collect = ({ table, name, indexFilters, rowFilters }: Rows, led: Conditions): Part => {
  const all = sql.join(
    led.map((condition) => sql`select * from ${table} where ${condition}`),
    sql` union all `,
  )
  return sql`(${all} offset 0) as ${sql.table(name)} ${whereAll([...indexFilters, ...rowFilters])}`
}

const scan = ({ table, name, indexFilters, rowFilters, by }: Rows, length: number | undefined): Part =>
  rowFilters.length === 0 || length === undefined
    ? sql`${table} ${whereAll([...indexFilters, ...rowFilters.map(unindexed)])}`
    : sql`(select * from ${table} ${whereAll(indexFilters)} ${by} limit ${sql.val(length)}) as ${sql.table(name)} ${whereAll(rowFilters)}`

/** Splits conditions into those that nearly all rows of the index match, and those to be checked row by row. */
const splitConditions = (search: Search, table: 't' | 'u'): { easy: Conditions; rowFilters: Conditions } => {
  const { accessPath, filter } = search
  // Most messages are of the requested kind.
  const { kinds, ...others } = messageConditions(filter, table)
  if (accessPath.kind === 'collected') return { easy: kinds, rowFilters: Object.values(others).flat() }
  const served: readonly string[] = keyOf(search, table)?.serves ?? []
  const entries = Object.entries(others)
  return {
    easy: [
      ...(accessPath.by === 'lt' ? kinds : kinds.map(unindexed)),
      ...entries.flatMap(([name, own]) => (served.includes(name) ? own.map(unindexed) : [])),
    ],
    rowFilters: entries.flatMap(([name, own]) => (served.includes(name) ? [] : own)),
  }
}

const insideRows = (search: Search, name: 't' | 'u'): Rows => {
  const { bounds } = search
  const isReceived = name === 't'
  const columns = isReceived ? receivedColumns : unreceivedColumns
  const key = keyOf(search, name)
  const ofKey = isReceived && search.order === 'time' ? isOfTimedKey : isOfKey
  // The range of a key includes the window. A separate window would make the planner choose the index by logical time.
  const window = key === undefined ? bounds : { lt: anyLt, time: bounds.time }
  const { easy, rowFilters } = splitConditions(search, name)
  return {
    table: isReceived ? sql`transactions as t` : sql`unreceived_messages as u`,
    name,
    indexFilters: [
      ...(isReceived ? isReceivedWithin(window) : isUnreceivedWithin(window)),
      ...(key === undefined ? [] : ofKey(search, key, columns.lt)),
      ...easy,
      ...isAfter(search, columns),
    ],
    rowFilters,
    by: inOrder(search, columns, key),
  }
}

const isExternal: Conditions = [sql<boolean>`t.in_created_lt is null`, sql<boolean>`t.in_hash is not null`]

/** External-in messages, by hash. */
const externalRows = (search: Search): Rows => {
  const { filter, after } = search
  const direction = sql.raw(filter.direction)
  const key = externalKeyOf(search)
  const { easy, rowFilters } = splitConditions(search, 't')
  const first = key === undefined ? sql`` : sql`${key.column} ${direction}, `
  return {
    table: isByBody(search) ? externalsOfBody(search) : sql`transactions as t`,
    name: 't',
    indexFilters: [
      ...isExternal,
      ...(key === undefined ? [] : isOfExternalKey(filter, key, after)),
      ...isAfterExternal(filter, after),
      ...easy,
    ],
    rowFilters,
    by: sql`order by ${first}${hashPart(sql`t.in_hash`)} ${direction}, t.in_hash ${direction}, t.lt desc`,
  }
}

const isByBody = ({ accessPath }: Search): boolean => accessPath.kind === 'scanned' && accessPath.by === 'body'

/** No index has external-in messages of a body by hash. Signed bodies are unique, so they are few. */
const externalsOfBody = (search: Search): Part => {
  const { column, value } = keyOf(search, 't')!
  const conditions = [...isExternal, sql<boolean>`${column} = ${value}`]
  return sql`(select * from transactions as t ${whereAll(conditions)} offset 0) as t`
}

/** The key of an index with external-in messages by hash. */
const externalKeyOf = (search: Search): IndexedKey | undefined => (isByBody(search) ? undefined : keyOf(search, 't'))

const isAfterExternal = ({ direction }: MessageFilter, after: MessagePosition | undefined): Condition[] => {
  if (after === undefined || after.made !== NO_LT) return []
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  const part = hashPart(sql`${sql.val(after.hash)}::bytea`)
  return [
    sql<boolean>`${hashPart(sql`t.in_hash`)} ${sign}= ${part}`,
    sql<boolean>`t.in_hash ${sign} ${sql.val(after.hash)}`,
  ]
}

const [LOWEST_HASH, HIGHEST_HASH] = [new Uint8Array(32), new Uint8Array(32).fill(0xff)]

/** As {@link isOfKey}, by hash. */
const isOfExternalKey = (
  { direction }: MessageFilter,
  { column, value, present }: IndexedKey,
  after: MessagePosition | undefined,
): Condition[] => {
  const position = sql`(${column}, ${hashPart(sql`t.in_hash`)})`
  const reached = after === undefined || after.made !== NO_LT ? undefined : after.hash
  const low = (direction === 'asc' ? reached : undefined) ?? LOWEST_HASH
  const high = (direction === 'desc' ? reached : undefined) ?? HIGHEST_HASH
  return [
    ...present,
    sql<boolean>`${position} >= (${value}, ${hashPart(sql`${sql.val(low)}::bytea`)})`,
    sql<boolean>`${position} <= (${value}, ${hashPart(sql`${sql.val(high)}::bytea`)})`,
  ]
}

const branch = (search: Search, name: 't' | 'u'): Part => {
  const { accessPath, depth } = search
  const rows = insideRows(search, name)
  const selection = name === 't' ? receivedSelection : unreceivedSelection
  const from =
    accessPath.kind === 'collected'
      ? collect(rows, name === 't' ? accessPath.received : accessPath.unreceived)
      : scan(rows, accessPath.length)
  return sql`(select ${selection} from ${from} ${rows.by} limit ${sql.val(depth)})`
}

/** More than any table has. */
const EVERY = 2n ** 62n

/**
 * By hash. A message received by several transactions is listed with the last of them. The rows are sorted before DISTINCT ON,
 * with a limit that never cuts: servers before 16 would otherwise sort the whole table; the limit makes them use the index order.
 */
const externalBranch = (search: Search): Part => {
  const { filter, accessPath, depth } = search
  const rows = externalRows(search)
  const from = accessPath.kind === 'collected' ? collect(rows, accessPath.received) : scan(rows, accessPath.length)
  const key = externalKeyOf(search)
  const direction = sql.raw(filter.direction)
  const parts = sql`${key === undefined ? sql`` : sql`${key.column} as key_part, `}${hashPart(sql`t.in_hash`)} as hash_part`
  const ordered = sql`select t.*, ${parts} from ${from} ${rows.by} limit ${sql.val(EVERY)}`
  const columns = [...(key === undefined ? [] : [sql`t.key_part`]), sql`t.hash_part`, sql`t.in_hash`]
  const by = sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}, t.lt desc`
  return sql`(select distinct on (${sql.join(columns)}) ${receivedSelection} from (${ordered}) as t ${by} limit ${sql.val(depth)})`
}

/** The first messages of a search from all tables; `undefined` if there cannot be any. */
export const searchQuery = (search: Search): Part | undefined => {
  const branches = branchesOf(search).map((name) =>
    name === 'external' ? externalBranch(search) : branch(search, name),
  )
  return branches.length === 0 ? undefined : sql.join(branches, sql` union all `)
}

const branchesOf = ({ filter, order, after }: Search): ('t' | 'u' | 'external')[] => {
  const { received, external, unreceived } = tablesOf(filter)
  const hasInside = after?.made !== NO_LT || filter.direction === 'desc'
  const hasOutside = after === undefined || after.made === NO_LT || filter.direction === 'asc'
  return [
    ...(received && hasInside ? (['t'] as const) : []),
    ...(unreceived && hasInside ? (['u'] as const) : []),
    ...(external && order === 'lt' && hasOutside ? (['external'] as const) : []),
  ]
}

/** Whether there can be any messages. */
export const canMatch = (search: Search): boolean => branchesOf(search).length > 0

/** A page of a search. */
export const messagesPageQuery = (search: Search, page: Page): RawBuilder<MessageRow> | undefined => {
  const found = searchQuery(search)
  if (found === undefined) return undefined
  const direction = sql.raw(search.filter.direction)
  const made = search.order === 'time' ? sql`m.created_at` : sql`coalesce(m.created_lt, ${sql.lit(NO_LT)})`
  return sql<MessageRow>`select m.* from (${found}) as m order by ${made} ${direction}, m.hash ${direction} ${cutTo(page)}`
}

/** Returns a row if the scans of a search were too short. */
export const searchEndQuery = (search: Search): RawBuilder<{ one: number }> | undefined => {
  const { accessPath } = search
  if (accessPath.kind === 'collected' || accessPath.length === undefined) return undefined
  const { length } = accessPath
  const walks = branchesOf(search)
    .map((name) => (name === 'external' ? externalRows(search) : insideRows(search, name)))
    .filter(({ rowFilters }) => rowFilters.length > 0)
  if (walks.length === 0) return undefined
  const ends = walks.map(
    ({ table, indexFilters, by }) =>
      sql`(select 1 as one from ${table} ${whereAll(indexFilters)} ${by} ${limitTo(1, length)})`,
  )
  return sql<{ one: number }>`${sql.join(ends, sql` union all `)}`
}

/** Number of messages with a key, counted up to `most`. */
export const keyCountQuery = (search: Search, most: number): RawBuilder<{ count: bigint }> => {
  const counts = branchesOf(search).map((name) => {
    const { table, indexFilters, by } = name === 'external' ? externalRows(search) : insideRows(search, name)
    return sql`(select count(*) from (select 1 from ${table} ${whereAll(indexFilters)} ${by} limit ${sql.val(most)}) as found)`
  })
  return sql<{ count: bigint }>`select ${counts.length === 0 ? sql`0::bigint` : sql.join(counts, sql` + `)} as count`
}

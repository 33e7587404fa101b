import { type RawBuilder, sql } from 'kysely'
import { toHex } from '../../primitives/hex.ts'
import type { Tables } from '../schema/tables.ts'
import { afterCursor, type KeyValue, type Order, type OrderColumn, type Page, reachAfter } from './page.ts'
import { isAnyOf } from './sql.ts'

/** Rows with one of these keys in a column. */
export type Arm = {
  readonly column: string
  readonly keys: readonly Uint8Array[]
  /** Whether the index is partial, without nulls. */
  readonly isPartial?: boolean
}

/** Bounds of the first sort column of a page, both ends included. */
export type Reach = { readonly from: KeyValue; readonly to: KeyValue }

export type UnionQueryParts<T extends keyof Tables, C extends keyof Tables[T] & string> = {
  readonly table: T
  readonly columns: readonly C[]
  /** Rows of any arm; all rows of the table if there are none. */
  readonly arms: readonly Arm[]
  readonly where: readonly RawBuilder<boolean>[]
  /** A total order; its columns are selected. */
  readonly order: readonly OrderColumn[]
  /** Given if the indexes of all arms continue with the first sort column. */
  readonly reach?: Reach | undefined
  readonly limit: number
  readonly offset?: number
}

/**
 * The first rows, in an order, of those with one of many keys. A scan by `= any(keys)` would read and sort all rows; here the
 * first rows of every key of every arm are merged into a page. A row in several arms appears once: each of the first rows overall
 * is among the first rows of every list it is in.
 */
export const unionQuery = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnionQueryParts<T, C>,
): RawBuilder<Pick<Tables[T], C>> => {
  const { arms, order, limit, offset = 0 } = parts
  const [arm] = arms
  if (arm === undefined) return sql`${listOf(parts, [])} ${cut(limit, offset)}`
  const keys = distinct(arm.keys)
  if (arms.length === 1 && keys.length === 1) {
    return sql`${listOfKey(parts, arm, sql.val(keys[0]))} ${cut(limit, offset)}`
  }
  const lists = arms.map((each) => listsOfKeys(parts, each))
  if (arms.length === 1) return sql`${lists[0]!} ${orderBy(order)} ${cut(limit, offset)}`
  const united = sql.join(
    lists.map((each) => sql`(${each})`),
    sql` union all `,
  )
  const names = sql.join(order.map(({ column }) => sql.ref(column)))
  return sql`select distinct on (${names}) * from (${united}) as united ${orderBy(order)} ${cut(limit, offset)}`
}

/** The first rows of each key, as many as the page may need. */
const listsOfKeys = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnionQueryParts<T, C>,
  arm: Arm,
): RawBuilder<unknown> => {
  const { limit, offset = 0 } = parts
  const keys = distinct(arm.keys)
  if (keys.length === 1 && parts.reach !== undefined) {
    return sql`${listOfKey(parts, arm, sql.val(keys[0]))} ${cut(limit + offset, 0)}`
  }
  const list = sql`${listOfKey(parts, arm, sql`asked.key`)} ${cut(limit + offset, 0)}`
  const asked = sql`unnest(${sql.val(keys)}::bytea[]) as asked (key)`
  return sql`select found.* from ${asked} cross join lateral (${list}) as found`
}

/**
 * The list of one key. If an index has it in order, keys are compared as row ranges: equivalent to equality, but the planner,
 * which only knows the average number of rows per key, cannot choose to fetch and sort all of them, which takes long for a key
 * with millions.
 */
const listOfKey = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnionQueryParts<T, C>,
  { column, isPartial = false }: Arm,
  key: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const { reach, order } = parts
  const name = sql.ref(column)
  if (reach === undefined) return listOf(parts, [sql`${name} = ${key}`])
  const { column: next, direction } = order[0]!
  const position = sql`(${name}, ${sql.ref(next)})`
  const between = [
    sql`${position} >= (${key}, ${sql.val(reach.from)})`,
    sql`${position} <= (${key}, ${sql.val(reach.to)})`,
  ]
  const present = isPartial ? [sql`${name} is not null`] : []
  return listOf({ ...parts, order: [{ column, direction }, ...order] }, [...between, ...present])
}

const listOf = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  { table, columns, where, order }: UnionQueryParts<T, C>,
  more: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> => {
  const conditions = [...more, ...where]
  const filter = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)} `
  return sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)} ${filter}${orderBy(order)}`
}

const orderBy = (order: readonly OrderColumn[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(order.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

const cut = (limit: number, offset: number): RawBuilder<unknown> =>
  offset === 0 ? sql`limit ${sql.val(limit)}` : sql`limit ${sql.val(limit)} offset ${sql.val(offset)}`

const distinct = (keys: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(keys.map((key) => [toHex(key), key])).values(),
]

export type ContractsFilter<T extends keyof Tables, C extends keyof Tables[T] & string> = {
  readonly table: T
  readonly columns: readonly C[]
  readonly addresses: readonly Uint8Array[] | undefined
  /** Owners, searched by index if no addresses are given. */
  readonly owners: Omit<Arm, 'keys'> & { readonly keys: readonly Uint8Array[] | undefined }
}

/** Contracts of a kind in order of discovery: by address, by owner, or all. */
export const contractsQuery = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  { table, columns, addresses, owners }: ContractsFilter<T, C>,
  order: Order,
  page: Page,
) => {
  const { keys, ...arm } = owners
  const where: RawBuilder<boolean>[] = []
  if (addresses !== undefined) where.push(isAnyOf('address', addresses))
  if (addresses !== undefined && keys !== undefined) where.push(isAnyOf(arm.column, keys))
  if (page.after !== undefined) where.push(afterCursor(order, page.after))
  return unionQuery({
    table,
    columns,
    arms: addresses === undefined && keys !== undefined ? [{ ...arm, keys }] : [],
    where,
    order: order.columns,
    reach: reachAfter(order, page),
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
}

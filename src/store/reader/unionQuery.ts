import { type RawBuilder, sql } from 'kysely'
import { toHex } from '../../primitives/hex.ts'
import type { Tables } from '../schema/tables.ts'
import { afterCursor, type KeyValue, type Order, type OrderColumn, type Page, reachAfter } from './page.ts'
import { isAnyOf } from './sql.ts'

/** Rows that have one of these keys in a column. */
export type Arm = {
  readonly column: string
  readonly keys: readonly Uint8Array[]
  /** Whether the index has only rows in which the column is not null. */
  readonly isPartial?: boolean
}

/** Values of the first column of an order between which a page is; both ends included. */
export type Reach = { readonly from: KeyValue; readonly to: KeyValue }

export type UnitedParts<T extends keyof Tables, C extends keyof Tables[T] & string> = {
  readonly table: T
  readonly columns: readonly C[]
  /** Rows of any of them; all rows of the table where there is none. */
  readonly arms: readonly Arm[]
  readonly where: readonly RawBuilder<boolean>[]
  /** Total: its columns are among those selected. */
  readonly order: readonly OrderColumn[]
  /** Where the indexes of all arms go on with the first column of the order. */
  readonly reach?: Reach | undefined
  readonly limit: number
  readonly offset?: number
}

/**
 * The first rows, in an order, of those that have one of many keys. A scan by `= any(keys)` would read and sort all that there is;
 * here every key of every arm gives the beginning of its own list, of which one page is made. A row that several arms have is in
 * it once: each of the first rows of the whole is among the first of every list that it is in.
 */
export const unitedQuery = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnitedParts<T, C>,
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

/** For each key the beginning of its list, as far as the page may go. */
const listsOfKeys = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnitedParts<T, C>,
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
 * The list of one key. Where an index has it in order it is compared by rows: this is the same as equality, but the planner, who
 * knows how many rows a key has on average only, cannot then think of fetching all of them and sorting, which for a key
 * that has millions takes as long.
 */
const listOfKey = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  parts: UnitedParts<T, C>,
  { column, isPartial = false }: Arm,
  key: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const { reach, order } = parts
  const name = sql.ref(column)
  if (reach === undefined) return listOf(parts, [sql`${name} = ${key}`])
  const { column: next, direction } = order[0]!
  const place = sql`(${name}, ${sql.ref(next)})`
  const between = [sql`${place} >= (${key}, ${sql.val(reach.from)})`, sql`${place} <= (${key}, ${sql.val(reach.to)})`]
  const present = isPartial ? [sql`${name} is not null`] : []
  return listOf({ ...parts, order: [{ column, direction }, ...order] }, [...between, ...present])
}

const listOf = <T extends keyof Tables, C extends keyof Tables[T] & string>(
  { table, columns, where, order }: UnitedParts<T, C>,
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
  /** Whose they are: led by an index where no addresses are named. */
  readonly owners: Omit<Arm, 'keys'> & { readonly keys: readonly Uint8Array[] | undefined }
}

/** Contracts of a kind, in the order in which they were discovered: those of some addresses, of some owners, or all. */
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
  return unitedQuery({
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

import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { DatabaseTimeoutError, QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { afterCursor, type Order, type Page } from './page.ts'
import type { Condition } from './sql.ts'

/**
 * How many rows in their order are looked at for those that fulfil a condition, where no index leads to them: a few first, and then all,
 * for as long as a query may take.
 */
const WALK_LENGTHS: readonly [number, undefined] = [2000, undefined]

export const whereAll = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

/**
 * A condition that is compared only with rows that an index has led to, and holds for nearly all of them. In this form no other index
 * serves it, and the server does not take it for one that leaves so few rows that they may be sorted.
 */
export const unindexed = (condition: Condition): Condition => sql<boolean>`coalesce(${condition}, false)`

export const orderBy = ({ columns }: Order): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

export const limitTo = (limit: number, offset: number): RawBuilder<unknown> =>
  offset === 0 ? sql`limit ${sql.val(limit)}` : sql`limit ${sql.val(limit)} offset ${sql.val(offset)}`

export const cutTo = ({ limit, offset, after }: Page): RawBuilder<unknown> =>
  limitTo(limit + 1, after === undefined ? offset : 0)

/** A key that an index begins with, before the order of the walk. */
export type WalkKey = { readonly column: RawBuilder<unknown>; readonly direction: 'asc' | 'desc' }

export type Walk = {
  /** A table under the name that the columns of the order and the conditions have. */
  readonly from: RawBuilder<unknown>
  readonly name: string
  /** What an index in the order of the walk serves. */
  readonly within: readonly Condition[]
  /** What is looked at row by row. */
  readonly kept: readonly Condition[]
  readonly key?: WalkKey | undefined
  readonly order: Order
  readonly page: Page
}

const ordered = ({ from, within, order, page, key }: Walk, select: RawBuilder<unknown>): RawBuilder<unknown> => {
  const conditions = page.after === undefined ? within : [...within, afterCursor(order, page.after)]
  return sql`select ${select} from ${from} ${whereAll(conditions)} ${orderByKey(order, key)}`
}

const orderByKey = (order: Order, key: WalkKey | undefined): RawBuilder<unknown> =>
  key === undefined
    ? orderBy(order)
    : sql`order by ${key.column} ${sql.raw(key.direction)}, ${sql.join(order.columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

const walkedRows = ({ page }: Walk, length: number): number => length + (page.after === undefined ? page.offset : 0)

/** A page of rows in an order. Where conditions are looked at row by row, so many rows are, or all. */
export const walkedQuery = <Row>(walk: Walk, length: number | undefined): RawBuilder<Row> => {
  const { kept, order, page, name, within } = walk
  const all = sql`${sql.table(name)}.*`
  if (kept.length === 0 || length === undefined) {
    return sql<Row>`${ordered({ ...walk, within: [...within, ...kept.map(unindexed)] }, all)} ${cutTo(page)}`
  }
  const rows = sql`(${ordered(walk, all)} limit ${sql.val(walkedRows(walk, length))}) as ${sql.table(name)}`
  return sql<Row>`select ${all} from ${rows} ${whereAll(kept)} ${orderBy(order)} ${cutTo(page)}`
}

/** Finds something where a walk was not long enough. */
export const walkEndQuery = (walk: Walk, length: number): RawBuilder<{ one: number }> =>
  sql<{ one: number }>`${ordered(walk, sql`1 as one`)} limit 1 offset ${sql.val(walkedRows(walk, length))}`

/** Tells what a walk of a length found, or that there is more to walk over. */
type Step<Found> = (length: number | undefined) => Promise<Found | 'more'>

/** At most one walk of a process is a long one: whoever asks for what is hard to find waits for others who do, and nobody else does. */
let lastLong: Promise<unknown> = Promise.resolve()
let waiting = 0
const MAX_WAITING = 8

const inTurn = async <Found>(walk: () => Promise<Found>): Promise<Found> => {
  if (waiting >= MAX_WAITING) {
    throw new QueryTooCostlyError('Too many queries of this kind wait already. Try again, or narrow the filter.')
  }
  waiting++
  const walked = lastLong.then(walk).finally(() => waiting--)
  lastLong = walked.catch(() => undefined)
  return walked
}

/** Walks further and further until a page is full or there is no more. Refuses where the database has no time for that. */
export const walkOn = async <Found>(step: Step<Found>, hint: string): Promise<Found> => {
  const [first, all] = WALK_LENGTHS
  const found = await step(first)
  return found === 'more' ? inTurn(() => walkLong(step, all, hint)) : found
}

const walkLong = async <Found>(step: Step<Found>, length: undefined, hint: string): Promise<Found> => {
  try {
    const found = await step(length)
    if (found !== 'more') return found
  } catch (error) {
    if (!(error instanceof DatabaseTimeoutError)) throw error
  }
  throw new QueryTooCostlyError(`Too many rows would have to be looked at one by one. ${hint}`)
}

/** A page of a walk. */
export const walkPage = <Row>(reader: Reader, walk: Walk, hint: string): Promise<readonly Row[]> =>
  walkOn<readonly Row[]>(async (length) => {
    const rows = await reader.read(walkedQuery<Row>(walk, length).compile(queryBuilder))
    if (walk.kept.length === 0 || length === undefined || rows.length > walk.page.limit) return rows
    const [more] = await reader.read(walkEndQuery(walk, length).compile(queryBuilder))
    return more === undefined ? rows : 'more'
  }, hint)

import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { afterCursor, type Order, type Page } from './page.ts'
import type { Condition } from './TransactionsQuestion.ts'

/** How many rows in their order are looked at for those that fulfil a condition, where nothing else leads to them. */
export const MAX_WALKED = 20_000

export const whereAll = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

export const orderBy = ({ columns }: Order): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))}`

export const cutTo = ({ limit, offset, after }: Page): RawBuilder<unknown> =>
  after !== undefined || offset === 0
    ? sql`limit ${sql.val(limit + 1)}`
    : sql`limit ${sql.val(limit + 1)} offset ${sql.val(offset)}`

export type Walk = {
  /** A table under the name that the columns of the order and the conditions have. */
  readonly from: RawBuilder<unknown>
  readonly name: string
  /** What an index in the order of the walk serves. */
  readonly within: readonly Condition[]
  /** What is looked at row by row. */
  readonly kept: readonly Condition[]
  readonly order: Order
  readonly page: Page
}

const ordered = ({ from, within, order, page }: Walk, select: RawBuilder<unknown>): RawBuilder<unknown> => {
  const conditions = page.after === undefined ? within : [...within, afterCursor(order, page.after)]
  return sql`select ${select} from ${from} ${whereAll(conditions)} ${orderBy(order)}`
}

const walkLength = ({ page }: Walk): number => MAX_WALKED + (page.after === undefined ? page.offset : 0)

/** A page of rows in an order. Where conditions are looked at row by row, the walk ends somewhere. */
export const walkedQuery = <Row>(walk: Walk): RawBuilder<Row> => {
  const { kept, order, page, name } = walk
  const all = sql`${sql.table(name)}.*`
  if (kept.length === 0) return sql<Row>`${ordered(walk, all)} ${cutTo(page)}`
  const rows = sql`(${ordered(walk, all)} limit ${sql.val(walkLength(walk))}) as ${sql.table(name)}`
  return sql<Row>`select ${all} from ${rows} ${whereAll(kept)} ${orderBy(order)} ${cutTo(page)}`
}

/** Finds something where a walk was not long enough. */
export const walkEndQuery = (walk: Walk): RawBuilder<{ one: number }> =>
  sql<{ one: number }>`${ordered(walk, sql`1 as one`)} limit 1 offset ${sql.val(walkLength(walk))}`

/** Walks, and refuses where there is more to walk over and the page is not full yet. */
export const walkPage = async <Row>(reader: Reader, walk: Walk, hint: string): Promise<Row[]> => {
  const rows = await reader.read(walkedQuery<Row>(walk).compile(queryBuilder))
  if (walk.kept.length === 0 || rows.length > walk.page.limit) return rows
  const [more] = await reader.read(walkEndQuery(walk).compile(queryBuilder))
  if (more === undefined) return rows
  throw new QueryTooCostlyError(`More than ${MAX_WALKED} rows would have to be looked at one by one. ${hint}`)
}

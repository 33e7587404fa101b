import type { RawBuilder } from 'kysely'
import type { Tables } from '../tables.ts'
import { reachAfter } from './bySince.ts'
import { isAnyOf } from './isAnyOf.ts'
import { afterCursor, type Order, type Page } from './page.ts'
import { type Arm, unitedQuery } from './unitedQuery.ts'

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

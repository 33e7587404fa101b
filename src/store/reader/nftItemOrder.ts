import { type RawBuilder, sql } from 'kysely'
import { CursorRefusedError } from '../errors.ts'
import { bySince } from './bySince.ts'
import { afterCursor, type Cursor, type KeyValue, type Order } from './page.ts'

/** What an item is ordered by. `holder` is its owner, or who has it for sale where that is asked for. */
export type ItemKeys = {
  readonly since_lt: bigint
  readonly last_lt: bigint
  readonly index: bigint
  readonly address: Uint8Array
  readonly collection_address: Uint8Array | null
  readonly holder: Uint8Array | null
}

const uniform = (name: string, direction: 'asc' | 'desc', columns: readonly string[]): Order => ({
  name,
  columns: columns.map((column) => ({ column, direction })),
})

export const byLastLt = uniform('last lt', 'desc', ['last_lt', 'address'])
export const byIndex = uniform('index', 'asc', ['index', 'address'])
export const bySinceLt = bySince()

const holderColumns = ['holder', 'collection_address', 'index', 'address']
/** Items without a collection come last. */
export const byOwner = uniform('owner', 'asc', holderColumns)
export const byRealOwner = uniform('real owner', 'asc', holderColumns)

/** A place among the items of owners; without a collection it has the empty key. */
type HolderPlace = {
  readonly holder: Uint8Array
  readonly collection: Uint8Array | undefined
  readonly rest: RawBuilder<unknown>
}

export const itemKeyOf = (order: Order, row: ItemKeys): KeyValue[] =>
  order.columns.map(({ column }) => {
    if (column === 'collection_address') return row.collection_address ?? new Uint8Array(0)
    return row[column as 'since_lt' | 'last_lt' | 'index' | 'address' | 'holder'] ?? new Uint8Array(0)
  })

export const isByHolder = ({ name }: Order): boolean => name === byOwner.name || name === byRealOwner.name

export const readHolderPlace = (order: Order, { order: name, key }: Cursor): HolderPlace => {
  const [holder, collection, index, address] = key
  const isOne = name === order.name && key.length === 4 && typeof index === 'bigint'
  if (!isOne || !(holder instanceof Uint8Array && collection instanceof Uint8Array && address instanceof Uint8Array)) {
    throw new CursorRefusedError()
  }
  return {
    holder,
    collection: collection.length === 0 ? undefined : collection,
    rest: sql`(i.index, i.address) > (${sql.val(index)}, ${sql.val(address)})`,
  }
}

/** What holds for items after a place, where no index is to find them. */
export const afterItem = (order: Order, cursor: Cursor, holder: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (!isByHolder(order)) return afterCursor(qualified(order), cursor)
  const place = readHolderPlace(order, cursor)
  const { collection, rest } = place
  const inCollection =
    collection === undefined
      ? sql`i.collection_address is null and ${rest}`
      : sql`(i.collection_address > ${sql.val(collection)} or i.collection_address is null or i.collection_address = ${sql.val(collection)} and ${rest})`
  return sql`(${holder} > ${sql.val(place.holder)} or ${holder} = ${sql.val(place.holder)} and ${inCollection})`
}

/** Sales have some of the columns, too. */
const qualified = ({ name, columns }: Order): Order => ({
  name,
  columns: columns.map(({ column, direction }) => ({ column: `i.${column}`, direction })),
})

import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import { isAnyOf } from './isAnyOf.ts'
import type { NftItemFilter } from './NftItemFilter.ts'
import { afterItem, isByHolder, readHolderPlace } from './nftItemOrder.ts'
import type { Order, Page } from './page.ts'

/** Items with their columns and `holder`, in the order that is asked for, as many as a page can need. */
type Part = RawBuilder<unknown>

const columns = sql`i.since_lt, i.last_lt, i.init, i.index, i.address, i.collection_address, i.owner_address, i.code_hash, i.data_hash, i.content`
const direct = sql`i.owner_address`
const kinds = sql`s.kind in ('getgems_sale', 'getgems_auction')`

/** For sale by somebody else than its owner says. */
const isSold = sql<boolean>`exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and ${kinds})`

/** The lists that items of a page can be in. Each is one scan of an index, from where the page begins, as far as it can go. */
export const listItemParts = (filter: NftItemFilter, order: Order, page: Page): Part[] => {
  const { owners, includeOnSale } = filter
  const cut = cutTo(order, page)
  if (owners === undefined || !includeOnSale) return listDirect(filter, order, page, [], cut)
  return [...listDirect(filter, order, page, [sql`not ${isSold}`], cut), listSold(filter, owners, order, page, cut)]
}

const cutTo = (order: Order, { limit, offset, after }: Page): RawBuilder<unknown> => {
  const orderBy = sql.join(order.columns.map(({ column, direction }) => sql`${nameOf(column)} ${sql.raw(direction)}`))
  return sql` order by ${orderBy} limit ${sql.val(limit + 1 + (after === undefined ? offset : 0))}`
}

const nameOf = (column: string): RawBuilder<unknown> =>
  column === 'holder' ? sql.ref('holder') : sql.ref(`i.${column}`)

/** What is asked of items whoever holds them. */
const conditionsOf = ({ addresses, collections, indexes }: NftItemFilter): RawBuilder<boolean>[] => [
  ...(addresses === undefined ? [] : [isAnyOf('i.address', addresses)]),
  ...(collections === undefined ? [] : [isAnyCollection(collections)]),
  ...(indexes === undefined ? [] : [sql<boolean>`i.index = any(${sql.val(indexes)}::numeric[])`]),
]

/** One of them leaves the order of the index behind it in place. */
const isAnyCollection = (collections: readonly Uint8Array[]): RawBuilder<boolean> =>
  collections.length === 1
    ? sql`i.collection_address = ${sql.val(collections[0])}`
    : isAnyOf('i.collection_address', collections)

const listDirect = (
  filter: NftItemFilter,
  order: Order,
  page: Page,
  more: readonly RawBuilder<boolean>[],
  cut: RawBuilder<unknown>,
): Part[] => {
  const { addresses, owners } = filter
  const { after } = page
  const where = [...conditionsOf(filter), ...more]
  const select = (conditions: readonly RawBuilder<boolean>[]): Part => {
    const asked = [...conditions, ...where]
    const condition = asked.length === 0 ? sql`` : sql` where ${sql.join(asked, sql` and `)}`
    return sql`select ${columns}, ${direct} as holder from nft_items as i${condition}${cut}`
  }
  if (owners !== undefined && addresses === undefined) {
    if (isByHolder(order))
      return after === undefined ? [select([isHeld(owners)])] : continueHeld(owners, order, page, select)
    if (order.name === 'index') return [listForEach(owners, [...where, ...afterOf(order, page)], cut)]
  }
  return [select([...(owners === undefined ? [] : [isHeld(owners)]), ...afterOf(order, page)])]
}

const isHeld = (owners: readonly Uint8Array[]): RawBuilder<boolean> =>
  owners.length === 1 ? sql`i.owner_address = ${sql.val(owners[0])}` : isAnyOf('i.owner_address', owners)

const afterOf = (order: Order, { after }: Page, holder: RawBuilder<unknown> = direct): RawBuilder<boolean>[] =>
  after === undefined ? [] : [afterItem(order, after, holder)]

/** From a place on: the rest of its owner's items in collections, those in none, and all of the owners behind. */
const continueHeld = (
  owners: readonly Uint8Array[],
  order: Order,
  { after }: Page,
  select: (conditions: readonly RawBuilder<boolean>[]) => Part,
): Part[] => {
  const { holder, collection, rest } = readHolderPlace(order, after!)
  const isHolder = isHeld([holder])
  const behind = owners.filter((owner) => compareBytes(owner, holder) > 0)
  const isAsked = owners.some((owner) => compareBytes(owner, holder) === 0)
  const own =
    collection === undefined
      ? [select([isHolder, sql`i.collection_address is null`, sql`${rest}`])]
      : [
          select([isHolder, sql`i.collection_address > ${sql.val(collection)}`]),
          select([isHolder, sql`i.collection_address = ${sql.val(collection)}`, sql`${rest}`]),
          select([isHolder, sql`i.collection_address is null`]),
        ]
  return [...(isAsked ? own : []), ...(behind.length === 0 && isAsked ? [] : [select([isHeld(behind)])])]
}

/** In an order that has nothing to do with who holds them, every owner has a list of his own. */
const listForEach = (
  owners: readonly Uint8Array[],
  where: readonly RawBuilder<boolean>[],
  cut: RawBuilder<unknown>,
): Part => {
  const condition = sql.join([sql`i.owner_address = asked.key`, ...where], sql` and `)
  const list = sql`select ${columns}, ${direct} as holder from nft_items as i where ${condition}${cut}`
  const asked = sql`(select distinct key from unnest(${sql.val(owners)}::bytea[]) as given (key)) as asked`
  return sql`select found.* from ${asked} cross join lateral (${list}) as found`
}

/** Items that these have for sale. */
const listSold = (
  filter: NftItemFilter,
  owners: readonly Uint8Array[],
  order: Order,
  page: Page,
  cut: RawBuilder<unknown>,
): Part => {
  const seller = sql`s.nft_owner_address`
  const condition = sql.join(
    [isAnyOf('s.nft_owner_address', owners), kinds, ...conditionsOf(filter), ...afterOf(order, page, seller)],
    sql` and `,
  )
  return sql`select ${columns}, ${seller} as holder from nft_sales as s join nft_items as i on i.address = s.nft_address and i.owner_address = s.address where ${condition}${cut}`
}

import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { findOwnerItems, type ItemRow } from './distributedItems.ts'
import type { NftCollection } from './nfts.ts'
import {
  afterCursor,
  batchPages,
  bySince,
  type Cursor,
  cutPage,
  type KeyValue,
  type Order,
  type Page,
  type Paged,
} from './page.ts'
import { isAnyOf } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

/** Filter of items. */
export type NftItemFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
  /** More than one only together with an owner. */
  readonly collections: readonly Uint8Array[] | undefined
  readonly indexes: readonly bigint[] | undefined
  /** Whether an item on sale counts as held by its seller. */
  readonly includeOnSale: boolean
  readonly byLastLt: boolean
}

/** Sort keys of an item. `holder` is the owner or, if requested, the seller. */
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

const byLastLt = uniform('last lt', 'desc', ['last_lt', 'address'])
const byIndex = uniform('index', 'asc', ['index', 'address'])
const bySinceLt = bySince()

const holderColumns = ['holder', 'collection_address', 'index', 'address']
/** Items without a collection come last. */
const byOwner = uniform('owner', 'asc', holderColumns)
const byRealOwner = uniform('real owner', 'asc', holderColumns)

/** A position among the items of owners; the collection key is empty for items without one. */
type HolderPosition = {
  readonly holder: Uint8Array
  readonly collection: Uint8Array | undefined
  readonly rest: RawBuilder<unknown>
}

const itemKeyOf = (order: Order, row: ItemKeys): KeyValue[] =>
  order.columns.map(({ column }) => {
    if (column === 'collection_address') return row.collection_address ?? new Uint8Array(0)
    return row[column as 'since_lt' | 'last_lt' | 'index' | 'address' | 'holder'] ?? new Uint8Array(0)
  })

const isByHolder = ({ name }: Order): boolean => name === byOwner.name || name === byRealOwner.name

const readHolderPosition = (order: Order, { order: name, key }: Cursor): HolderPosition => {
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

/** The condition for items after a position, not served by an index. */
const afterItem = (order: Order, cursor: Cursor, holder: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (!isByHolder(order)) return afterCursor(qualified(order), cursor)
  const position = readHolderPosition(order, cursor)
  const { collection, rest } = position
  const inCollection =
    collection === undefined
      ? sql`i.collection_address is null and ${rest}`
      : sql`(i.collection_address > ${sql.val(collection)} or i.collection_address is null or i.collection_address = ${sql.val(collection)} and ${rest})`
  return sql`(${holder} > ${sql.val(position.holder)} or ${holder} = ${sql.val(position.holder)} and ${inCollection})`
}

/** Sales share some column names. */
const qualified = ({ name, columns }: Order): Order => ({
  name,
  columns: columns.map(({ column, direction }) => ({ column: `i.${column}`, direction })),
})

/** Items with their columns and `holder`, in the requested order, as many as a page can need. */
type Part = RawBuilder<unknown>

const columns = sql`i.since_lt, i.last_lt, i.init, i.index, i.address, i.collection_address, i.owner_address, i.code_hash, i.data_hash, i.content`
const direct = sql`i.owner_address`
const kinds = sql`s.kind in ('getgems_sale', 'getgems_auction')`

/** On sale: the owner of the item is a sale contract. */
const isSold = sql<boolean>`exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and ${kinds})`

/** The lists that may contain items of the page. Each is one bounded index scan from where the page begins. */
const listItemParts = (filter: NftItemFilter, order: Order, page: Page): Part[] => {
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

/** Conditions that do not depend on the holder. */
const conditionsOf = ({ addresses, collections, indexes }: NftItemFilter): RawBuilder<boolean>[] => [
  ...(addresses === undefined ? [] : [isAnyOf('i.address', addresses)]),
  ...(collections === undefined ? [] : [isAnyCollection(collections)]),
  ...(indexes === undefined ? [] : [sql<boolean>`i.index = any(${sql.val(indexes)}::numeric[])`]),
]

/** A single collection preserves the order of the index. */
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
      return after === undefined ? [select(isHeldBy(owners, filter))] : continueHeld(owners, order, page, select)
    if (order.name === 'index') return [listForEach(owners, [...where, ...afterOf(order, page)], cut)]
  }
  return [select([...(owners === undefined ? [] : [isHeld(owners)]), ...afterOf(order, page)])]
}

const isHeld = (owners: readonly Uint8Array[]): RawBuilder<boolean> =>
  owners.length === 1 ? sql`i.owner_address = ${sql.val(owners[0])}` : isAnyOf('i.owner_address', owners)

/** A single owner is compared as a range: for an equality the planner may fetch and sort all its items. */
const isHeldBy = (
  owners: readonly Uint8Array[],
  { collections, includeOnSale }: NftItemFilter,
): RawBuilder<boolean>[] => {
  const [owner] = owners
  if (owner === undefined || owners.length > 1 || collections !== undefined || includeOnSale) return [isHeld(owners)]
  return [sql`i.owner_address >= ${sql.val(owner)}`, sql`i.owner_address <= ${sql.val(owner)}`]
}

const afterOf = (order: Order, { after }: Page, holder: RawBuilder<unknown> = direct): RawBuilder<boolean>[] =>
  after === undefined ? [] : [afterItem(order, after, holder)]

/**
 * From a position on: the rest of its owner's items in collections, the owner's items without one, and the items of later owners.
 */
const continueHeld = (
  owners: readonly Uint8Array[],
  order: Order,
  { after }: Page,
  select: (conditions: readonly RawBuilder<boolean>[]) => Part,
): Part[] => {
  const { holder, collection, rest } = readHolderPosition(order, after!)
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

/** In an order independent of holders, every owner has a list of its own. */
const listForEach = (
  owners: readonly Uint8Array[],
  where: readonly RawBuilder<boolean>[],
  cut: RawBuilder<unknown>,
): Part => {
  const condition = sql.join([sql`i.owner_address = asked.key`, ...where], sql` and `)
  const list = sql`select ${columns}, ${direct} as holder from nft_items as i where ${condition}${cut}`
  const distinct = [...new Map(owners.map((owner) => [keyText(owner), owner])).values()]
  const asked = sql`unnest(${sql.val(distinct)}::bytea[]) as asked (key)`
  return sql`select found.* from ${asked} cross join lateral (${list}) as found`
}

/** Items that these sellers have on sale. */
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

const itemOrder = ({ owners, collections, includeOnSale, byLastLt: isByLt }: NftItemFilter): Order => {
  if (isByLt) return byLastLt
  if (collections?.length === 1) return byIndex
  if (owners !== undefined) return includeOnSale ? byRealOwner : byOwner
  return bySinceLt
}

/** A page of items. Collections and sales are looked up by key, for the rows of the page only. */
export const nftItemsQuery = (filter: NftItemFilter, page: Page): RawBuilder<ItemRow> => {
  const order = itemOrder(filter)
  const parts = listItemParts(filter, order, page)
  const united = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  const orderBy = sql.join(order.columns.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`))
  const offset = page.after === undefined && page.offset > 0 ? sql` offset ${sql.val(page.offset)}` : sql``
  const rows = sql`select * from (${united}) as parts order by ${orderBy} limit ${sql.val(page.limit + 1)}${offset}`
  const ordered = sql.join(
    order.columns.map(({ column, direction }) => sql`i.${sql.ref(column)} ${sql.raw(direction)}`),
  )
  return sql`select i.*, s.kind as sale_kind, s.nft_owner_address as sale_owner, c.last_lt as collection_last_lt, c.next_item_index as collection_next_index, c.owner_address as collection_owner, c.code_hash as collection_code_hash, c.data_hash as collection_data_hash, c.content as collection_content from (${rows}) as i left join lateral (select * from nft_collections where address = i.collection_address limit 1) as c on true left join lateral (select * from nft_sales where address = i.owner_address and nft_address = i.address and kind in ('getgems_sale', 'getgems_auction') limit 1) as s on true order by ${ordered}`
}

const noFilter: NftItemFilter = {
  addresses: undefined,
  owners: undefined,
  collections: undefined,
  indexes: undefined,
  includeOnSale: false,
  byLastLt: false,
}

/** The first items of owners, batched with concurrent reads. */
const readOwnerPages = batchPages<ItemRow>((owner, _direction, limit) =>
  nftItemsQuery({ ...noFilter, owners: [owner] }, { limit: limit - 1, offset: 0, after: undefined }),
)

/** Of one owner: by collection, items without one last, then by index. */
const inOwnerOrder = (a: ItemRow, b: ItemRow): number => {
  const [one, other] = [a.collection_address, b.collection_address]
  if (one === null || other === null) {
    if (one !== other) return one === null ? 1 : -1
  } else {
    const byCollection = compareBytes(one, other)
    if (byCollection !== 0) return byCollection
  }
  return a.index === b.index ? compareBytes(a.address, b.address) : a.index < b.index ? -1 : 1
}

const findRows = async (reader: Reader, filter: NftItemFilter, page: Page): Promise<readonly ItemRow[]> => {
  const { owners, addresses, collections, indexes, includeOnSale, byLastLt: isByLt } = filter
  const isPlain = [addresses, collections, indexes].every((asked) => asked === undefined) && !includeOnSale && !isByLt
  const isFirst = page.after === undefined && page.offset === 0
  const isOfOwner = isPlain && isFirst && owners?.length === 1
  if (isOfOwner && reader.isDistributed) return findOwnerItems(reader, owners[0]!, page.limit + 1)
  const read = isOfOwner ? readOwnerPages('asc', page.limit + 1) : undefined
  if (read === undefined) return reader.read(nftItemsQuery(filter, page).compile(queryBuilder))
  return (await read(reader, owners!)).toSorted(inOwnerOrder)
}

/** NFT items, in and without collections. */
export const listNftItems = async (reader: Reader, filter: NftItemFilter, page: Page): Promise<Paged<NftItem>> => {
  const order = itemOrder(filter)
  const found = await findRows(reader, filter, page)
  const { rows, next } = cutPage(found, order, page, (row) => itemKeyOf(order, row))
  return { rows: rows.map(toNftItem), next }
}

/** The items at these addresses. */
export const findNftItems = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<readonly NftItem[]> => {
  if (addresses.length === 0) return []
  const filter = { ...noFilter, addresses }
  return (await listNftItems(reader, filter, { limit: addresses.length, offset: 0, after: undefined })).rows
}

const toNftItem = (row: ItemRow) => ({
  address: row.address,
  init: row.init,
  index: row.index,
  collectionAddress: row.collection_address ?? undefined,
  owner: row.owner_address ?? undefined,
  content: row.content ?? undefined,
  lastLt: row.last_lt,
  codeHash: row.code_hash,
  dataHash: row.data_hash,
  collection: toCollection(row),
  /** The sale contract that owns it, if it is one for this item; its owner is the seller, `undefined` before the item arrives. */
  sale:
    row.sale_kind === null
      ? undefined
      : {
          kind: row.sale_kind === 'getgems_auction' ? ('auction' as const) : ('sale' as const),
          owner: row.sale_owner ?? undefined,
        },
})

export type NftItem = Readonly<ReturnType<typeof toNftItem>>

const toCollection = (row: ItemRow): NftCollection | undefined =>
  row.collection_last_lt === null
    ? undefined
    : {
        address: row.collection_address!,
        owner: row.collection_owner ?? undefined,
        lastLt: row.collection_last_lt,
        nextItemIndex: row.collection_next_index!,
        content: row.collection_content ?? undefined,
        codeHash: row.collection_code_hash!,
        dataHash: row.collection_data_hash!,
      }

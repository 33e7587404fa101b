import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { listItemParts } from './listItemParts.ts'
import type { NftCollection } from './listNftCollections.ts'
import type { NftItemFilter } from './NftItemFilter.ts'
import { byIndex, byLastLt, byOwner, byRealOwner, bySinceLt, itemKeyOf } from './nftItemOrder.ts'
import { cutPage, type Order, type Page, type Paged } from './page.ts'

/** A contract that holds an item in order to sell it. */
type SaleOfItem = {
  readonly kind: 'sale' | 'auction'
  /** Who gets the item back; nobody before it has come. */
  readonly owner: Uint8Array | undefined
}

export type NftItem = {
  readonly address: Uint8Array
  readonly init: boolean
  readonly index: bigint
  readonly collectionAddress: Uint8Array | undefined
  readonly owner: Uint8Array | undefined
  readonly content: Json | undefined
  readonly lastLt: bigint
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  readonly collection: NftCollection | undefined
  /** What its owner is, if that is a sale and says that it is of this item. */
  readonly sale: SaleOfItem | undefined
}

type ItemRow = {
  since_lt: bigint
  last_lt: bigint
  init: boolean
  index: bigint
  address: Uint8Array
  collection_address: Uint8Array | null
  owner_address: Uint8Array | null
  code_hash: Uint8Array
  data_hash: Uint8Array
  content: Json | null
  holder: Uint8Array | null
  sale_kind: string | null
  sale_owner: Uint8Array | null
  collection_last_lt: bigint | null
  collection_next_index: bigint | null
  collection_owner: Uint8Array | null
  collection_code_hash: Uint8Array | null
  collection_data_hash: Uint8Array | null
  collection_content: Json | null
}

const itemOrder = ({ owners, collections, includeOnSale, byLastLt: isByLt }: NftItemFilter): Order => {
  if (isByLt) return byLastLt
  if (collections?.length === 1) return byIndex
  if (owners !== undefined) return includeOnSale ? byRealOwner : byOwner
  return bySinceLt
}

/** A page of items. Their collections and sales are looked up by their keys, for the rows of the page only. */
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

/** Items of collections, and those that are on their own. */
export const listNftItems = async (reader: Reader, filter: NftItemFilter, page: Page): Promise<Paged<NftItem>> => {
  const order = itemOrder(filter)
  const found = await reader.read(nftItemsQuery(filter, page).compile(queryBuilder))
  const { rows, next } = cutPage(found, order, page, (row) => itemKeyOf(order, row))
  return { rows: rows.map(toNftItem), next }
}

/** The items at these addresses. */
export const findNftItems = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<readonly NftItem[]> => {
  if (addresses.length === 0) return []
  const filter = {
    addresses,
    owners: undefined,
    collections: undefined,
    indexes: undefined,
    includeOnSale: false,
    byLastLt: false,
  }
  return (await listNftItems(reader, filter, { limit: addresses.length, offset: 0, after: undefined })).rows
}

const toNftItem = (row: ItemRow): NftItem => ({
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
  sale:
    row.sale_kind === null
      ? undefined
      : { kind: row.sale_kind === 'getgems_auction' ? 'auction' : 'sale', owner: row.sale_owner ?? undefined },
})

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

import type { CompiledQuery } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import type { Json } from '../schema/columns.ts'
import { rawQuery } from './sql.ts'
import { keyText } from './TransactionRecord.ts'

/** An item with its collection and its sale. */
export type ItemRow = {
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

// The first items of an owner on a cluster. They are on one worker; their collections and sales are on every node. A join of them takes
// the coordinator longer to plan than three statements take.

type HeldRow = Pick<ItemRow, 'address' | 'collection_address' | 'owner_address' | 'holder'> &
  Omit<ItemRow, `sale_${string}` | `collection_${string}`>

/** Read from the copy by owner: see distributed/ownedTables.ts. */
export const ownerItemsQuery = (owner: Uint8Array, limit: number): CompiledQuery<HeldRow> =>
  rawQuery(
    `select i.since_lt, i.last_lt, i.init, i.index, i.address, i.collection_address, i.owner_address, i.code_hash, i.data_hash, i.content,
      i.owner_address as holder
    from nft_items as i where i.owner_address = $1 order by i.collection_address asc, i.index asc, i.address asc limit $2`,
    [owner, limit],
  )

type CollectionRow = Pick<ItemRow, `collection_${string}` & keyof ItemRow>

const COLLECTIONS = `select address as collection_address, last_lt as collection_last_lt, next_item_index as collection_next_index,
    owner_address as collection_owner, code_hash as collection_code_hash, data_hash as collection_data_hash, content as collection_content
  from nft_collections where address = any($1::bytea[])`

type SaleRow = { readonly nft_address: Uint8Array } & Pick<ItemRow, 'sale_kind' | 'sale_owner'>

const SALES = `select nft_address, kind as sale_kind, nft_owner_address as sale_owner from nft_sales
  where address = $1 and nft_address = any($2::bytea[]) and kind in ('getgems_sale', 'getgems_auction')`

const NO_COLLECTION = {
  collection_last_lt: null,
  collection_next_index: null,
  collection_owner: null,
  collection_code_hash: null,
  collection_data_hash: null,
  collection_content: null,
}
const NO_SALE = { sale_kind: null, sale_owner: null }

/** By collection, items without one last, then by index. */
export const findOwnerItems = async (reader: Reader, owner: Uint8Array, limit: number): Promise<ItemRow[]> => {
  const items = await reader.read(ownerItemsQuery(owner, limit))
  if (items.length === 0) return []
  const collections = new Map(
    items.flatMap(({ collection_address: key }) => (key === null ? [] : [[keyText(key), key]])),
  )
  const addresses = items.map(({ address }) => address)
  const [found, sales] = await Promise.all([
    reader.read<CollectionRow>(rawQuery(COLLECTIONS, [[...collections.values()]])),
    reader.read<SaleRow>(rawQuery(SALES, [owner, addresses])),
  ])
  const collectionOf = new Map(found.map((row) => [keyText(row.collection_address!), row]))
  const saleOf = new Map(sales.map(({ nft_address, ...sale }) => [keyText(nft_address), sale]))
  return items.map((item) => ({
    ...(item.collection_address === null
      ? NO_COLLECTION
      : (collectionOf.get(keyText(item.collection_address)) ?? NO_COLLECTION)),
    ...(saleOf.get(keyText(item.address)) ?? NO_SALE),
    ...item,
  }))
}

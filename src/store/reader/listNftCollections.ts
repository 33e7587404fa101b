import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { bySince } from './bySince.ts'
import { contractsQuery } from './contractsQuery.ts'
import { cutPage, type Page, type Paged } from './page.ts'

export type NftCollection = {
  readonly address: Uint8Array
  readonly owner: Uint8Array | undefined
  readonly lastLt: bigint
  /** -1 where items have numbers of any kind. */
  readonly nextItemIndex: bigint
  readonly content: Json | undefined
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
}

export type NftCollectionFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
}

const order = bySince()

const columns = [
  'since_lt',
  'last_lt',
  'next_item_index',
  'address',
  'owner_address',
  'code_hash',
  'data_hash',
  'content',
] as const

export const nftCollectionsQuery = ({ addresses, owners }: NftCollectionFilter, page: Page) => {
  const owned = { column: 'owner_address', keys: owners, isPartial: true }
  return contractsQuery({ table: 'nft_collections', columns, addresses, owners: owned }, order, page)
}

/** Collections, in the order in which they were discovered. */
export const listNftCollections = async (
  reader: Reader,
  filter: NftCollectionFilter,
  page: Page,
): Promise<Paged<NftCollection>> => {
  const found = await reader.read(nftCollectionsQuery(filter, page).compile(queryBuilder))
  const { rows, next } = cutPage(found, order, page, ({ since_lt, address }) => [since_lt, address])
  return {
    rows: rows.map((row) => ({
      address: row.address,
      owner: row.owner_address ?? undefined,
      lastLt: row.last_lt,
      nextItemIndex: row.next_item_index,
      content: row.content ?? undefined,
      codeHash: row.code_hash,
      dataHash: row.data_hash,
    })),
    next,
  }
}

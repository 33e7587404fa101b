import type { RawBuilder } from 'kysely'
import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { bySince, reachAfter } from './bySince.ts'
import { isAnyOf } from './isAnyOf.ts'
import { afterCursor, cutPage, type Page, type Paged } from './page.ts'
import { type Arm, unitedQuery } from './unitedQuery.ts'

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

export const nftCollectionsQuery = ({ addresses, owners }: NftCollectionFilter, page: Page) => {
  const arms: Arm[] =
    addresses === undefined && owners !== undefined ? [{ column: 'owner_address', keys: owners, isPartial: true }] : []
  const where: RawBuilder<boolean>[] = []
  if (addresses !== undefined) where.push(isAnyOf('address', addresses))
  if (addresses !== undefined && owners !== undefined) where.push(isAnyOf('owner_address', owners))
  if (page.after !== undefined) where.push(afterCursor(order, page.after))
  return unitedQuery({
    table: 'nft_collections',
    columns: [
      'since_lt',
      'last_lt',
      'next_item_index',
      'address',
      'owner_address',
      'code_hash',
      'data_hash',
      'content',
    ],
    arms,
    where,
    order: order.columns,
    reach: reachAfter(order, page),
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
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

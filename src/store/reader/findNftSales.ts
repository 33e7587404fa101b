import { sql } from 'kysely'
import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export type NftSale = {
  readonly kind: string
  readonly address: Uint8Array
  /** Nothing for an item that sells itself. */
  readonly item: Uint8Array | undefined
  readonly itemOwner: Uint8Array | undefined
  readonly marketplace: Uint8Array | undefined
  /** In seconds. */
  readonly createdAt: bigint | undefined
  readonly lastLt: bigint
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  readonly details: Json
}

export const nftSalesQuery = (addresses: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('nft_sales')
    .select([
      'last_lt',
      'created_at',
      'kind',
      'address',
      'nft_address',
      'nft_owner_address',
      'marketplace_address',
      'code_hash',
      'data_hash',
      'details',
    ])
    .where(isAnyOf('address', addresses))
    .orderBy(sql`array_position(array['getgems_sale', 'getgems_auction', 'telemint'], kind)`)
    .orderBy('since_lt')
    .orderBy('address')

/** Those of the addresses that sell items: sales first, then auctions, then items that sell themselves. */
export const findNftSales = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<NftSale[]> => {
  if (addresses.length === 0) return []
  const rows = await reader.read(nftSalesQuery(addresses).compile())
  return rows.map((row) => ({
    kind: row.kind,
    address: row.address,
    item: row.nft_address ?? undefined,
    itemOwner: row.nft_owner_address ?? undefined,
    marketplace: row.marketplace_address ?? undefined,
    createdAt: row.created_at ?? undefined,
    lastLt: row.last_lt,
    codeHash: row.code_hash,
    dataHash: row.data_hash,
    details: row.details,
  }))
}

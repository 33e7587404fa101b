import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import type { TokenType } from '../metadata/TokenMetadata.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

/** A role that an address has among tokens. One address may have several. */
export type TokenRole = {
  readonly address: Uint8Array
  readonly type: TokenType
  /** Of an item in its collection. */
  readonly index: bigint | undefined
}

export const tokenRolesQuery = (addresses: readonly Uint8Array[]) => {
  const none = sql<bigint | null>`null::numeric`.as('index')
  const from = (table: 'jetton_masters' | 'nft_collections') =>
    queryBuilder
      .selectFrom(table)
      .select(['address', sql<TokenType>`${sql.lit(table)}`.as('type'), none])
      .where(isAnyOf('address', addresses))
  const items = queryBuilder
    .selectFrom('nft_items')
    .select(['address', sql<TokenType>`'nft_items'`.as('type'), sql<bigint | null>`index`.as('index')])
    .where(isAnyOf('address', addresses))
  return from('jetton_masters').unionAll(from('nft_collections')).unionAll(items)
}

/** What each of the addresses is, apart from a jetton wallet: masters first, then collections, then items. */
export const findTokenRoles = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<TokenRole[]> => {
  if (addresses.length === 0) return []
  const rows = await reader.read(tokenRolesQuery(addresses).compile())
  return rows.map(({ address, type, index }) => ({ address, type, index: index ?? undefined }))
}

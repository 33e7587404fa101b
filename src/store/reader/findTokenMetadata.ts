import type { Reader } from '../connect/Reader.ts'
import type { TokenMetadata, TokenType } from '../metadata/TokenMetadata.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

/** What was found out of a token in one of its roles. */
export type FoundMetadata = Omit<TokenMetadata, 'error'> & { readonly address: Uint8Array; readonly type: TokenType }

export const tokenMetadataQuery = (addresses: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('address_metadata')
    .select(['address', 'type', 'valid', 'name', 'description', 'symbol', 'image', 'extra'])
    .where(isAnyOf('address', addresses))
    .where('valid', 'is not', null)

/** What tokens say of themselves, where it has been found out. */
export const findTokenMetadata = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<FoundMetadata[]> => {
  if (addresses.length === 0) return []
  const rows = await reader.read(tokenMetadataQuery(addresses).compile())
  return rows.map(({ address, type, valid, name, description, symbol, image, extra }) => ({
    address,
    type: type as TokenType,
    valid: valid === true,
    name: name ?? undefined,
    description: description ?? undefined,
    symbol: symbol ?? undefined,
    image: image ?? undefined,
    extra: (extra ?? {}) as TokenMetadata['extra'],
  }))
}

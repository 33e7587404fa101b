import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

/** What a jetton wallet holds, and for whom. */
export type HeldToken = {
  readonly address: Uint8Array
  readonly owner: Uint8Array
  readonly jetton: Uint8Array
  readonly balance: bigint
}

export const heldTokensQuery = (addresses: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('jetton_wallets')
    .select(['address', 'owner', 'jetton', 'balance'])
    .where(isAnyOf('address', addresses))

/** Those of the addresses that are jetton wallets. */
export const findHeldTokens = async (reader: Reader, addresses: readonly Uint8Array[]): Promise<HeldToken[]> =>
  addresses.length === 0 ? [] : reader.read(heldTokensQuery(addresses).compile())

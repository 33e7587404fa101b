import { toHex } from '../../primitives/hex.ts'
import type { Reader } from '../connect/Database.ts'
import type { Json } from '../schema/columns.ts'
import { queryBuilder } from '../schema/tables.ts'
import { isAnyOf } from './sql.ts'

/** Contract data of an account, as last indexed. */
export type ContractFacts = {
  jettonWallet?: { readonly owner: Uint8Array; readonly jetton: Uint8Array }
  nftItem?: {
    readonly index: bigint
    readonly collection: Uint8Array | undefined
    readonly owner: Uint8Array | undefined
    readonly content: Json
    readonly codeHash: Uint8Array
  }
  sale?: {
    readonly kind: string
    readonly nft: Uint8Array | undefined
    readonly owner: Uint8Array | undefined
    readonly marketplace: Uint8Array | undefined
    readonly details: Json
    readonly codeHash: Uint8Array
  }
  dedustPool?: { readonly assets: readonly [Uint8Array | undefined, Uint8Array | undefined] }
  order?: { readonly signers: readonly Uint8Array[] }
  codeHash?: Uint8Array
  /** Packed. */
  data?: Uint8Array
}

const walletsQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('jetton_wallets').select(['address', 'owner', 'jetton']).where(isAnyOf('address', keys))

const itemsQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('nft_items')
    .select(['address', 'index', 'collection_address', 'owner_address', 'content', 'code_hash'])
    .where(isAnyOf('address', keys))

const salesQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('nft_sales')
    .select(['address', 'kind', 'nft_address', 'nft_owner_address', 'marketplace_address', 'details', 'code_hash'])
    .where(isAnyOf('address', keys))

const poolsQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('dex_pools')
    .select(['address', 'asset_1', 'asset_2'])
    .where(isAnyOf('address', keys))
    .where('dex', '=', 'dedust')

const ordersQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder.selectFrom('multisig_orders').select(['address', 'signers']).where(isAnyOf('address', keys))

const statesQuery = (keys: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('latest_account_states')
    .select(['account', 'code_hash', 'data'])
    .where(isAnyOf('account', keys))

/** Contract data by the hex text of account keys. Unknown accounts are missing. */
export const findContractFacts = async (
  reader: Reader,
  keys: readonly Uint8Array[],
): Promise<Map<string, ContractFacts>> => {
  const facts = new Map<string, ContractFacts>()
  if (keys.length === 0) return facts
  const of = (key: Uint8Array): ContractFacts => {
    const text = toHex(key)
    const known = facts.get(text) ?? {}
    facts.set(text, known)
    return known
  }
  for (const row of await reader.read(walletsQuery(keys).compile())) of(row.address).jettonWallet = row
  for (const row of await reader.read(itemsQuery(keys).compile())) {
    of(row.address).nftItem = {
      index: row.index,
      collection: row.collection_address ?? undefined,
      owner: row.owner_address ?? undefined,
      content: row.content,
      codeHash: row.code_hash,
    }
  }
  for (const row of await reader.read(salesQuery(keys).compile())) {
    of(row.address).sale = {
      kind: row.kind,
      nft: row.nft_address ?? undefined,
      owner: row.nft_owner_address ?? undefined,
      marketplace: row.marketplace_address ?? undefined,
      details: row.details,
      codeHash: row.code_hash,
    }
  }
  for (const row of await reader.read(poolsQuery(keys).compile())) {
    of(row.address).dedustPool = { assets: [row.asset_1 ?? undefined, row.asset_2 ?? undefined] }
  }
  for (const row of await reader.read(ordersQuery(keys).compile())) of(row.address).order = row
  for (const row of await reader.read(statesQuery(keys).compile())) {
    const known = of(row.account)
    if (row.code_hash !== null) known.codeHash = row.code_hash
    if (row.data !== null) known.data = row.data
  }
  return facts
}

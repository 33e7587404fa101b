import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { bySince } from './bySince.ts'
import { contractsQuery } from './contractsQuery.ts'
import { cutPage, type Page, type Paged } from './page.ts'

export type JettonMaster = {
  readonly address: Uint8Array
  readonly totalSupply: bigint
  readonly mintable: boolean
  readonly admin: Uint8Array | undefined
  readonly content: Json | undefined
  readonly walletCodeHash: Uint8Array
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
  readonly lastLt: bigint
}

export type JettonMasterFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly admins: readonly Uint8Array[] | undefined
}

const order = bySince()

const columns = [
  'since_lt',
  'last_lt',
  'mintable',
  'total_supply',
  'address',
  'admin_address',
  'wallet_code_hash',
  'code_hash',
  'data_hash',
  'content',
] as const

export const jettonMastersQuery = ({ addresses, admins }: JettonMasterFilter, page: Page) => {
  const owners = { column: 'admin_address', keys: admins, isPartial: true }
  return contractsQuery({ table: 'jetton_masters', columns, addresses, owners }, order, page)
}

/** Jettons, in the order in which they were discovered. */
export const listJettonMasters = async (
  reader: Reader,
  filter: JettonMasterFilter,
  page: Page,
): Promise<Paged<JettonMaster>> => {
  const found = await reader.read(jettonMastersQuery(filter, page).compile(queryBuilder))
  const { rows, next } = cutPage(found, order, page, ({ since_lt, address }) => [since_lt, address])
  return {
    rows: rows.map((row) => ({
      address: row.address,
      totalSupply: row.total_supply,
      mintable: row.mintable,
      admin: row.admin_address ?? undefined,
      content: row.content ?? undefined,
      walletCodeHash: row.wallet_code_hash,
      codeHash: row.code_hash,
      dataHash: row.data_hash,
      lastLt: row.last_lt,
    })),
    next,
  }
}

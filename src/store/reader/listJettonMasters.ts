import type { RawBuilder } from 'kysely'
import type { Json } from '../columns.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { bySince, reachAfter } from './bySince.ts'
import { isAnyOf } from './isAnyOf.ts'
import { afterCursor, cutPage, type Page, type Paged } from './page.ts'
import { type Arm, unitedQuery } from './unitedQuery.ts'

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

export const jettonMastersQuery = ({ addresses, admins }: JettonMasterFilter, page: Page) => {
  const arms: Arm[] =
    addresses === undefined && admins !== undefined ? [{ column: 'admin_address', keys: admins, isPartial: true }] : []
  const where: RawBuilder<boolean>[] = []
  if (addresses !== undefined) where.push(isAnyOf('address', addresses))
  if (addresses !== undefined && admins !== undefined) where.push(isAnyOf('admin_address', admins))
  if (page.after !== undefined) where.push(afterCursor(order, page.after))
  return unitedQuery({
    table: 'jetton_masters',
    columns: [
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
    ],
    arms,
    where,
    order: order.columns,
    reach: reachAfter(order, page),
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
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

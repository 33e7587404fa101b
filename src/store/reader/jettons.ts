import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Database.ts'
import type { Json } from '../schema/columns.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import {
  afterCursor,
  anyLt,
  batchPages,
  bySince,
  cutPage,
  type KeyValue,
  type Order,
  type OrderColumn,
  type Page,
  type Paged,
  reachAfter,
} from './page.ts'
import { isAnyOf } from './sql.ts'
import { type Arm, contractsQuery, unionQuery } from './unionQuery.ts'

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

/** Jetton masters, in order of discovery. */
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

export type JettonWallet = {
  readonly address: Uint8Array
  readonly balance: bigint
  readonly owner: Uint8Array
  readonly jetton: Uint8Array
  readonly lastLt: bigint
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
}

export type JettonWalletFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
  readonly jettons: readonly Uint8Array[] | undefined
  readonly withBalance: boolean
  /** By balance; `undefined` for order of discovery. */
  readonly sort: 'asc' | 'desc' | undefined
}

type Row = Tables['jetton_wallets']

const byBalance = (direction: 'asc' | 'desc'): OrderColumn[] => [
  { column: 'balance', direction },
  { column: 'address', direction },
]

const walletOrder = ({ addresses, owners, jettons, sort }: JettonWalletFilter): Order => {
  const base: Order = sort === undefined ? bySince() : { name: `balance ${sort}`, columns: byBalance(sort) }
  if (jettons?.length === 1) return base
  if (owners !== undefined) {
    return { name: `owner, ${base.name}`, columns: [{ column: 'owner', direction: 'asc' }, ...base.columns] }
  }
  if (addresses !== undefined) return { name: 'address', columns: [{ column: 'address', direction: 'asc' }] }
  return base
}

const walletColumns = [
  'since_lt',
  'last_lt',
  'balance',
  'address',
  'owner',
  'jetton',
  'code_hash',
  'data_hash',
] as const satisfies readonly (keyof Row)[]

type WalletRow = Pick<Row, (typeof walletColumns)[number]>

export const jettonWalletsQuery = (filter: JettonWalletFilter, page: Page) => {
  const { addresses, owners, jettons, withBalance } = filter
  const order = walletOrder(filter)
  const where: RawBuilder<boolean>[] = []
  let arms: Arm[] = []
  if (addresses !== undefined) where.push(isAnyOf('address', addresses))
  if (owners !== undefined) {
    // Owner after owner, the order of the index. Otherwise each owner has a list of its own.
    if (addresses !== undefined || order.columns[0]!.column === 'owner') where.push(isAnyOf('owner', owners))
    else arms = [{ column: 'owner', keys: owners }]
  }
  if (jettons !== undefined) {
    if (addresses !== undefined || owners !== undefined) where.push(isAnyOf('jetton', jettons))
    else arms = [{ column: 'jetton', keys: jettons }]
  }
  if (withBalance) where.push(sql`balance > 0`)
  if (page.after !== undefined) where.push(afterCursor(order, page.after))
  return unionQuery({
    table: 'jetton_wallets',
    columns: walletColumns,
    arms,
    where,
    order: order.columns,
    // No index has the wallets of one owner by balance.
    reach: order.columns[0]!.column === 'since_lt' ? reachAfter(order, page) : undefined,
    limit: page.limit + 1,
    offset: page.after === undefined ? page.offset : 0,
  })
}

/** The owner is compared as a range: for an equality the planner may fetch and sort all wallets of an owner. */
export const ownerWalletsQuery = (owner: Uint8Array, limit: number): RawBuilder<WalletRow> =>
  sql`select ${sql.raw(walletColumns.join(', '))} from jetton_wallets as j
    where (j.owner, j.since_lt) >= (${sql.val(owner)}, ${sql.lit(anyLt.from)})
      and (j.owner, j.since_lt) <= (${sql.val(owner)}, ${sql.lit(anyLt.to)})
    order by j.owner asc, j.since_lt asc, j.address asc limit ${sql.val(limit)}`

/** The first wallets of owners, batched with concurrent reads. */
const readOwnerPages = batchPages<WalletRow>((owner, _direction, limit) => ownerWalletsQuery(owner, limit))

const inSinceOrder = (a: WalletRow, b: WalletRow): number =>
  a.since_lt === b.since_lt ? compareBytes(a.address, b.address) : a.since_lt < b.since_lt ? -1 : 1

const findWalletRows = async (
  reader: Reader,
  filter: JettonWalletFilter,
  page: Page,
): Promise<readonly WalletRow[]> => {
  const { owners, addresses, jettons, withBalance, sort } = filter
  const isPlain = [addresses, jettons, sort].every((asked) => asked === undefined) && !withBalance
  const isFirst = page.after === undefined && page.offset === 0
  const read = isPlain && isFirst && owners?.length === 1 ? readOwnerPages('asc', page.limit + 1) : undefined
  if (read === undefined) return reader.read(jettonWalletsQuery(filter, page).compile(queryBuilder))
  return (await read(reader, owners!)).toSorted(inSinceOrder)
}

/** Jetton wallets verified by their master. */
export const listJettonWallets = async (
  reader: Reader,
  filter: JettonWalletFilter,
  page: Page,
): Promise<Paged<JettonWallet>> => {
  const order = walletOrder(filter)
  const found = await findWalletRows(reader, filter, page)
  const { rows, next } = cutPage(found, order, page, (row) => order.columns.map(({ column }) => keyOf(row, column)))
  return {
    rows: rows.map((row) => ({
      address: row.address,
      balance: row.balance,
      owner: row.owner,
      jetton: row.jetton,
      lastLt: row.last_lt,
      codeHash: row.code_hash,
      dataHash: row.data_hash,
    })),
    next,
  }
}

const keyOf = (row: Pick<Row, 'owner' | 'since_lt' | 'balance' | 'address'>, column: string): KeyValue => {
  if (column === 'owner') return row.owner
  if (column === 'since_lt') return row.since_lt
  return column === 'balance' ? row.balance : row.address
}

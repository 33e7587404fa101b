import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import type { Json } from '../schema/columns.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  type EventFilter,
  type EventList,
  type EventRow,
  type EventWindow,
  eventColumns,
  listEvents,
  narrowestFilter,
} from './events.ts'
import type { Direction } from './jettonEvents.ts'
import { bySince, cutPage, type Page, type Paged } from './page.ts'
import { isAnyOf } from './sql.ts'
import { contractsQuery } from './unionQuery.ts'

export type NftCollection = {
  readonly address: Uint8Array
  readonly owner: Uint8Array | undefined
  readonly lastLt: bigint
  /** -1 if items are not numbered in sequence. */
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

/** NFT collections, in order of discovery. */
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

export type NftTransferFilter = {
  readonly owners: readonly Uint8Array[] | undefined
  readonly direction: Direction
  readonly items: readonly Uint8Array[] | undefined
  readonly collection: Uint8Array | undefined
  readonly window: EventWindow
}

export const nftTransfers: EventList<'nft_transfers'> = {
  table: 'nft_transfers',
  columns: [
    ...eventColumns,
    'forward_amount',
    'account',
    'collection',
    'old_owner',
    'new_owner',
    'response_destination',
    'custom_payload',
    'forward_payload',
  ],
}

export const toNftTransferFilter = (filter: NftTransferFilter): EventFilter => {
  const { owners, direction, items, collection, window } = filter
  return narrowestFilter({
    accounts: items,
    owners,
    sides: direction === 'in' ? ['new_owner'] : direction === 'out' ? ['old_owner'] : ['old_owner', 'new_owner'],
    parent: { column: 'collection', key: collection, isPartial: true },
    window,
  })
}

/** NFT transfer requests, including failed ones. */
export const listNftTransfers = async (
  reader: Reader,
  filter: NftTransferFilter,
  page: Page,
): Promise<Paged<NftTransfer>> => {
  const { rows, next } = await listEvents(reader, nftTransfers, toNftTransferFilter(filter), page)
  return { rows: rows.map(toNftTransfer), next }
}

const toNftTransfer = ({ row, transaction }: EventRow<'nft_transfers'>) => ({
  queryId: row.query_id,
  item: row.account,
  collection: row.collection ?? undefined,
  transactionHash: transaction.hash,
  lt: row.lt,
  now: row.now,
  aborted: row.aborted,
  oldOwner: row.old_owner,
  newOwner: row.new_owner,
  responseDestination: row.response_destination,
  forwardAmount: row.forward_amount,
  /** Packed cells. */
  customPayload: row.custom_payload ?? undefined,
  forwardPayload: row.forward_payload ?? undefined,
  traceId: transaction.trace_id,
})

export type NftTransfer = Readonly<ReturnType<typeof toNftTransfer>>

export type NftSale = {
  readonly kind: string
  readonly address: Uint8Array
  /** `undefined` for an item that sells itself. */
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

/** The sale contracts among the addresses: sales first, then auctions, then items that sell themselves. */
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

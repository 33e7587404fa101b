import type { Reader } from '../connect/Reader.ts'
import { type EventFilter, type EventList, type EventRow, type EventWindow, listEvents } from './listEvents.ts'
import type { Direction } from './listJettonTransfers.ts'
import { narrowestFilter } from './narrowestFilter.ts'
import type { Page, Paged } from './page.ts'

export type NftTransfer = {
  readonly queryId: bigint
  readonly item: Uint8Array
  readonly collection: Uint8Array | undefined
  readonly transactionHash: Uint8Array
  readonly lt: bigint
  readonly now: number
  readonly aborted: boolean
  readonly oldOwner: Uint8Array
  readonly newOwner: Uint8Array
  readonly responseDestination: Uint8Array
  readonly forwardAmount: bigint
  /** Packed cells. */
  readonly customPayload: Uint8Array | undefined
  readonly forwardPayload: Uint8Array | undefined
  readonly traceId: Uint8Array
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
    'lt',
    'now',
    'mc_seqno',
    'aborted',
    'query_id',
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

/** Requests to hand on items, those that failed among them. */
export const listNftTransfers = async (
  reader: Reader,
  filter: NftTransferFilter,
  page: Page,
): Promise<Paged<NftTransfer>> => {
  const { rows, next } = await listEvents(reader, nftTransfers, toNftTransferFilter(filter), page)
  return { rows: rows.map(toNftTransfer), next }
}

const toNftTransfer = ({ row, transaction }: EventRow<'nft_transfers'>): NftTransfer => ({
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
  customPayload: row.custom_payload ?? undefined,
  forwardPayload: row.forward_payload ?? undefined,
  traceId: transaction.trace_id,
})

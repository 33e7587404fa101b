import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import {
  type EventFilter,
  type EventList,
  type EventRow,
  type EventWindow,
  eventColumns,
  listEvents,
  narrowestFilter,
} from './events.ts'
import type { Page, Paged } from './page.ts'

/** Direction as seen by the owner. */
export type Direction = 'in' | 'out' | 'both'

export type JettonTransferFilter = {
  readonly owners: readonly Uint8Array[] | undefined
  readonly direction: Direction
  /** The senders' wallets. */
  readonly wallets: readonly Uint8Array[] | undefined
  readonly master: Uint8Array | undefined
  readonly window: EventWindow
}

export const jettonTransfers: EventList<'jetton_transfers'> = {
  table: 'jetton_transfers',
  columns: [
    ...eventColumns,
    'amount',
    'forward_amount',
    'account',
    'source',
    'destination',
    'jetton_master',
    'response_destination',
    'custom_payload',
    'forward_payload',
  ],
}

/** Failed transfers moved nothing and are left out. */
export const toTransferFilter = (filter: JettonTransferFilter): EventFilter => {
  const { owners, direction, wallets, master, window } = filter
  return narrowestFilter({
    accounts: wallets,
    owners,
    sides: direction === 'in' ? ['destination'] : direction === 'out' ? ['source'] : ['source', 'destination'],
    parent: { column: 'jetton_master', key: master },
    always: [sql<boolean>`not aborted`],
    window,
  })
}

/** Successful transfers. */
export const listJettonTransfers = async (
  reader: Reader,
  filter: JettonTransferFilter,
  page: Page,
): Promise<Paged<JettonTransfer>> => {
  const { rows, next } = await listEvents(reader, jettonTransfers, toTransferFilter(filter), page)
  return { rows: rows.map(toJettonTransfer), next }
}

const toJettonTransfer = ({ row, transaction }: EventRow<'jetton_transfers'>) => ({
  queryId: row.query_id,
  /** The sender. */
  source: row.source,
  /** The receiving owner, not a jetton wallet. */
  destination: row.destination,
  amount: row.amount,
  sourceWallet: row.account,
  jettonMaster: row.jetton_master,
  transactionHash: transaction.hash,
  lt: row.lt,
  now: row.now,
  aborted: row.aborted,
  responseDestination: row.response_destination,
  forwardAmount: row.forward_amount,
  /** Packed cells. */
  customPayload: row.custom_payload ?? undefined,
  forwardPayload: row.forward_payload ?? undefined,
  traceId: transaction.trace_id,
})

export type JettonTransfer = Readonly<ReturnType<typeof toJettonTransfer>>

export type JettonBurnFilter = {
  readonly owners: readonly Uint8Array[] | undefined
  readonly wallets: readonly Uint8Array[] | undefined
  readonly master: Uint8Array | undefined
  readonly window: EventWindow
}

export const jettonBurns: EventList<'jetton_burns'> = {
  table: 'jetton_burns',
  columns: [...eventColumns, 'amount', 'account', 'owner', 'jetton_master', 'response_destination', 'custom_payload'],
}

export const toBurnFilter = ({ owners, wallets, master, window }: JettonBurnFilter): EventFilter =>
  narrowestFilter({
    accounts: wallets,
    owners,
    sides: ['owner'],
    parent: { column: 'jetton_master', key: master },
    window,
  })

/** Burn requests, including failed ones. */
export const listJettonBurns = async (
  reader: Reader,
  filter: JettonBurnFilter,
  page: Page,
): Promise<Paged<JettonBurn>> => {
  const { rows, next } = await listEvents(reader, jettonBurns, toBurnFilter(filter), page)
  return { rows: rows.map(toJettonBurn), next }
}

const toJettonBurn = ({ row, transaction }: EventRow<'jetton_burns'>) => ({
  queryId: row.query_id,
  owner: row.owner,
  jettonWallet: row.account,
  jettonMaster: row.jetton_master,
  transactionHash: transaction.hash,
  lt: row.lt,
  now: row.now,
  aborted: row.aborted,
  amount: row.amount,
  responseDestination: row.response_destination,
  /** Packed cells. */
  customPayload: row.custom_payload ?? undefined,
  traceId: transaction.trace_id,
})

export type JettonBurn = Readonly<ReturnType<typeof toJettonBurn>>

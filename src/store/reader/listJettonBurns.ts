import type { Reader } from '../connect/Reader.ts'
import { type EventFilter, type EventList, type EventRow, type EventWindow, listEvents } from './listEvents.ts'
import { narrowestFilter } from './narrowestFilter.ts'
import type { Page, Paged } from './page.ts'

export type JettonBurn = {
  readonly queryId: bigint
  readonly owner: Uint8Array
  readonly jettonWallet: Uint8Array
  readonly jettonMaster: Uint8Array
  readonly transactionHash: Uint8Array
  readonly lt: bigint
  readonly now: number
  readonly aborted: boolean
  readonly amount: bigint
  readonly responseDestination: Uint8Array
  /** Packed cells. */
  readonly customPayload: Uint8Array | undefined
  readonly traceId: Uint8Array
}

export type JettonBurnFilter = {
  readonly owners: readonly Uint8Array[] | undefined
  readonly wallets: readonly Uint8Array[] | undefined
  readonly master: Uint8Array | undefined
  readonly window: EventWindow
}

export const jettonBurns: EventList<'jetton_burns'> = {
  table: 'jetton_burns',
  columns: [
    'lt',
    'now',
    'mc_seqno',
    'aborted',
    'query_id',
    'amount',
    'account',
    'owner',
    'jetton_master',
    'response_destination',
    'custom_payload',
  ],
}

export const toBurnFilter = ({ owners, wallets, master, window }: JettonBurnFilter): EventFilter =>
  narrowestFilter({
    accounts: wallets,
    owners,
    sides: ['owner'],
    parent: { column: 'jetton_master', key: master },
    window,
  })

/** Requests to burn jettons, those that failed among them. */
export const listJettonBurns = async (
  reader: Reader,
  filter: JettonBurnFilter,
  page: Page,
): Promise<Paged<JettonBurn>> => {
  const { rows, next } = await listEvents(reader, jettonBurns, toBurnFilter(filter), page)
  return { rows: rows.map(toJettonBurn), next }
}

const toJettonBurn = ({ row, transaction }: EventRow<'jetton_burns'>): JettonBurn => ({
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
  customPayload: row.custom_payload ?? undefined,
  traceId: transaction.trace_id,
})

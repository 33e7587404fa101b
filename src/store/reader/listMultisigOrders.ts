import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import type { Tables } from '../tables.ts'
import { bySince } from './bySince.ts'
import { contractsQuery } from './contractsQuery.ts'
import { cutPage, type Page, type Paged } from './page.ts'

export type MultisigOrder = {
  readonly address: Uint8Array
  readonly multisig: Uint8Array
  readonly orderSeqno: bigint
  readonly threshold: number | undefined
  readonly sentForExecution: boolean
  /** Bit n: signer n approved. */
  readonly approvalsMask: bigint
  readonly approvalsNum: number
  /** In seconds. */
  readonly expirationDate: bigint
  /** What is to be done: packed cells. */
  readonly content: Uint8Array | undefined
  readonly signers: readonly Uint8Array[]
  readonly lastLt: bigint
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
}

export type MultisigOrderFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly multisigs: readonly Uint8Array[] | undefined
  readonly direction: 'asc' | 'desc'
}

export const orderColumns = [
  'since_lt',
  'last_lt',
  'expiration_date',
  'threshold',
  'approvals_num',
  'sent_for_execution',
  'order_seqno',
  'approvals_mask',
  'address',
  'multisig_address',
  'code_hash',
  'data_hash',
  'order_content',
  'signers',
] as const

export const multisigOrdersQuery = ({ addresses, multisigs, direction }: MultisigOrderFilter, page: Page) => {
  const owners = { column: 'multisig_address', keys: multisigs }
  const filter = { table: 'multisig_orders', columns: orderColumns, addresses, owners } as const
  return contractsQuery(filter, bySince(direction), page)
}

/** Orders of multisigs, as they were discovered. */
export const listMultisigOrders = async (
  reader: Reader,
  filter: MultisigOrderFilter,
  page: Page,
): Promise<Paged<MultisigOrder>> => {
  const found = await reader.read(multisigOrdersQuery(filter, page).compile(queryBuilder))
  const order = bySince(filter.direction)
  const { rows, next } = cutPage(found, order, page, ({ since_lt, address }) => [since_lt, address])
  return { rows: rows.map(toMultisigOrder), next }
}

export const toMultisigOrder = (
  row: Pick<Tables['multisig_orders'], (typeof orderColumns)[number]>,
): MultisigOrder => ({
  address: row.address,
  multisig: row.multisig_address,
  orderSeqno: row.order_seqno,
  threshold: row.threshold ?? undefined,
  sentForExecution: row.sent_for_execution,
  approvalsMask: row.approvals_mask,
  approvalsNum: row.approvals_num,
  expirationDate: row.expiration_date,
  content: row.order_content ?? undefined,
  signers: row.signers,
  lastLt: row.last_lt,
  codeHash: row.code_hash,
  dataHash: row.data_hash,
})

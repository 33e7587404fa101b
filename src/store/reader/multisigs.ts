import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import { applyPage, bySince, cutPage, type Page, type Paged } from './page.ts'
import { isAnyOf } from './sql.ts'
import { contractsQuery } from './unionQuery.ts'

export type Multisig = {
  readonly address: Uint8Array
  /** -1 if orders may have any number. */
  readonly nextOrderSeqno: bigint
  readonly threshold: number
  readonly signers: readonly Uint8Array[]
  readonly proposers: readonly Uint8Array[]
  readonly lastLt: bigint
  readonly codeHash: Uint8Array
  readonly dataHash: Uint8Array
}

export type MultisigFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  /** Signers and proposers. */
  readonly members: readonly Uint8Array[] | undefined
  readonly direction: 'asc' | 'desc'
}

export const multisigsQuery = ({ addresses, members, direction }: MultisigFilter, page: Page) => {
  let asked = queryBuilder
    .selectFrom('multisigs')
    .select([
      'since_lt',
      'last_lt',
      'threshold',
      'next_order_seqno',
      'address',
      'code_hash',
      'data_hash',
      'signers',
      'proposers',
    ])
  if (addresses !== undefined) asked = asked.where(isAnyOf('address', addresses))
  if (members !== undefined) {
    const them = sql`${sql.val(members)}::bytea[]`
    asked = asked.where(sql<boolean>`(signers && ${them} or proposers && ${them})`)
  }
  return applyPage(asked, bySince(direction), page)
}

/** Multisig wallets, in order of discovery. */
export const listMultisigs = async (reader: Reader, filter: MultisigFilter, page: Page): Promise<Paged<Multisig>> => {
  const found = await reader.read(multisigsQuery(filter, page).compile())
  const order = bySince(filter.direction)
  const { rows, next } = cutPage(found, order, page, ({ since_lt, address }) => [since_lt, address])
  return {
    rows: rows.map((row) => ({
      address: row.address,
      nextOrderSeqno: row.next_order_seqno,
      threshold: row.threshold,
      signers: row.signers,
      proposers: row.proposers,
      lastLt: row.last_lt,
      codeHash: row.code_hash,
      dataHash: row.data_hash,
    })),
    next,
  }
}

export type MultisigOrderFilter = {
  readonly addresses: readonly Uint8Array[] | undefined
  readonly multisigs: readonly Uint8Array[] | undefined
  readonly direction: 'asc' | 'desc'
}

const orderColumns = [
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

/** Multisig orders, in order of discovery. */
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

const toMultisigOrder = (row: Pick<Tables['multisig_orders'], (typeof orderColumns)[number]>) => ({
  address: row.address,
  multisig: row.multisig_address,
  orderSeqno: row.order_seqno,
  threshold: row.threshold ?? undefined,
  sentForExecution: row.sent_for_execution,
  /** Bit n: signer n approved. */
  approvalsMask: row.approvals_mask,
  approvalsNum: row.approvals_num,
  /** In seconds. */
  expirationDate: row.expiration_date,
  /** The order's actions, as packed cells. */
  content: row.order_content ?? undefined,
  signers: row.signers,
  lastLt: row.last_lt,
  codeHash: row.code_hash,
  dataHash: row.data_hash,
})

export type MultisigOrder = Readonly<ReturnType<typeof toMultisigOrder>>

export const ordersOfMultisigsQuery = (multisigs: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('multisig_orders')
    .select(orderColumns)
    .where(isAnyOf('multisig_address', multisigs))
    .orderBy('since_lt')
    .orderBy('address')

/** All orders of these multisigs, in order of discovery. */
export const findOrdersOfMultisigs = async (
  reader: Reader,
  multisigs: readonly Uint8Array[],
): Promise<MultisigOrder[]> => {
  if (multisigs.length === 0) return []
  const rows = await reader.read(ordersOfMultisigsQuery(multisigs).compile())
  return rows.map(toMultisigOrder)
}

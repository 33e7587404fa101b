import { sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { bySince } from './bySince.ts'
import { isAnyOf } from './isAnyOf.ts'
import { applyPage, cutPage, type Page, type Paged } from './page.ts'

export type Multisig = {
  readonly address: Uint8Array
  /** -1 where orders may have any number. */
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
  /** Of signers and proposers. */
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

/** Wallets of several owners, as they were discovered. */
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

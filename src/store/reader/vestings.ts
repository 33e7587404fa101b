import { sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'
import { applyPage, bySince, cutPage, type Page, type Paged } from './page.ts'
import { isAnyOf } from './sql.ts'

export type Vesting = {
  readonly address: Uint8Array
  /** In seconds, as all times here. */
  readonly startTime: bigint
  readonly totalDuration: bigint
  readonly unlockPeriod: bigint
  readonly cliffDuration: bigint
  readonly totalAmount: bigint
  readonly sender: Uint8Array
  readonly owner: Uint8Array
  readonly whitelist: readonly Uint8Array[]
}

export type VestingFilter =
  | { readonly contracts: readonly Uint8Array[] }
  /** Vestings of owners and senders; `withListed` includes whitelisted addresses. */
  | { readonly wallets: readonly Uint8Array[]; readonly withListed: boolean }

const order = bySince()

export const vestingsQuery = (filter: VestingFilter, page: Page) => {
  const all = queryBuilder
    .selectFrom('vesting_contracts')
    .select([
      'since_lt',
      'address',
      'start_time',
      'total_duration',
      'unlock_period',
      'cliff_duration',
      'total_amount',
      'sender_address',
      'owner_address',
      'whitelist',
    ])
  if ('contracts' in filter) return applyPage(all.where(isAnyOf('address', filter.contracts)), order, page)
  const { wallets, withListed } = filter
  const listed = withListed ? sql` or whitelist && ${sql.val(wallets)}::bytea[]` : sql``
  const isTheirs = sql<boolean>`(${isAnyOf('owner_address', wallets)} or ${isAnyOf('sender_address', wallets)}${listed})`
  return applyPage(all.where(isTheirs), order, page)
}

/** Vesting wallets, in order of discovery. */
export const listVestings = async (reader: Reader, filter: VestingFilter, page: Page): Promise<Paged<Vesting>> => {
  const found = await reader.read(vestingsQuery(filter, page).compile())
  const { rows, next } = cutPage(found, order, page, ({ since_lt, address }) => [since_lt, address])
  return {
    rows: rows.map((row) => ({
      address: row.address,
      startTime: row.start_time,
      totalDuration: row.total_duration,
      unlockPeriod: row.unlock_period,
      cliffDuration: row.cliff_duration,
      totalAmount: row.total_amount,
      sender: row.sender_address,
      owner: row.owner_address,
      whitelist: row.whitelist,
    })),
    next,
  }
}

import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { applyPage, cutPage, type Order, type Page, type Paged } from './page.ts'

export type AccountBalance = { readonly account: Uint8Array; readonly balance: bigint }

// All one way, as the index has it.
const byBalance: Order = {
  name: 'balance and account',
  columns: [
    { column: 'balance', direction: 'desc' },
    { column: 'account', direction: 'desc' },
  ],
}

export const topAccountsQuery = (page: Page) =>
  applyPage(
    queryBuilder.selectFrom('latest_account_states').select(['account', 'balance']).where('balance', 'is not', null),
    byBalance,
    page,
  )

/** The accounts that have most, the richest first. */
export const listTopAccounts = async (reader: Reader, page: Page): Promise<Paged<AccountBalance>> => {
  const found = await reader.read(topAccountsQuery(page).compile())
  const rows = found.map(({ account, balance }) => ({ account, balance: balance ?? 0n }))
  return cutPage(rows, byBalance, page, ({ account, balance }) => [balance, account])
}

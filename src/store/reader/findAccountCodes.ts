import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

export type AccountCode = { readonly account: Uint8Array; readonly codeHash: Uint8Array }

export const accountCodesQuery = (accounts: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('latest_account_states')
    .select(['account', 'code_hash'])
    .where(isAnyOf('account', accounts))
    .where('code_hash', 'is not', null)

/** The code that accounts have now. Those without any, and those that are not known, are left out. */
export const findAccountCodes = async (reader: Reader, accounts: readonly Uint8Array[]): Promise<AccountCode[]> => {
  if (accounts.length === 0) return []
  const rows = await reader.read(accountCodesQuery(accounts).compile())
  return rows.map(({ account, code_hash }) => ({ account, codeHash: code_hash! }))
}

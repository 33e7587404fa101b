import type { Cell } from '../../codec/cell/Cell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { DecodedUnit, TouchedAccount } from '../DecodedUnit.ts'
import { toTexts } from '../decode/accountAfter.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import { newestAccountsOf } from '../newestAccounts.ts'

/** Every account once, as its last transaction left it. */
export const listTouched = (units: readonly DecodedUnit[]): TouchedAccount[] =>
  newestAccountsOf(units).list.map(({ touched }) => touched)

/** Whether an account has anything that its block does not show. */
export const hasContent = ({ codeHash, dataHash, extraCurrencies }: TouchedAccount): boolean =>
  codeHash !== undefined || dataHash !== undefined || extraCurrencies === 'unknown'

export const withoutContent = ({ account, lastLt, extraCurrencies }: TouchedAccount): ResolvedAccount => ({
  account,
  lastLt,
  code: undefined,
  data: undefined,
  extraCurrencies,
})

/** What the blocks show: whether there is code and data. */
export const unknownContent = (touched: TouchedAccount): ResolvedAccount => ({
  ...withoutContent(touched),
  code: touched.codeHash && 'unknown',
  data: touched.dataHash && 'unknown',
})

/** From the cell of an account with the right hash. */
export const readContent = (touched: TouchedAccount, found: Cell): ResolvedAccount => {
  const opened = openAccount(found)
  if (opened.kind === 'none') return withoutContent(touched)
  const { state, balance } = opened
  const known = { ...withoutContent(touched), extraCurrencies: toTexts(balance.extra) }
  return state.kind === 'active' ? { ...known, code: state.init.code, data: state.init.data } : known
}

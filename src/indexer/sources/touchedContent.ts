import type { Cell } from '../../codec/cell/Cell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit, TouchedAccount } from '../DecodedUnit.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'

/** Every account once, as its last transaction left it. */
export const listTouched = (units: readonly DecodedUnit[]): TouchedAccount[] => {
  const newest = new Map<string, TouchedAccount>()
  for (const { accounts } of units) for (const touched of accounts) newest.set(toHex(touched.account), touched)
  return [...newest.values()]
}

export const hasContent = ({ codeHash, dataHash }: TouchedAccount): boolean =>
  codeHash !== undefined || dataHash !== undefined

export const withoutContent = ({ account, lastLt }: TouchedAccount): ResolvedAccount => ({
  account,
  lastLt,
  code: undefined,
  data: undefined,
})

/** What the blocks show: whether there is code and data. */
export const unknownContent = ({ account, lastLt, codeHash, dataHash }: TouchedAccount): ResolvedAccount => ({
  account,
  lastLt,
  code: codeHash && 'unknown',
  data: dataHash && 'unknown',
})

/** From the cell of an account with the right hash. */
export const readContent = (touched: TouchedAccount, found: Cell): ResolvedAccount => {
  const opened = openAccount(found)
  if (opened.kind === 'none' || opened.state.kind !== 'active') return withoutContent(touched)
  const { code, data } = opened.state.init
  return { account: touched.account, lastLt: touched.lastLt, code, data }
}

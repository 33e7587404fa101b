import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { openAccount } from '../../../codec/tlb/Account.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { findAccount, locateAccount, proveAccount } from '../locateAccount.ts'
import { prove } from '../merkle.ts'

/** As getAccountState, without the code, the data and the libraries of the account. */
export const getAccountStatePrunned: LiteFunction<'liteServer.getAccountStatePrunned'> = (
  { store },
  { id, account },
) => {
  const place = locateAccount(store, id, account)
  const entry = place.holder && findAccount(place.holder.state, account)
  return {
    ...proveAccount(place, account),
    state: entry === undefined ? new Uint8Array() : encodeBoc([proveWithoutContent(entry.account)]),
  }
}

const proveWithoutContent = (account: Cell): Cell =>
  prove(account, (root) => {
    const opened = openAccount(root)
    if (opened.kind === 'account') opened.balance.extra.forEach(() => {})
  }).proof

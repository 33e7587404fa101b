import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { findAccount, locateAccount, proveAccount } from '../locateAccount.ts'

/** An account after a block, whole, with the proofs that lead to it. */
export const getAccountState: LiteFunction<'liteServer.getAccountState'> = ({ store }, { id, account }) => {
  const place = locateAccount(store, id, account)
  const entry = place.holder && findAccount(place.holder.state, account)
  return {
    ...proveAccount(place, account),
    state: entry === undefined ? new Uint8Array() : encodeBoc([entry.account]),
  }
}

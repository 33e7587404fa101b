import type { Account } from '../../codec/tlb/Account.ts'
import { toHex } from '../../primitives/hex.ts'
import { describeAddress, describeAmount, describeInit, formatTime } from './describeMessage.ts'
import type { Finding } from './Finding.ts'

export const describeAccount = (account: Account): Finding => {
  if (account.kind === 'none') return { kind: 'account', state: 'nonexist' }
  const { address, state, balance, lastTransLt, storage } = account
  const { value, ...others } = describeAmount(balance)
  return {
    kind: 'account',
    address: describeAddress(address),
    state: state.kind,
    balance: value,
    ...others,
    last_transaction_end_lt: String(lastTransLt),
    storage_paid_until: formatTime(storage.lastPaid),
    ...(state.kind === 'frozen' && { state_hash: toHex(state.stateHash) }),
    ...(state.kind === 'active' && { contract: describeInit(state.init) }),
  }
}

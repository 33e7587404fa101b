import { type ExistingAccount, openAccount } from '../../../codec/tlb/Account.ts'
import { ZERO_CURRENCY } from '../../../codec/tlb/CurrencyCollection.ts'
import { stateInitHash } from '../../../codec/tlb/normalizedHash.ts'
import type { StateInit } from '../../../codec/tlb/StateInit.ts'
import type { Address } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import type { AccountReading } from '../readAccount.ts'

/** The account that a message comes to, and whether the code that comes with the message was put there beforehand. */
export type PayingAccount = { readonly account: ExistingAccount; readonly isReplaced: boolean }

/**
 * The account as it is. Where there is no contract yet, code and data may be given that are not those that the address was
 * made from. The network would not have them; for an estimate they are taken as being there already.
 */
export const payingAccount = (
  { found, genUtime }: AccountReading,
  address: Address,
  init: StateInit | undefined,
): PayingAccount => {
  const opened = found && openAccount(found.account)
  const account = opened?.kind === 'account' ? opened : emptyAccount(address, genUtime)
  if (init === undefined || account.state.kind === 'active') return { account, isReplaced: false }
  const named = account.state.kind === 'frozen' ? account.state.stateHash : address.hash
  if (bytesEqual(stateInitHash(init), named)) return { account, isReplaced: false }
  return { account: { ...account, state: { kind: 'active', init } }, isReplaced: true }
}

const emptyAccount = ({ workchain, hash }: Address, now: number): ExistingAccount => ({
  kind: 'account',
  address: { kind: 'std', workchain, hash, anycast: undefined },
  storage: { used: { cells: 0n, bits: 0n }, dictHash: undefined, lastPaid: now, duePayment: undefined },
  lastTransLt: 0n,
  balance: ZERO_CURRENCY,
  state: { kind: 'uninit' },
})

import { type AccountState, accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { buildAccount } from '../genesis/buildAccount.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { excessOf } from './currencies.ts'
import type { AccountOverride } from './StepOrder.ts'

/** Sets accounts to what a developer wants. What they have more or less by that is booked as minted or burned. */
export const overrideAccounts = (draft: BlockDraft, overrides: readonly AccountOverride[]): void => {
  for (const { address, balance, state } of overrides) {
    const booked = draft.accounts.get(address.hash)
    const before = openAccount(booked.current.account)
    const oldBalance = before.kind === 'account' ? before.balance : ZERO_CURRENCY
    const newBalance = state?.kind === 'none' ? ZERO_CURRENCY : (balance ?? oldBalance)
    const account =
      state?.kind === 'none'
        ? accountNoneCell
        : buildAccount({
            address,
            balance: newBalance,
            state: toState(state, before.kind === 'account' ? before.state : undefined),
            lastTransLt: before.kind === 'account' ? before.lastTransLt : 0n,
            lastPaid: before.kind === 'account' ? before.storage.lastPaid : draft.context.run.now,
          })
    booked.current = { ...booked.current, account }
    bookDifference(draft, oldBalance, newBalance)
  }
}

const toState = (wanted: AccountOverride['state'], before: AccountState | undefined): AccountState =>
  wanted === undefined || wanted.kind === 'none' ? (before ?? { kind: 'uninit' }) : wanted

const bookDifference = (draft: BlockDraft, before: CurrencyCollection, after: CurrencyCollection): void => {
  draft.mint(excessOf(after, before))
  draft.burn(excessOf(before, after))
}

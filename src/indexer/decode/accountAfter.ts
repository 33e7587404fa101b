import { Cell } from '../../codec/cell/Cell.ts'
import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import type { ExtraAmounts } from '../../store/codes/extraAmounts.ts'
import type { TouchedAccount } from '../DecodedUnit.ts'

/** What a block shows of an account after its last transaction there. */
export type AccountAfter = Pick<
  TouchedAccount,
  'status' | 'balance' | 'extraCurrencies' | 'frozenHash' | 'codeHash' | 'dataHash'
>

const NONEXIST: AccountAfter = {
  status: 'nonexist',
  balance: 0n,
  extraCurrencies: undefined,
  frozenHash: undefined,
  codeHash: undefined,
  dataHash: undefined,
}

/** Whether a transaction that ended there left no account. */
export const leavesNone = (stateHash: Uint8Array): boolean => accountNoneCell.hasHash(stateHash)

/** Reads an account from the state after a block. `stateHash` is where its last transaction says it ended. */
export const readAccountAfter = (cell: Cell | undefined, stateHash: Uint8Array): AccountAfter => {
  if (leavesNone(stateHash)) return NONEXIST
  if (cell?.hasHash(stateHash, 0) !== true) {
    throw new CellError('The state after it has another account than the last transaction of that account led to.')
  }
  const account = openAccount(cell)
  if (account.kind === 'none') return NONEXIST
  const { state } = account
  const init = state.kind === 'active' ? state.init : undefined
  return {
    status: state.kind,
    balance: account.balance.grams,
    extraCurrencies: toTexts(account.balance.extra),
    frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
    // Parts that did not change are pruned, but their hashes are there.
    codeHash: init?.code?.hash(0),
    dataHash: init?.data?.hash(0),
  }
}

/** Amounts by the numbers of their currencies; `undefined` where there are none. */
export const toTexts = (extra: ExtraCurrencies): ExtraAmounts | undefined => {
  if (extra.isEmpty) return undefined
  // Amounts that a block takes over from the state before are not in its update of the state.
  if (extra.root instanceof Cell && extra.root.exoticType === PRUNED_BRANCH) return 'unknown'
  const texts: Record<string, string> = {}
  try {
    extra.forEach((id, amount) => {
      texts[id] = amount.toString()
    })
  } catch (error) {
    if (error instanceof PrunedBranchError) return 'unknown'
    throw error
  }
  return texts
}

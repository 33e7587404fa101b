import { ADDRESS_KEY_BYTES } from '../primitives/Address.ts'
import { bytesEqual } from '../primitives/bytes.ts'
import { KeySet } from './commit/KeySet.ts'
import type { DecodedUnit, TouchedAccount } from './DecodedUnit.ts'
import type { ResolvedAccount } from './IndexBatch.ts'

/** An account as a batch leaves it. */
export type NewestAccount = {
  readonly touched: TouchedAccount
  /** Of the unit that left it so. */
  readonly seqno: number
  /** Of the earliest state in the batch since which the code has been the same. */
  readonly sinceLt: bigint
}

type Touching = Pick<DecodedUnit, 'seqno' | 'accounts'>

/** Every account that a batch touches, once. */
class NewestAccounts {
  readonly list: readonly NewestAccount[]
  readonly #keys: KeySet

  constructor(units: readonly Touching[]) {
    const count = units.reduce((sum, { accounts }) => sum + accounts.length, 0)
    const list: NewestAccount[] = []
    this.#keys = new KeySet(ADDRESS_KEY_BYTES, 30, count)
    for (const { seqno, accounts } of units) {
      for (const touched of accounts) {
        const { account, lastLt } = touched
        const isNew = this.#keys.add(account)
        const number = isNew ? list.length : this.#keys.find(account)
        const before = list[number]
        const sinceLt = before !== undefined && hasSameCode(before.touched, touched) ? before.sinceLt : lastLt
        list[number] = { touched, seqno, sinceLt }
      }
    }
    this.list = list
  }

  /** What was resolved of them, in the order of the list: of each the last that there is, where it is of the newest state. */
  match(resolved: readonly ResolvedAccount[]): readonly (ResolvedAccount | undefined)[] {
    const matched = new Array<ResolvedAccount | undefined>(this.list.length).fill(undefined)
    for (const account of resolved) {
      const number = this.#keys.find(account.account)
      if (number >= 0) matched[number] = account
    }
    return matched.map((account, k) => (account?.lastLt === this.list[k]!.touched.lastLt ? account : undefined))
  }
}

const hasSameCode = (a: TouchedAccount, b: TouchedAccount): boolean => {
  const { codeHash } = a
  const other = codeHash && b.codeHash
  return codeHash !== undefined && other !== undefined && bytesEqual(codeHash, other)
}

const known = new WeakMap<readonly Touching[], NewestAccounts>()

/** The accounts of a batch, which several stages ask for one after another. */
export const newestAccountsOf = (units: readonly Touching[]): NewestAccounts => {
  let accounts = known.get(units)
  if (accounts === undefined) {
    accounts = new NewestAccounts(units)
    known.set(units, accounts)
  }
  return accounts
}

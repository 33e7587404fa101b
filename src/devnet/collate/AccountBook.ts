import type { Cell } from '../../codec/cell/Cell.ts'
import { accountNoneCell, openAccount } from '../../codec/tlb/Account.ts'
import type { ShardAccount, ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { toHex } from '../../primitives/hex.ts'

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** An account while a block is made. */
export type BookedAccount = {
  readonly hash: Uint8Array
  /** As the state before has it; `undefined` where it does not. */
  readonly original: ShardAccount | undefined
  current: ShardAccount
  /** The lt behind its last transaction. An account that was not there keeps none in its state. */
  endLt: bigint
  readonly transactions: [lt: bigint, transaction: Cell][]
}

/** The accounts that a block has to do with. */
export class AccountBook {
  private readonly accounts: ShardAccounts
  private readonly booked = new Map<string, BookedAccount>()

  constructor(accounts: ShardAccounts) {
    this.accounts = accounts
  }

  get(hash: Uint8Array): BookedAccount {
    const key = toHex(hash)
    const known = this.booked.get(key)
    if (known !== undefined) return known
    const original = this.accounts.find(hash)
    const account = { hash: hash.slice(), original, current: original ?? NO_ACCOUNT, endLt: 0n, transactions: [] }
    this.booked.set(key, account)
    return account
  }

  /** Those that changed or ran, in the order of their addresses. */
  list(): BookedAccount[] {
    return [...this.booked.entries()]
      .filter(
        ([, { original, current, transactions }]) => transactions.length > 0 || current !== (original ?? NO_ACCOUNT),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, account]) => account)
  }
}

export const isAbsent = ({ account }: ShardAccount): boolean => openAccount(account).kind === 'none'

import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import type { CoveredRange } from '../../store/ranges/coveredRanges.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { newestAccountsOf } from '../newestAccounts.ts'
import { KeySet } from './KeySet.ts'
import { KnownContents, type NewContents } from './NewContents.ts'
import type { BatchPlace } from './placeBatch.ts'

const MAX_ACCOUNT_BITS = 18

/** What a batch left behind, to be remembered once it is there for good. */
export type Committed = {
  /** The range that the batch is part of now. */
  readonly range: CoveredRange
  readonly contents: readonly NewContents[]
}

/**
 * What is known to be in the database without asking, because it was written here. It is believed only as long as the range that
 * was written last is still as it was: a server that crashed may have lost it, and all that was written since.
 */
export class CommitMemory {
  readonly contents = new KnownContents()
  /** Accounts with a state from the range, or from above it. */
  readonly #accounts = new KeySet(ADDRESS_KEY_BYTES, MAX_ACCOUNT_BITS)
  #range: CoveredRange | undefined

  forget(): void {
    this.contents.clear()
    this.#accounts.clear()
    this.#range = undefined
  }

  /** Forgets everything unless one of the ranges that a batch touches is the one that was written last. */
  checkAgainst(...touched: readonly (CoveredRange | undefined)[]): void {
    const last = this.#range
    const isThere = touched.some(
      (range) => last !== undefined && range?.firstSeqno === last.firstSeqno && range.lastSeqno === last.lastSeqno,
    )
    if (!isThere) this.forget()
  }

  /** Accounts of which something newer is there than a batch can have: those seen above it. */
  accountsNewerThan({ above }: BatchPlace): KeySet | undefined {
    return above !== undefined && above.firstSeqno === this.#range?.firstSeqno ? this.#accounts : undefined
  }

  /** To be told when the transaction has been committed. */
  keep({ units }: Pick<IndexBatch, 'units'>, { range, contents }: Committed): void {
    this.contents.add(contents)
    for (const { touched } of newestAccountsOf(units).list) this.#accounts.add(touched.account)
    this.#range = range
  }
}

import type { Amount } from './amounts.ts'

/** What has to be remembered from block to block over a whole chain. */
export class ChainMemory {
  /** Hashes of all internal messages that have led to a transaction. */
  readonly delivered = new Set<string>()
  /** Nodes of the dictionaries of states whose sums were looked at: only new ones have to be. */
  readonly knownNodes = new Set<string>()
  /** All money there was when it was last counted. */
  supply: Amount | undefined
  /** Messages that nobody sent. */
  injected = 0
  /** Accounts that changed without a transaction. */
  overrides = 0
}

import type { ShardIdent } from '../../../src/codec/tlb/BlockInfo.ts'
import type { BlockIdExt } from '../../../src/primitives/BlockId.ts'
import type { BlockView } from './BlockView.ts'
import type { ChainMemory } from './ChainMemory.ts'
import type { ChainViews } from './ChainViews.ts'
import type { NetworkConfig } from './NetworkConfig.ts'
import type { StateView } from './StateView.ts'

export type RuleOptions = {
  /**
   * A developer may have injected messages that nobody sent and changed accounts without a transaction; what that adds and
   * takes away must be booked as minted and burned.
   */
  readonly allowDevControls: boolean
}

/** A block with all that its rules speak of. */
export type BlockContext = {
  readonly block: BlockView
  readonly own: ShardIdent
  readonly isMaster: boolean
  /** The state before it; both halves before a merge, left one first; the whole parent before a split. */
  readonly before: readonly StateView[]
  readonly after: StateView
  /** The masterchain state that it refers to; in the masterchain the one before it. */
  readonly master: StateView
  readonly masterId: BlockIdExt
  /** The configuration under which it was made: that of `master`. */
  readonly config: NetworkConfig
  readonly chain: ChainViews
  readonly memory: ChainMemory
  readonly options: RuleOptions
}

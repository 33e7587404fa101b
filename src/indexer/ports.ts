import type { ContractState, RunContext } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import type { DecodedUnit, RawUnit } from './blockSets.ts'
import type { ResolvedAccount } from './IndexBatch.ts'

/** Where units come from. */
export interface UnitSource {
  /** The newest masterchain block whose shard blocks are all there too. */
  getHead(signal: AbortSignal): Promise<BlockIdExt>
  /** Each new head as it appears, the present one first. Heads may be skipped over, never repeated or taken back. */
  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt>
  /** The id of a masterchain block. */
  getBlockId(seqno: number, signal: AbortSignal): Promise<BlockIdExt>
  /** A masterchain block with the shard blocks that it is the first to include, all checked: see createUnitSource. */
  fetchUnit(seqno: number, signal: AbortSignal): Promise<RawUnit>
}

/** Finds the code and data of accounts, and their currencies where blocks do not show them. */
export interface AccountResolver {
  /** Of every account touched in consecutive units, each once: what it has after its last transaction in them. */
  resolve(units: readonly DecodedUnit[], signal: AbortSignal): Promise<readonly ResolvedAccount[]>
}

/** The states of the whole chain after masterchain blocks. Where nobody has them, there is no such port. */
export interface ChainStates {
  /** The signal holds for all that the view is asked, too. */
  openAt(seqno: number, signal: AbortSignal): Promise<StateView>
  /** Has all found out anew that was found out before: it turned out to be of a chain that went another way. */
  forget(): void
}

/**
 * The state of the whole chain after one masterchain block: of accounts that were touched in it and of any other. It may be asked
 * for several things at once, and keeps their number bounded by itself. Failures that may pass are retryable.
 */
export interface StateView {
  /** The masterchain block. */
  readonly block: BlockIdExt
  /** The cell of an Account; `undefined` where there is none. */
  findAccount(address: Address): Promise<Cell | undefined>
  /** A contract that can run; `undefined` where there is no account, or none with code. Data that is absent is the empty cell. */
  findContract(address: Address): Promise<ContractState | undefined>
  /** What get-methods see around them: the configuration, libraries and previous blocks, the time and seed of the masterchain block. */
  getContext(): Promise<RunContext>
}

import type { ContractState, RunContext } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import type { Address } from '../primitives/Address.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import type { DecodedBlockSet, RawBlockSet } from './blockSets.ts'
import type { ResolvedAccount } from './IndexBatch.ts'

/** A source of block sets. */
export interface BlockSetSource {
  /** The newest masterchain block whose shard blocks are all available. */
  getHead(signal: AbortSignal): Promise<BlockIdExt>
  /** Each new head, the current one first. Heads may be skipped, never repeated or reverted. */
  watchHeads(signal: AbortSignal): AsyncIterable<BlockIdExt>
  /** The id of a masterchain block. */
  getBlockId(seqno: number, signal: AbortSignal): Promise<BlockIdExt>
  /** A verified block set: see createBlockSetSource. */
  fetchBlockSet(seqno: number, signal: AbortSignal): Promise<RawBlockSet>
}

/** Finds the code and data of accounts, and extra currencies that blocks do not show. */
export interface AccountResolver {
  /** For every account touched in consecutive block sets, its content after its last transaction in them. */
  resolve(blockSets: readonly DecodedBlockSet[], signal: AbortSignal): Promise<readonly ResolvedAccount[]>
}

/** The chain states after masterchain blocks. Absent if nothing provides them. */
export interface ChainStates {
  /** The signal also covers later calls of the view. */
  openAt(seqno: number, signal: AbortSignal): Promise<StateView>
  /** Clears all caches: they turned out to be of another fork. */
  forget(): void
}

/**
 * The chain state after one masterchain block. Concurrent calls are allowed and bounded internally. Transient failures are
 * retryable.
 */
export interface StateView {
  /** The masterchain block. */
  readonly block: BlockIdExt
  /** The cell of an Account; `undefined` if there is none. */
  findAccount(address: Address): Promise<Cell | undefined>
  /** A contract that can run; `undefined` if there is no account or no code. Missing data is the empty cell. */
  findContract(address: Address): Promise<ContractState | undefined>
  /** The environment of get-methods: config, libraries, previous blocks, time and seed of the masterchain block. */
  getContext(): Promise<RunContext>
}

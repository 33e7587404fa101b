import type { Cell } from '../../codec/cell/Cell.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'

/** The masterchain block that a fork starts from. */
export type ForkPoint = {
  readonly block: BlockIdExt
  readonly utime: number
  /** Above all logical times in the state after the block. */
  readonly endLt: bigint
  readonly globalId: number
}

/** The forked network. Everything it returns is checked against a proof; what cannot be proven is an error. */
export interface ForkSource {
  /** The masterchain block with this seqno; default: the newest. */
  getPoint(seqno: number | undefined): Promise<ForkPoint>
  getConfig(block: BlockIdExt): Promise<ConfigDict>
  /** An account after the block; `undefined` if it is proven that there is none. */
  findAccount(block: BlockIdExt, address: Address): Promise<ShardAccount | undefined>
  /** A public library after the block; `undefined` if it is proven that there is none. */
  findLibrary(block: BlockIdExt, hash: Uint8Array): Promise<Cell | undefined>
}

/** The forked network is needed and cannot be used: unreachable, or no server could prove its answer. */
export class ForkUnavailableError extends CodedError {
  readonly code = 'fork_unavailable'
  override readonly retryable = true
}

/** The file of fetched accounts is damaged. */
export class ForkRecordError extends CodedError {
  readonly code = 'fork_record_invalid'
}

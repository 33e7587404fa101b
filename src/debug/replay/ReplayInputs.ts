import type { PreviousBlocks } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { configDictType, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'

/** Which transaction to replay. With a hash the one on chain must have it. */
export type ReplayTarget = {
  readonly address: Address
  readonly lt: bigint
  readonly hash?: Uint8Array | undefined
}

/** All that a replay needs of the chain, besides libraries and previous blocks, which few transactions use. */
export type ReplayInputs = {
  readonly address: Address
  /** Logical time of the wanted transaction. */
  readonly lt: bigint
  readonly block: {
    readonly id: BlockIdExt
    readonly startLt: bigint
    readonly genUtime: number
    readonly randomSeed: Uint8Array
  }
  /** The block before it in the shard of the account: after a merge that of the half which held the account. */
  readonly previousBlock: BlockIdExt
  /** The masterchain block whose configuration and libraries are in force: the one that the block refers to. */
  readonly master: BlockIdExt
  /** Root of the configuration dictionary. */
  readonly config: Cell
  /** The account before the block. */
  readonly before: ShardAccount
  /** Transactions of the account in the block, by logical time, up to the wanted one. */
  readonly transactions: readonly Cell[]
}

/** What a replay may ask for while it runs. */
export interface ReplaySource {
  /** A library that is public after the masterchain block; `undefined` where there is none. */
  findLibrary(hash: Uint8Array): Promise<Cell | undefined>
  /** The masterchain blocks that code can read; `undefined` where the chain has none on record. */
  getPreviousBlocks(): Promise<PreviousBlocks | undefined>
}

export const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** Parameter 8. */
export const globalVersionOf = (config: Cell): number =>
  findConfigParam(new Dict(configDictType, config), 8)?.version ?? 0

import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { ChainStore } from '../store/ChainStore.ts'

/** The context of liteserver functions. */
export type LiteserverContext = {
  readonly store: ChainStore
  /** Unix time of the network clock. */
  now(): number
  /** Accepts an external message, or throws a LiteserverError. A replayed chain refuses all. */
  sendMessage(body: Uint8Array): Promise<void>
  /** Runs get-methods; without it they are refused. */
  readonly vm: Pick<VirtualMachine, 'runMethod'> | undefined
  /** Set if the network is a fork of another. */
  readonly fork?: LiteserverFork | undefined
  /** Shard blocks that no masterchain block names yet; `undefined` if non-final queries are disabled. */
  readonly findPending?: (() => PendingBlocks | undefined) | undefined
}

/** Signed shard blocks on their way into the masterchain. */
export interface PendingBlocks {
  readonly ids: readonly BlockIdExt[]
  findBytes(id: BlockIdExt): Uint8Array | undefined
}

/** What a liteserver needs of a fork. */
export interface LiteserverFork {
  /** Logical time of the fork block: earlier transactions are of the forked network. */
  readonly endLt: bigint
  /** Sees to it that the state has an account; returns the masterchain block that has it first, 0 if none had to bring it. */
  ensure(address: Address): Promise<number>
  /** A public library of the forked network. */
  fetchLibrary(hash: Uint8Array): Promise<Cell | undefined>
}

/** A liteserver function: returns its result, or throws a LiteserverError. */
export type LiteFunction<K extends LiteFunctionName> = (
  context: LiteserverContext,
  args: TlArguments[K],
) => TlResults[K] | Promise<TlResults[K]>

export type LiteFunctions = { readonly [K in LiteFunctionName]?: LiteFunction<K> }

/** An error answer of a liteserver (`liteServer.error`): clients match on its code and text. */
export class LiteserverError extends CodedError {
  readonly code = 'lite_refusal'
  readonly serverCode: number
  readonly serverText: string

  constructor(serverCode: number, serverText: string) {
    super(`The request is refused with ${serverCode}: ${serverText}`)
    this.serverCode = serverCode
    this.serverText = serverText
  }
}

/** Invalid arguments, or an object that the block does not contain. */
export const REQUEST_ERROR = -400
/** The block or state is missing, or not available yet. */
export const NOT_READY = 651

/** Cells in one bag, in their order; none at all are no bytes, for a bag has at least one root. */
export const encodeList = (cells: readonly Cell[]): Uint8Array =>
  cells.length === 0 ? new Uint8Array() : encodeBoc(cells)

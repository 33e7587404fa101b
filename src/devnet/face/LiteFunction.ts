import type { VirtualMachine } from '../../chain/ports.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import type { ChainStore } from '../store/ChainStore.ts'

/** What the functions of the server work with. */
export type FaceContext = {
  readonly store: ChainStore
  /** Seconds, as the network's clock has it. */
  now(): number
  /** Takes an external message, or throws a LiteRefusal. A chain that is only replayed refuses all. */
  sendMessage(body: Uint8Array): Promise<void>
  /** What get-methods run on; without it they are refused. */
  readonly vm: Pick<VirtualMachine, 'runMethod'> | undefined
}

/** A function of the protocol: its result, or a LiteRefusal. */
export type LiteFunction<K extends LiteFunctionName> = (
  context: FaceContext,
  args: TlArguments[K],
) => TlResults[K] | Promise<TlResults[K]>

export type LiteFunctions = { readonly [K in LiteFunctionName]?: LiteFunction<K> }

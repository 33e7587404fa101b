import type { LiveChain, LiveNode } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Call } from '../core/Call.ts'
import type { MethodRuns } from './methods/MethodRuns.ts'

/** What this interface is made from. */
export type V2Parts = {
  readonly chain: LiveChain
  readonly vm: VirtualMachine
  /** Get-methods, run in that machine. */
  readonly methods: MethodRuns
  readonly settings: V2Settings
  /** Told of every message from outside that a node has taken. */
  readonly onSent?: ((message: Cell) => void) | undefined
}

/** What differs from network to network. */
export type V2Settings = {
  /** The top-level domain of names that the DNS root resolves. */
  readonly topLevelDomain: string
}

/** What an endpoint without a node works on. */
export type V2Context = V2Parts & { readonly call: Call }

/** What an endpoint that reads the chain works on: every question of one call goes to the same node. */
export type V2NodeContext = V2Context & { readonly node: LiveNode }

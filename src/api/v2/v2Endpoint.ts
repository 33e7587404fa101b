import type { Static, TSchema } from 'typebox'
import type { LiveChain, LiveNode } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Call } from '../core/Call.ts'
import { type Endpoint, endpointFor } from '../core/Endpoint.ts'
import type { ParamTable, ParsedOf } from '../core/params.ts'
import type { MethodRuns } from './getMethods/MethodRuns.ts'

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

/** Defines an endpoint that needs no node, or finds nodes by itself. */
export const v2LocalEndpoint = endpointFor<V2Context>()

/** An endpoint that reads the chain. */
type NodeEndpoint<P extends ParamTable, R extends TSchema, Name extends string> = Omit<
  Endpoint<V2Context, P, R, Name>,
  'handle'
> & {
  /** Refuses parameters that do not go together, before a node is asked anything. */
  check?(params: ParsedOf<P>): void
  /** May be done again on another node after a failure, so it must not change anything. */
  handle(context: V2NodeContext, params: ParsedOf<P>): Promise<Static<R>>
  /** What can be made of the failure when no node is left to try; throws what it cannot mend. */
  recover?(error: unknown): Static<R>
}

/** Defines an endpoint that reads the chain on one node. A parameter `archival` says on which kind. */
export const v2Endpoint = <const Name extends string, P extends ParamTable, R extends TSchema>({
  check,
  handle,
  recover,
  ...definition
}: NodeEndpoint<P, R, Name>): Endpoint<V2Context, P, R, Name> => ({
  ...definition,
  handle: (context, params) => {
    check?.(params)
    const { chain, call } = context
    const { archival } = params as { readonly archival?: boolean | undefined }
    const result = chain.withNode({ archival, signal: call.signal }, (node) => {
      call.trace.nodes = [...call.trace.nodes, node.index]
      return handle({ ...context, node }, params)
    })
    return recover === undefined ? result : result.catch(recover)
  },
})

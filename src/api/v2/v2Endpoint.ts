import type { Static, TSchema } from 'typebox'
import type { Confirmations } from '../../chain/confirmations.ts'
import type { LiveChain, LiveNode, NodeCriteria } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Call } from '../core/Call.ts'
import { type Endpoint, endpointFor } from '../core/Endpoint.ts'
import type { ParamTable, ParsedOf } from '../core/params.ts'
import type { MethodRunner } from './getMethods/MethodRunner.ts'

/** Dependencies of the v2 interface. */
export type V2Parts = {
  readonly chain: LiveChain
  readonly vm: VirtualMachine
  /** Runs get-methods in `vm`, with a cache. */
  readonly methods: MethodRunner
  readonly settings: V2Settings
  /** Called for every external-in message that a node has accepted. */
  readonly onSent?: ((message: Cell) => void) | undefined
  /** Tells what became of sent messages; absent without an index. */
  readonly confirmations?: Confirmations | undefined
}

/** Network-specific settings. */
export type V2Settings = {
  /** Top-level domain of the DNS root contract. */
  readonly topLevelDomain: string
}

/** Context of an endpoint that needs no node. */
export type V2Context = V2Parts & { readonly call: Call }

/** Context of an endpoint that reads the chain: all requests of one call go to the same node. */
export type V2NodeContext = V2Context & { readonly node: LiveNode }

/** Defines an endpoint that needs no node, or selects nodes itself. */
export const v2LocalEndpoint = endpointFor<V2Context>()

/** An endpoint that reads the chain. */
type NodeEndpoint<P extends ParamTable, R extends TSchema, Name extends string> = Omit<
  Endpoint<V2Context, P, R, Name>,
  'handle'
> & {
  /** Refuses conflicting parameters before a node is called. */
  check?(params: ParsedOf<P>): void
  /** Retried on another node after a failure, so it must have no side effects. */
  handle(context: V2NodeContext, params: ParsedOf<P>): Promise<Static<R>>
  /** The result of a failure when no node is left to retry on; rethrows what it cannot handle. */
  recover?(error: unknown): Static<R> | Promise<Static<R>>
}

/** The criteria of a call, whose signal is not created before a node needs it. */
class CallCriteria implements NodeCriteria {
  readonly archival: boolean | undefined
  readonly isEnded: NodeCriteria['isEnded']
  private readonly call: Call

  constructor(archival: boolean | undefined, call: Call) {
    this.archival = archival
    this.call = call
    this.isEnded = call.isEnded === undefined ? undefined : () => call.isEnded!()
  }

  get signal(): AbortSignal {
    return this.call.signal
  }
}

/** Defines an endpoint that reads the chain from one node. The parameter `archival` selects archive nodes. */
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
    const result = chain.withNode(new CallCriteria(archival, call), (node) => {
      call.trace.nodes = [...call.trace.nodes, node.index]
      return handle({ ...context, node }, params)
    })
    return recover === undefined ? result : result.catch(recover)
  },
})

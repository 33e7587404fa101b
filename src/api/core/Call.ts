import type { IncomingHttpHeaders } from 'node:http'
import type { Lifetime } from './Endpoint.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** How a response was made. */
export type CallTrace = {
  /** Indexes of the nodes that answered. */
  nodes: readonly number[]
  /** It came from the response cache. */
  isCached: boolean
  /** The key of its response in the cache. */
  cacheKey: CacheKey | undefined
  /** Headers of this response alone. */
  headers: { readonly [name: string]: string } | undefined
  /** Name of the API key that the request was admitted with. */
  key: string | undefined
}

/** Identifies a cached response, and says how long it stays valid. */
export type CacheKey = { readonly text: string; readonly lifetime: Lifetime }

export const newTrace = (): CallTrace => ({
  nodes: [],
  isCached: false,
  cacheKey: undefined,
  headers: undefined,
  key: undefined,
})

/** What stays the same about a call while it runs. A class, for calls of several kinds to extend. */
export class CallFacts {
  readonly transport: 'get' | 'post' | 'rpc'
  /** Endpoint name; `undefined` until it is resolved, or if there is no such endpoint. */
  readonly endpoint: string | undefined
  readonly query: QueryValues
  /** The whole body; for JSON-RPC the one request in it. */
  readonly body: JsonValue | undefined
  /** See headers.ts. */
  readonly requestId: string
  /** Name of the node pool reserved for the caller's plan: see AccessControl.ts. */
  readonly pool?: string | undefined
  /** Name of the caller's plan: see AccessControl.ts. */
  readonly plan?: string | undefined
  /** Rights of its API key: see AccessControl.ts. */
  readonly scopes?: readonly string[] | undefined
  /** Under which name its requests are counted: see AccessControl.ts. */
  readonly caller?: string | undefined
  /** Time of arrival, by `performance.now()`. */
  readonly receivedAt: number
  /** Where it turns out long, the slow lane answers it: see LongAnswerError. */
  readonly isShort?: boolean | undefined

  constructor(facts: CallFacts) {
    this.transport = facts.transport
    this.endpoint = facts.endpoint
    this.query = facts.query
    this.body = facts.body
    this.requestId = facts.requestId
    this.pool = facts.pool
    this.plan = facts.plan
    this.scopes = facts.scopes
    this.caller = facts.caller
    this.receivedAt = facts.receivedAt
    this.isShort = facts.isShort
  }
}

/** One call of an endpoint over any transport. */
export type Call = CallFacts & {
  readonly headers: IncomingHttpHeaders
  /** Remote address of the socket. */
  readonly remoteAddress: string
  /** Filled in while the call runs. */
  readonly trace: CallTrace
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal
  /** Says whether the signal is aborted, without creating it. */
  isEnded?(): boolean
  /** Calls back when the signal would be aborted, without creating an AbortSignal. Returns the function that unsubscribes. */
  readonly onEnd?: ((leave: () => void) => () => void) | undefined
}

/** Called for every response: it must be fast and must not throw. */
export type OnAnswered = (answered: AnsweredRequest) => void

/** Describes a call that has been answered. */
export const toAnswered = (prefix: string, call: Call, status: number) => ({
  /** URL prefix of the interface. */
  prefix,
  /** `undefined` if the request named no existing endpoint; for a batch, that of the last call. */
  endpoint: call.endpoint,
  transport: call.transport,
  status,
  /** From the end of the request body until the response was handed to the socket. */
  durationMs: performance.now() - call.receivedAt,
  /** It was served from the response cache. */
  isCached: call.trace.isCached,
  /** Name of the API key of the request. */
  key: call.trace.key,
})

/** A request that an interface has answered, successfully or not; input of the metrics. */
export type AnsweredRequest = Readonly<ReturnType<typeof toAnswered>>

import type { IncomingHttpHeaders } from 'node:http'
import type { Lifetime } from './Endpoint.ts'
import type { JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** How an answer came about. */
export type CallTrace = {
  /** Places of the nodes that were asked. */
  nodes: readonly number[]
  /** It had been made before. */
  isKept: boolean
  /** What its answer is kept under. */
  question: Question | undefined
  /** Headers of this answer alone. */
  headers: { readonly [name: string]: string } | undefined
  /** The API key that it was admitted with, by the name under which operators know it. */
  key: string | undefined
}

/** A question whose answer is kept, for as long as it is right. */
export type Question = { readonly text: string; readonly lifetime: Lifetime }

export const newTrace = (): CallTrace => ({
  nodes: [],
  isKept: false,
  question: undefined,
  headers: undefined,
  key: undefined,
})

/** One call of an endpoint, whatever way it came. */
export type Call = {
  readonly transport: 'get' | 'post' | 'rpc'
  /** The name of the endpoint; `undefined` while it is not known, or if there is none. */
  readonly endpoint: string | undefined
  readonly query: QueryValues
  /** The whole body; for JSON-RPC the one request in it. */
  readonly body: JsonValue | undefined
  readonly headers: IncomingHttpHeaders
  /** The address of the socket's other end. */
  readonly remoteAddress: string
  /** Of the request: see requestId.ts. */
  readonly requestId: string
  /** The nodes that are kept for the likes of its caller: see Gate.ts. */
  readonly pool?: string | undefined
  /** When the request came, by `performance.now()`. */
  readonly receivedAt: number
  /** Filled in as the call goes on. */
  readonly trace: CallTrace
  /** Aborted when the answer is no longer waited for. */
  readonly signal: AbortSignal
  /** Calls back when the signal would be aborted, where that can be had without making one; returns how to take that back. */
  readonly onEnd?: ((leave: () => void) => () => void) | undefined
}

/** A request that an interface has answered, well or not, for whoever counts them. */
export type AnsweredRequest = {
  /** Of the interface. */
  readonly prefix: string
  /** `undefined` where the request named none that there is; of a batch it is that of the last call. */
  readonly endpoint: string | undefined
  readonly transport: Call['transport']
  readonly status: number
  /** From when the request was whole until its answer was handed to the connection. */
  readonly durationMs: number
  /** The answer had been made before. */
  readonly isKept: boolean
  /** The API key that it came with, by the name under which operators know it. */
  readonly key: string | undefined
}

/** Called for every answer, so it must not take long, and not throw. */
export type OnAnswered = (answered: AnsweredRequest) => void

/** A call that has come to its answer. */
export const toAnswered = (prefix: string, call: Call, status: number): AnsweredRequest => ({
  prefix,
  endpoint: call.endpoint,
  transport: call.transport,
  status,
  durationMs: performance.now() - call.receivedAt,
  isKept: call.trace.isKept,
  key: call.trace.key,
})

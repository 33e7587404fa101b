import type { IncomingHttpHeaders } from 'node:http'
import type { JsonValue } from './json/JsonValue.ts'
import type { QueryValues } from './parseQuery.ts'

/** How an answer came about. */
export type CallTrace = {
  /** Places of the nodes that were asked. */
  nodes: readonly number[]
  /** It had been made before. */
  isKept: boolean
}

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
  /** When the request came, by `performance.now()`. */
  readonly receivedAt: number
  /** Filled in as the call goes on. */
  readonly trace: CallTrace
  /** Aborted when the answer is no longer waited for. */
  readonly signal: AbortSignal
}

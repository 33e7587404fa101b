import type { Call } from './Call.ts'
import type { Failure } from './Failure.ts'
import type { JsonValue } from './json/JsonValue.ts'

/** How an interface speaks JSON-RPC. The methods are the names of its endpoints. */
export interface JsonRpc {
  /** Below the prefix of the interface. */
  readonly path: `/${string}`
  /** Calls in one request; 0 where an array is no request at all. */
  readonly maxBatch: number
  /** Whether a call without an id gets no answer. */
  readonly notifications: boolean
  renderResult(result: unknown, call: Call, id: JsonValue | undefined): unknown
  renderError(failure: Failure, call: Call, id: JsonValue | undefined): unknown
  /** The HTTP status of an answer that is a failure. */
  statusOf(failure: Failure): number
}

/** JSON-RPC 2.0 as its specification has it: failures are answers too, with status 200. */
export const standardJsonRpc = (path: `/${string}`, maxBatch: number): JsonRpc => ({
  path,
  maxBatch,
  notifications: true,
  renderResult: (result, _call, id) => ({ jsonrpc: '2.0', id: id ?? null, result }),
  renderError: ({ rpc, message, code }, _call, id) => ({
    jsonrpc: '2.0',
    id: id ?? null,
    error: { code: rpc, message, data: { code } },
  }),
  statusOf: () => 200,
})

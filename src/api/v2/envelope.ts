import type { Call } from '../core/Call.ts'
import type { Failure } from '../core/Failure.ts'
import type { JsonRpc } from '../core/JsonRpc.ts'
import type { JsonValue } from '../core/json/JsonValue.ts'
import { describeFailure } from './describeFailure.ts'
import { describeCall } from './extra.ts'

export const renderResult = (result: unknown, call: Call) => ({ ok: true, result, '@extra': describeCall(call) })

export const renderError = (failure: Failure, call: Call) => ({
  ok: false,
  error: describeFailure(failure, call),
  code: failure.status,
  '@extra': failure.code === 'unknown_path' ? '_' : describeCall(call),
})

const rpcMembers = (id: JsonValue | undefined) => ({ jsonrpc: '2.0', ...(id !== undefined && { id }) })

/** JSON-RPC here is the envelope of REST with two members more; failures keep their statuses. */
export const jsonRpc: JsonRpc = {
  path: '/jsonRPC',
  maxBatch: 0,
  notifications: false,
  renderResult: (result, call, id) => ({ ...renderResult(result, call), ...rpcMembers(id) }),
  renderError: (failure, call, id) => ({ ...renderError(failure, call), ...rpcMembers(id) }),
  statusOf: ({ status }) => status,
}

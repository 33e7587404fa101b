import type { ErrorCode as ChainErrorCode } from '../../chain/errors.ts'

/** HTTP status, JSON-RPC error code, and the header Retry-After in seconds. */
export type WireError = { readonly status: number; readonly rpc: number; readonly retryAfter?: number }

/**
 * Every error code that an interface answers with. A code of `chain` without a row does not compile; codes of folders that may not be
 * imported here (virtual machine, database, embedded network) are checked by wireErrors.test-d.ts. An error without a row is a bug and is
 * answered as `internal`. An interface may override statuses.
 */
export const wireErrors = {
  // Errors of the request.
  invalid_json: { status: 400, rpc: -32700 },
  invalid_request: { status: 400, rpc: -32600 },
  invalid_params: { status: 422, rpc: -32602 },
  unauthorized: { status: 401, rpc: -32010 },
  forbidden: { status: 403, rpc: -32011 },
  unknown_path: { status: 404, rpc: -32601 },
  unknown_method: { status: 404, rpc: -32601 },
  method_not_allowed: { status: 405, rpc: -32600 },
  request_timeout: { status: 408, rpc: -32012 },
  body_too_large: { status: 413, rpc: -32600 },
  batch_too_long: { status: 413, rpc: -32600 },
  url_too_long: { status: 414, rpc: -32600 },
  unsupported_media_type: { status: 415, rpc: -32600 },
  rate_limited: { status: 429, rpc: -32013 },
  headers_too_large: { status: 431, rpc: -32600 },

  // Chain and nodes.
  block_not_found: { status: 404, rpc: -32000 },
  transaction_not_found: { status: 404, rpc: -32000 },
  state_not_kept: { status: 404, rpc: -32000 },
  fork_unavailable: { status: 503, rpc: -32007 },
  node_refused: { status: 502, rpc: -32003 },
  node_answer_invalid: { status: 502, rpc: -32002 },
  proof_failed: { status: 502, rpc: -32002 },
  node_unavailable: { status: 503, rpc: -32001 },
  node_timeout: { status: 504, rpc: -32004 },

  // Contracts and messages.
  not_a_token: { status: 409, rpc: -32000 },
  cell_object_invalid: { status: 400, rpc: -32602 },
  message_refused: { status: 400, rpc: -32003 },
  waits_exhausted: { status: 503, rpc: -32007 },
  index_missing: { status: 503, rpc: -32001 },
  stack_too_deep: { status: 533, rpc: -32005 },
  stack_too_large: { status: 500, rpc: -32005 },
  unsupported_stack_entry: { status: 542, rpc: -32602 },

  // Emulation.
  not_accepted: { status: 422, rpc: -32005 },
  unsupported_wallet: { status: 422, rpc: -32005 },

  // Virtual machine.
  vm_input_invalid: { status: 422, rpc: -32005 },
  vm_result_too_large: { status: 422, rpc: -32005 },
  vm_crashed: { status: 500, rpc: -32006 },
  vm_busy: { status: 503, rpc: -32007 },
  vm_closed: { status: 503, rpc: -32007 },
  vm_timeout: { status: 504, rpc: -32008 },

  // Debugger.
  account_not_active: { status: 409, rpc: -32000 },
  code_not_found: { status: 404, rpc: -32000 },
  replay_failed: { status: 422, rpc: -32005 },
  replay_not_kept: { status: 404, rpc: -32000 },
  too_many_steps: { status: 413, rpc: -32005 },
  unsupported_kind: { status: 422, rpc: -32005 },
  source_map_invalid: { status: 400, rpc: -32602 },
  source_map_not_found: { status: 404, rpc: -32000 },
  source_maps_full: { status: 409, rpc: -32000 },

  // Database.
  database_conflict: { status: 503, rpc: -32015 },
  database_full: { status: 503, rpc: -32015 },
  database_refused: { status: 503, rpc: -32015 },
  database_unavailable: { status: 503, rpc: -32015, retryAfter: 1 },
  database_worker_unavailable: { status: 503, rpc: -32015, retryAfter: 1 },
  database_timeout: { status: 504, rpc: -32016 },

  // Index.
  cursor_refused: { status: 422, rpc: -32602 },
  query_too_costly: { status: 422, rpc: -32602 },
  not_indexed: { status: 404, rpc: -32000 },
  index_behind: { status: 503, rpc: -32015, retryAfter: 1 },
  index_empty: { status: 500, rpc: -32000 },
  changes_not_kept: { status: 410, rpc: -32000 },
  not_a_wallet: { status: 409, rpc: -32000 },
  live_interface_missing: { status: 500, rpc: -32001 },
  live_interface_refused: { status: 500, rpc: -32003 },

  // Streaming.
  invalid_subscription: { status: 400, rpc: -32602 },
  invalid_since: { status: 400, rpc: -32602 },
  event_not_found: { status: 404, rpc: -32000 },
  no_event_log: { status: 404, rpc: -32000 },
  chain_set_back: { status: 409, rpc: -32000 },
  events_not_kept: { status: 410, rpc: -32000 },

  // Webhooks.
  webhook_refused: { status: 400, rpc: -32602 },
  webhook_limit: { status: 403, rpc: -32011 },
  webhook_not_found: { status: 404, rpc: -32000 },
  webhook_conflict: { status: 409, rpc: -32000 },
  webhook_not_kept: { status: 410, rpc: -32000 },
  precondition_failed: { status: 412, rpc: -32000 },
  webhook_secrets_unreadable: { status: 500, rpc: -32603 },

  // Embedded network.
  lite_refusal: { status: 400, rpc: -32003 },
  dev_input_invalid: { status: 422, rpc: -32602 },
  dev_snapshot_not_found: { status: 404, rpc: -32000 },
  dev_transaction_not_found: { status: 404, rpc: -32000 },
  dev_transaction_not_repeatable: { status: 409, rpc: -32009 },
  dev_step_failed: { status: 500, rpc: -32009 },
  dev_network_closed: { status: 503, rpc: -32001 },

  // Internal.
  internal: { status: 500, rpc: -32603 },
  overloaded: { status: 503, rpc: -32017 },
  deadline_exceeded: { status: 504, rpc: -32014 },
} as const satisfies Record<ChainErrorCode, WireError> & Record<string, WireError>

/** Every error code of the interfaces. */
export type ErrorCode = keyof typeof wireErrors

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(wireErrors, code)

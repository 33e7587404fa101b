import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { Call } from '../core/Call.ts'
import {
  type Failure,
  InvalidParamsError,
  MethodNotAllowedError,
  type ParamIssue,
  type Statuses,
} from '../core/errors.ts'
import type { JsonRpc } from '../core/Interface.ts'
import { findMember, isJsonObject, type JsonValue } from '../core/json/parseJson.ts'
import { keywordsOf } from '../core/params.ts'
import type { ErrorCode } from '../core/wireErrors.ts'
import { outOfRange, RefusedRequestError, unreadable } from './errors.ts'

const maxInt32 = 0x7fff_ffff

/** The message of a parameter issue in this interface. */
const describeIssue = ({ name, keyword, message, error, schema }: ParamIssue): RefusedRequestError => {
  if (error instanceof RefusedRequestError) return error
  const { minimum, maximum } = schema === undefined ? {} : keywordsOf(schema)
  switch (keyword) {
    case 'unknown':
      return unreadable(`Unknown property '${name}'`)
    case 'minimum':
      return outOfRange(`${name} should be ${minimum === 1 ? 'positive' : 'non-negative'}`)
    case 'maximum':
      // A number beyond its type counts as malformed.
      return maximum === maxInt32
        ? unreadable(`failed to parse ${name}`)
        : outOfRange(`${name} should be less or equal ${maximum}`)
    default:
      // `params` holds the JSON-RPC arguments; no parameter has this name.
      return name === 'params' ? new RefusedRequestError('handle', message) : unreadable(`failed to parse ${name}`)
  }
}

/** HTTP statuses that differ from the common table. */
export const v2Statuses: Statuses = {
  invalid_json: 422,
  invalid_request: 422,
  unknown_method: 422,
  block_not_found: 500,
  node_refused: 500,
  node_answer_invalid: 500,
  proof_failed: 500,
  node_unavailable: 542,
  vm_input_invalid: 500,
  vm_result_too_large: 500,
  vm_busy: 504,
  vm_closed: 504,
}

/** The error message of a failure. */
const describeFailure = (failure: Failure, { transport }: Call): string => {
  const { error, code, message } = failure
  if (error instanceof InvalidParamsError) return describeIssues(error.issues, transport)
  if (error instanceof RefusedRequestError) return describeRefusal(error, transport)
  if (error instanceof NodeRefusedError) return describeNodeError(error)
  if (error instanceof NodeUnavailableError) {
    return `no workers available (archival=${error.archivalOnly ? 1 : 0} mode=Single)`
  }
  if (error instanceof MethodNotAllowedError) return `method ${error.method} is not supported`
  if (code === 'invalid_json' || code === 'invalid_request') return `${parsePrefix(transport)}${message}`
  return wordings[code] ?? message
}

const wordings: { readonly [Code in ErrorCode]?: string } = {
  unknown_path: 'Not Found',
  unknown_method: 'Unknown method',
  vm_result_too_large: 'TVM stack size exceeds limit',
}

/** Malformed parameters are reported before ranges. For a body, the message names the malformed member. */
const describeIssues = (issues: readonly ParamIssue[], transport: Call['transport']): string => {
  const refusals = issues.map((issue) => ({ name: issue.name, refusal: describeIssue(issue) }))
  const { name, refusal } = refusals.find((each) => each.refusal.stage === 'parse') ?? refusals[0]!
  const isTold = transport === 'get' || refusal.stage !== 'parse' || refusal.message.includes(name)
  return describeRefusal(isTold ? refusal : unreadable(`${name}: ${refusal.message}`), transport)
}

const describeRefusal = ({ stage, message }: RefusedRequestError, transport: Call['transport']): string => {
  if (stage === 'handle') return message
  return stage === 'parse' ? `${parsePrefix(transport)}${message}` : `failed to validate request: ${message}`
}

const parsePrefix = (transport: Call['transport']): string =>
  `failed to parse ${transport === 'get' ? 'get' : 'post'} request: `

const nodeErrorKinds: ReadonlyMap<number, string> = new Map([
  [601, 'FAILURE'],
  [602, 'ERROR'],
  [603, 'WARNING'],
  [621, 'PROTOVIOLATION'],
  [651, 'NOTREADY'],
  [652, 'TIMEOUT'],
  [653, 'CANCELLED'],
])

/** The error of a refused message contains the whole VM log. */
const maxNodeText = 4096

/** The error of a liteserver, in the wording of the original service. */
export const describeNodeError = ({ serverCode, serverText }: NodeRefusedError): string =>
  `LITE_SERVER_${nodeErrorKinds.get(serverCode) ?? 'UNKNOWN'}: ${serverText.slice(0, maxNodeText)}`

/** The parameter that is echoed in the response. */
export const extraMember = '@extra'

const maxEchoLength = 1000

/** The `@extra` of a response: the echoed text, or time, nodes and duration. */
const describeCall = (call: Call): string => {
  const { trace, receivedAt } = call
  const echo = findEcho(call)
  if (echo !== undefined) return echo
  const seconds = Math.floor(Date.now() / 1000)
  const nodes = trace.nodes.length === 0 ? '_' : trace.nodes.join(',')
  const elapsedMs = (performance.now() - receivedAt).toFixed(3)
  return `${seconds}:${nodes}:${elapsedMs}${trace.isCached ? ':c' : ''}`
}

const findEcho = ({ query, body, transport }: Call): string | undefined => {
  const args = transport === 'rpc' && body !== undefined && isJsonObject(body) ? body['params'] : undefined
  const echo = findText(body) ?? findText(args) ?? query[extraMember]?.at(-1)
  return echo?.slice(0, maxEchoLength)
}

const findText = (value: JsonValue | undefined): string | undefined => {
  const member = isJsonObject(value) ? findMember(value, extraMember) : undefined
  return typeof member === 'string' ? member : undefined
}

export const renderResult = (result: unknown, call: Call) => ({ ok: true, result, '@extra': describeCall(call) })

export const renderError = (failure: Failure, call: Call) => ({
  ok: false,
  error: describeFailure(failure, call),
  code: failure.status,
  '@extra': failure.code === 'unknown_path' ? '_' : describeCall(call),
})

const rpcMembers = (id: JsonValue | undefined) => ({ jsonrpc: '2.0', ...(id !== undefined && { id }) })

/** JSON-RPC is the REST envelope with two more members; errors keep their HTTP statuses. */
export const jsonRpc: JsonRpc = {
  path: '/jsonRPC',
  maxBatch: 0,
  notifications: false,
  renderResult: (result, call, id) => ({ ...renderResult(result, call), ...rpcMembers(id) }),
  renderError: (failure, call, id) => ({ ...renderError(failure, call), ...rpcMembers(id) }),
  statusOf: ({ status }) => status,
}

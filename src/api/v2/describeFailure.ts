import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { Call } from '../core/Call.ts'
import { InvalidParamsError, MethodNotAllowedError, type ParamIssue } from '../core/errors.ts'
import type { Failure, Statuses } from '../core/Failure.ts'
import type { ErrorCode } from '../core/wireErrors.ts'
import { describeIssue } from './describeIssue.ts'
import { RefusedRequestError, unreadable } from './RefusedRequestError.ts'

/** Where this interface departs from the table of statuses. */
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

/** What a caller is told of a failure. */
export const describeFailure = (failure: Failure, { transport }: Call): string => {
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

/** All parameters are read before any is looked at for its range. Of a body it is told which member was not readable. */
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

/** A refused message brings the whole log of the virtual machine along. */
const maxNodeText = 4096

/** What a server said, in the words that clients know. */
export const describeNodeError = ({ serverCode, serverText }: NodeRefusedError): string =>
  `LITE_SERVER_${nodeErrorKinds.get(serverCode) ?? 'UNKNOWN'}: ${serverText.slice(0, maxNodeText)}`

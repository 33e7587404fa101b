import { NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { Call } from '../core/Call.ts'
import { InvalidParamsError, MethodNotAllowedError, type ParamIssue } from '../core/errors.ts'
import type { Failure, Statuses } from '../core/Failure.ts'
import type { ErrorCode } from '../core/wireErrors.ts'
import { describeIssue } from './describeIssue.ts'
import { RefusedRequestError } from './RefusedRequestError.ts'

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
}

/** What a caller is told of a failure. */
export const describeFailure = (failure: Failure, { transport }: Call): string => {
  const { error, code, message } = failure
  if (error instanceof InvalidParamsError) return describeRefusal(chooseRefusal(error.issues), transport)
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
}

/** All parameters are read before any is looked at for its range. */
const chooseRefusal = (issues: readonly ParamIssue[]): RefusedRequestError => {
  const refusals = issues.map(describeIssue)
  return refusals.find(({ stage }) => stage === 'parse') ?? refusals[0]!
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

const describeNodeError = ({ serverCode, serverText }: NodeRefusedError): string =>
  `LITE_SERVER_${nodeErrorKinds.get(serverCode) ?? 'UNKNOWN'}: ${serverText.slice(0, maxNodeText)}`

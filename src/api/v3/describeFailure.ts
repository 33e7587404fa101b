import { DatabaseTimeoutError, StoreError } from '../../store/errors.ts'
import { InvalidParamsError, type ParamIssue } from '../core/errors.ts'
import type { Failure, Statuses } from '../core/Failure.ts'
import { RefusedRequestError, UnreadableItemError } from './RefusedRequestError.ts'
import { MAX_TIMEOUT_MS } from './RequestOptions.ts'

/** Where this interface departs from the table of statuses. */
export const v3Statuses: Statuses = {
  invalid_json: 422,
  invalid_request: 422,
  unsupported_media_type: 422,
  database_conflict: 500,
  database_full: 500,
  database_refused: 500,
  database_unavailable: 500,
}

/** What a caller is told of a failure. */
export const describeFailure = ({ error, message }: Failure): string => {
  if (error instanceof InvalidParamsError) return describeIssues(error.issues)
  if (error instanceof DatabaseTimeoutError) return describeTimeout(error)
  return isOfDatabase(error) ? 'The index cannot be read now: its database does not answer as it should.' : message
}

/** A caller who gave less time than there is can give more. */
const describeTimeout = ({ message, cause }: DatabaseTimeoutError): string =>
  cause === undefined
    ? `${message} Ask for less, or give more time with x_timeout, ${MAX_TIMEOUT_MS} ms at most.`
    : `The database did not answer within ${MAX_TIMEOUT_MS} ms. Ask for less.`

/** What the database or the way to it said, addresses and names of files included, is for the operator. */
const isOfDatabase = (error: Failure['error']): boolean => error instanceof StoreError && error.cause !== undefined

/** What cannot be read is told first, and how much of it there is; then what can be read and is refused. */
const describeIssues = (issues: readonly ParamIssue[]): string => {
  const said = issues.find(isUnreadable)
  if (said === undefined) return describeRefusal(issues[0]!)
  const others = issues.filter(isUnreadable).length - 1
  const more = others === 0 ? '' : ` (and ${others} other error${others === 1 ? '' : 's'})`
  return `failed to decode: ${describeUnreadable(said)}${more}`
}

const isUnreadable = ({ keyword, error }: ParamIssue): boolean =>
  keyword !== 'missing' && keyword !== 'conflict' && !(error instanceof RefusedRequestError)

const describeUnreadable = ({ name, error }: ParamIssue): string => {
  const place = error instanceof UnreadableItemError ? `index ${error.index} of ` : ''
  return `schema: error converting value for ${place}"${name}"`
}

const describeRefusal = ({ name, keyword, message, error }: ParamIssue): string => {
  if (error !== undefined) return error.message
  return keyword === 'missing' ? `${name} is required` : message
}

import type { TSchema } from 'typebox'
import { CodedError } from '../../primitives/errors.ts'
import { type ErrorCode, isErrorCode, wireErrors } from './wireErrors.ts'

/** A problem with one parameter. */
export type ParamIssue = {
  /** The parameter, or the unknown member of the body. */
  readonly name: string
  /** `missing`, `unknown`, `parse` (the text is malformed), or the keyword of the JSON schema that failed. */
  readonly keyword: string
  /** What was expected and what came. */
  readonly message: string
  /** The raw value. */
  readonly value: unknown
  /** The schema that it was checked against. */
  readonly schema?: TSchema | undefined
  /** The error of the parameter's own parser. */
  readonly error?: CodedError | undefined
}

/** A request is refused because of the request itself. */
abstract class RequestError extends CodedError {
  abstract override readonly code: ErrorCode
}

export class InvalidJsonError extends RequestError {
  readonly code = 'invalid_json'
}

/** The body is JSON, but not a valid request. */
export class InvalidRequestError extends RequestError {
  readonly code = 'invalid_request'
}

export class InvalidParamsError extends RequestError {
  readonly code = 'invalid_params'
  readonly issues: readonly ParamIssue[]

  constructor(issues: readonly [ParamIssue, ...ParamIssue[]]) {
    const [first, ...others] = issues
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    super(`${first.message}${more}`)
    this.issues = issues
  }
}

/** Parameters are valid by themselves, but conflict with each other. */
export const conflictingParams = (name: string, message: string): InvalidParamsError =>
  new InvalidParamsError([{ name, keyword: 'conflict', message, value: undefined }])

/** There is no route at a path. */
export class UnknownPathError extends RequestError {
  readonly code = 'unknown_path'
  constructor() {
    super('Unknown path.')
  }
}

/** JSON-RPC names an unknown method. */
export class UnknownMethodError extends RequestError {
  readonly code = 'unknown_method'
  constructor() {
    super('Unknown method.')
  }
}

export class MethodNotAllowedError extends RequestError {
  readonly code = 'method_not_allowed'
  readonly method: string

  constructor(method: string, allowed: readonly string[]) {
    super(`Method ${method} is not allowed on this path; use ${allowed.join(' or ')}.`)
    this.method = method
  }
}

export class BodyTooLargeError extends RequestError {
  readonly code = 'body_too_large'
  constructor(maxBytes: number) {
    super(`The request body exceeds ${maxBytes} bytes.`)
  }
}

export class UrlTooLongError extends RequestError {
  readonly code = 'url_too_long'
  constructor(maxBytes: number) {
    super(`The request URL exceeds ${maxBytes} bytes. Send the parameters in a POST body.`)
  }
}

export class BatchTooLongError extends RequestError {
  readonly code = 'batch_too_long'
  constructor(maxLength: number) {
    super(`A batch may contain at most ${maxLength} calls.`)
  }
}

export class UnsupportedMediaTypeError extends RequestError {
  readonly code = 'unsupported_media_type'
  constructor() {
    super('The body must be sent with the header Content-Type: application/json.')
  }
}

/** The caller has no access. */
export class ForbiddenError extends RequestError {
  readonly code = 'forbidden'
}

/** The token is missing or wrong. */
export class TokenRequiredError extends RequestError {
  readonly code = 'unauthorized'
  constructor() {
    super('The controls need their token: send the header "Authorization: Bearer TOKEN" (--controls-token).')
  }
}

/** The call took longer than its time limit. */
export class DeadlineExceededError extends RequestError {
  readonly code = 'deadline_exceeded'
  override readonly retryable = true
  constructor(timeoutMs: number) {
    super(`The request timed out after ${timeoutMs} ms.`)
  }
}

/** More requests came than can be answered in time. */
export class OverloadedError extends RequestError {
  readonly code = 'overloaded'
  override readonly retryable = true
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('The service is overloaded. Try again later, as the header Retry-After says.')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Another interface refused a proxied request, with this status. */
export class ProxiedError extends RequestError {
  readonly code = 'live_interface_refused'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** An error as an interface renders it. */
export type Failure = {
  readonly code: ErrorCode
  readonly status: number
  readonly rpc: number
  readonly message: string
  /** The error behind it, for renderers that show more of some kinds; `undefined` for an internal error, which is not shown. */
  readonly error: CodedError | undefined
}

/** HTTP statuses that replace those of the table. */
export type Statuses = { readonly [Code in ErrorCode]?: number }

/** Maps an error to its response. Errors without a known code are internal: they are logged, and not shown. */
export const toFailure = (error: unknown, statuses: Statuses = {}): Failure => {
  const known = error instanceof CodedError && isErrorCode(error.code) ? error : undefined
  const code = known === undefined ? 'internal' : (known.code as ErrorCode)
  const { status, rpc } = wireErrors[code]
  return {
    code,
    status: known instanceof ProxiedError ? known.status : (statuses[code] ?? status),
    rpc,
    message: known?.message ?? 'Internal error. It has been logged; please report it with the request id.',
    error: known,
  }
}

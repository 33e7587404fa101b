import type { TSchema } from 'typebox'
import { CodedError } from '../../primitives/errors.ts'
import { type ErrorCode, isErrorCode, wireErrors } from './wireErrors.ts'

/** What is wrong with one parameter. */
export type ParamIssue = {
  /** The parameter, or the member that is not one. */
  readonly name: string
  /** `missing`, `unknown`, `parse` (its text means nothing), or the keyword of the JSON schema that it fails. */
  readonly keyword: string
  /** A sentence: what was expected, what came. */
  readonly message: string
  /** As it came, before any reading. */
  readonly value: unknown
  /** What it was held against. */
  readonly schema?: TSchema | undefined
  /** What the parameter itself has to say, where it does. */
  readonly error?: CodedError | undefined
}

/** A request is not served, for a reason that lies in the request. */
abstract class RequestError extends CodedError {
  abstract override readonly code: ErrorCode
}

export class InvalidJsonError extends RequestError {
  readonly code = 'invalid_json'
}

/** The body is JSON, but not of the shape that a request has. */
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

/** Parameters that are right by themselves do not go together. */
export const conflictingParams = (name: string, message: string): InvalidParamsError =>
  new InvalidParamsError([{ name, keyword: 'conflict', message, value: undefined }])

/** Nothing is served at a path. */
export class UnknownPathError extends RequestError {
  readonly code = 'unknown_path'
  constructor() {
    super('Nothing is served at this path.')
  }
}

/** JSON-RPC asks for a method that there is not. */
export class UnknownMethodError extends RequestError {
  readonly code = 'unknown_method'
  constructor() {
    super('There is no such method.')
  }
}

export class MethodNotAllowedError extends RequestError {
  readonly code = 'method_not_allowed'
  readonly method: string

  constructor(method: string, allowed: readonly string[]) {
    super(`This path is served for ${allowed.join(' and ')}, not for ${method}.`)
    this.method = method
  }
}

export class BodyTooLargeError extends RequestError {
  readonly code = 'body_too_large'
  constructor(maxBytes: number) {
    super(`The body may hold ${maxBytes} bytes at most.`)
  }
}

export class UrlTooLongError extends RequestError {
  readonly code = 'url_too_long'
  constructor(maxBytes: number) {
    super(`The address of a request may be ${maxBytes} bytes long at most.`)
  }
}

export class BatchTooLongError extends RequestError {
  readonly code = 'batch_too_long'
  constructor(maxLength: number) {
    super(`A batch may hold ${maxLength} calls at most.`)
  }
}

export class UnsupportedMediaTypeError extends RequestError {
  readonly code = 'unsupported_media_type'
  constructor() {
    super('The body must be sent with the header Content-Type: application/json.')
  }
}

/** The caller may not ask this. */
export class ForbiddenError extends RequestError {
  readonly code = 'forbidden'
}

/** The caller must name a token, and did not, or named another one. */
export class TokenRequiredError extends RequestError {
  readonly code = 'unauthorized'
  constructor() {
    super('The controls need their token: send the header "Authorization: Bearer TOKEN" (--controls-token).')
  }
}

/** The work took longer than it may, and was given up. */
export class DeadlineExceededError extends RequestError {
  readonly code = 'deadline_exceeded'
  override readonly retryable = true
  constructor(timeoutMs: number) {
    super(`The answer was not ready within ${timeoutMs} ms.`)
  }
}

/** Another interface refused a request that was passed on to it, and said with what status. */
export class PassedOnError extends RequestError {
  readonly code = 'live_interface_refused'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** A failure as an interface renders it. */
export type Failure = {
  readonly code: ErrorCode
  readonly status: number
  readonly rpc: number
  readonly message: string
  /** The error behind it, for renderers that show more of some kinds; `undefined` for a bug, of which nothing is shown. */
  readonly error: CodedError | undefined
}

/** Statuses by which an interface departs from the table. */
export type Statuses = { readonly [Code in ErrorCode]?: number }

/** What a caller is told of an error. Only failures in the table of codes have anything to say; the rest are bugs. */
export const toFailure = (error: unknown, statuses: Statuses = {}): Failure => {
  const known = error instanceof CodedError && isErrorCode(error.code) ? error : undefined
  const code = known === undefined ? 'internal' : (known.code as ErrorCode)
  const { status, rpc } = wireErrors[code]
  return {
    code,
    status: known instanceof PassedOnError ? known.status : (statuses[code] ?? status),
    rpc,
    message: known?.message ?? 'The request failed for a reason that is not its own. It has been logged.',
    error: known,
  }
}

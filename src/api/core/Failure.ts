import { CodedError } from '../../primitives/errors.ts'
import { PassedOnError } from './errors.ts'
import { type ErrorCode, isErrorCode, wireErrors } from './wireErrors.ts'

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

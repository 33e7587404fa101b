import { CodedError } from '../primitives/errors.ts'

/** The other end of an encrypted connection broke the protocol, or the connection could not be made or kept. */
export class AdnlError extends CodedError {
  readonly code = 'adnl_failure'
  override readonly retryable = true
}

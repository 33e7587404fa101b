import { CodedError } from '../../primitives/CodedError.ts'
import type { ErrorCode } from '../core/wireErrors.ts'

/** No transaction is the one that was looked for. */
export class TransactionNotFoundError extends CodedError {
  readonly code: ErrorCode = 'transaction_not_found'

  constructor(options?: ErrorOptions) {
    super('transaction was not found', options)
  }
}

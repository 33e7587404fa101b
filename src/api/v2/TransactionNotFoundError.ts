import { CodedError } from '../../primitives/errors.ts'

/** No transaction is the one that was looked for. */
export class TransactionNotFoundError extends CodedError {
  readonly code = 'transaction_not_found'

  constructor(options?: ErrorOptions) {
    super('transaction was not found', options)
  }
}

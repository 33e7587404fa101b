import { CodedError } from '../../primitives/CodedError.ts'

/** So many transactions fit an answer. */
export const MAX_TRANSACTIONS = 30_000

/** An answer would hold more transactions than one can. */
export class PageTooLargeError extends CodedError {
  readonly code = 'query_too_costly'

  constructor(count: number) {
    super(
      `The answer would hold ${count} transactions, and at most ${MAX_TRANSACTIONS} fit one. Ask with a lower limit, and go on with cursor.`,
    )
  }
}

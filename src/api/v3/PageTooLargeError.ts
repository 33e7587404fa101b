import { CodedError } from '../../primitives/errors.ts'

/** So many transactions fit an answer: traces and actions beyond them are shown without theirs. */
export const MAX_TRANSACTIONS = 30_000

/** So many messages fit an answer, however short they are. */
const MAX_MESSAGES = 200_000

/** An answer would hold more messages than one can. */
class PageTooLargeError extends CodedError {
  readonly code = 'query_too_costly'

  constructor(count: number) {
    super(
      `The answer would hold ${count} messages, and at most ${MAX_MESSAGES} fit one. Ask with a lower limit, and go on with cursor.`,
    )
  }
}

/** An answer would be longer than one can be. */
export class AnswerTooLongError extends CodedError {
  readonly code = 'query_too_costly'

  constructor(maxLength: number) {
    super(`The answer would have more than ${maxLength} characters. Ask with a lower limit, and go on with cursor.`)
  }
}

/** Refuses a page of transactions that have too many messages, before those are read. */
export const expectShowable = <T extends { readonly out_count: number }>(rows: readonly T[]): readonly T[] => {
  const count = rows.reduce((sum, { out_count }) => sum + 1 + out_count, 0)
  if (count > MAX_MESSAGES) throw new PageTooLargeError(count)
  return rows
}

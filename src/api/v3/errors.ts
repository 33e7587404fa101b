import { CodedError } from '../../primitives/errors.ts'

/** What was asked for is not in the index. */
export class NotIndexedError extends CodedError {
  readonly code = 'not_indexed'
}

/** A caller left out what an old endpoint has always answered with this status for. */
export class MissingArgumentError extends CodedError {
  readonly code = 'unauthorized'
}

/** The account is known, and no wallet. */
export class NotAWalletError extends CodedError {
  readonly code = 'not_a_wallet'
  constructor() {
    super('not a wallet')
  }
}

/** This server has no network to ask. */
export class NoLiveInterfaceError extends CodedError {
  readonly code = 'live_interface_missing'
  constructor() {
    super('This server has no node to ask: it was started with an index alone.')
  }
}

/** Nothing has been indexed yet. */
export class IndexEmptyError extends CodedError {
  readonly code = 'index_empty'
  constructor() {
    super('no masterchain block is indexed yet')
  }
}

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

/** Parameters that can be read and yet are not served, in the words that clients of this interface know. */
export class RefusedRequestError extends CodedError {
  readonly code = 'invalid_params'
}

/** A value in a list of parameters cannot be read. */
export class UnreadableItemError extends CodedError {
  readonly code = 'invalid_params'
  readonly index: number

  constructor(index: number, options?: ErrorOptions) {
    super(`The value at index ${index} cannot be read.`, options)
    this.index = index
  }
}

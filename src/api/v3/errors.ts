import { CodedError } from '../../primitives/errors.ts'

/** The requested object is not in the index. */
export class NotIndexedError extends CodedError {
  readonly code = 'not_indexed'
}

/** A required argument is missing; the status is that of the original endpoint. */
export class MissingArgumentError extends CodedError {
  readonly code = 'unauthorized'
}

/** The account is known, but is not a wallet. */
export class NotAWalletError extends CodedError {
  readonly code = 'not_a_wallet'
  constructor() {
    super('not a wallet')
  }
}

/** The server has no v2 interface to proxy to. */
export class NoV2Error extends CodedError {
  readonly code = 'live_interface_missing'
  constructor() {
    super(
      'This server has no liteserver: it serves the index only. Start it with a network configuration, or use another server.',
    )
  }
}

/** Nothing has been indexed yet. */
export class IndexEmptyError extends CodedError {
  readonly code = 'index_empty'
  constructor() {
    super('no masterchain block is indexed yet')
  }
}

/** The blocks after the one that a log is asked for are not indexed. */
export class ChangesNotKeptError extends CodedError {
  readonly code = 'changes_not_kept'
  constructor(oldest: number) {
    super(`since is older than what is kept: masterchain block ${oldest}`)
  }
}

/** Maximum transactions of a response: traces and actions beyond it are shown without their transactions. */
export const MAX_TRANSACTIONS = 30_000

/** Maximum messages of a response, received and sent: traces and actions beyond it, likewise; a page of transactions is refused. */
export const MAX_MESSAGES = 200_000

/** A response would contain too many messages. */
class PageTooLargeError extends CodedError {
  readonly code = 'query_too_costly'

  constructor(count: number) {
    super(
      `The response would contain ${count} messages; the maximum is ${MAX_MESSAGES}. Use a lower limit, and cursor for the next page.`,
    )
  }
}

/** A response would be too long. */
export class AnswerTooLongError extends CodedError {
  readonly code = 'query_too_costly'

  constructor(maxLength: number) {
    super(`The response would exceed ${maxLength} characters. Use a lower limit, and cursor for the next page.`)
  }
}

type Showable = { readonly out_count: number }

/** Refuses a page with too many messages before they are read. */
export const expectShowable = <T extends Showable>(rows: readonly T[]): readonly T[] => {
  const count = rows.reduce((sum, { out_count }) => sum + 1 + out_count, 0)
  if (count > MAX_MESSAGES) throw new PageTooLargeError(count)
  return rows
}

/** The first rows whose messages a response has room for. */
export const takeShowable = <T extends Showable>(rows: readonly T[]): readonly T[] => {
  let room = MAX_MESSAGES
  const end = rows.findIndex(({ out_count }) => {
    room -= 1 + out_count
    return room < 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Refused parameters, in the wording of the original service. */
export class RefusedRequestError extends CodedError {
  readonly code = 'invalid_params'
}

/** A value in a list parameter is malformed. */
export class UnreadableItemError extends CodedError {
  readonly code = 'invalid_params'
  readonly index: number

  constructor(index: number, options?: ErrorOptions) {
    super(`The value at index ${index} is malformed.`, options)
    this.index = index
  }
}

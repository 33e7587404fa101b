import { CodedError } from '../../primitives/errors.ts'

/** An argument of a get-method is of a type that cannot be handed to one. */
export class UnsupportedEntryError extends CodedError {
  readonly code = 'unsupported_stack_entry'
  constructor(type: string) {
    super(`Unsupported stack entry type: ${type.slice(0, 100)}`)
  }
}

/** What a get-method left is nested deeper than clients can take. */
export class StackTooDeepError extends CodedError {
  readonly code = 'stack_too_deep'
  constructor() {
    super('TVM stack is nested too deep')
  }
}

/** What a get-method left takes more room than an answer may. */
export class StackTooLargeError extends CodedError {
  readonly code = 'stack_too_large'
  constructor() {
    super('TVM stack size exceeds limit')
  }
}

/** An account is no token contract, or the contract that it names does not know it. */
export class NotATokenError extends CodedError {
  readonly code = 'not_a_token'
  constructor(address: string) {
    super(`Smart contract ${address} is not Jetton or NFT`)
  }
}

/** A message was not taken, and the caller wants to be told so without a failure of the server. */
export class MessageRefusedError extends CodedError {
  readonly code = 'message_refused'
}

/** A JSON object does not describe a valid cell, in the words that clients know. */
export class CellObjectError extends CodedError {
  readonly code = 'cell_object_invalid'
  constructor(cause?: unknown) {
    super('Error while parsing cell object', { cause })
  }
}

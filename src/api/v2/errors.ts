import { CodedError } from '../../primitives/errors.ts'
import type { ErrorCode } from '../core/wireErrors.ts'

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

/** What a node said cannot be used, or what it was to be told makes no sense to it. Told in the words that clients know. */
export class NodeClientError extends CodedError {
  readonly code: ErrorCode = 'node_answer_invalid'
}

/** At which point a request was refused: that decides the words before the reason. */
export type RefusalStage = 'parse' | 'validate' | 'handle'

/** A request that cannot be served as it is, in the words that clients of this interface know. */
export class RefusedRequestError extends CodedError {
  readonly code: ErrorCode = 'invalid_params'
  readonly stage: RefusalStage

  constructor(stage: RefusalStage, reason: string) {
    super(reason)
    this.stage = stage
  }
}

/** A parameter means nothing as it is written. */
export const unreadable = (reason: string): RefusedRequestError => new RefusedRequestError('parse', reason)

/** Parameters are readable, but out of range or at odds with each other. */
export const outOfRange = (reason: string): RefusedRequestError => new RefusedRequestError('validate', reason)

/** No transaction is the one that was looked for. */
export class TransactionNotFoundError extends CodedError {
  readonly code = 'transaction_not_found'

  constructor(options?: ErrorOptions) {
    super('transaction was not found', options)
  }
}

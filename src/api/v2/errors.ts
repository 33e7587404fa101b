import { CodedError } from '../../primitives/errors.ts'
import type { ErrorCode } from '../core/wireErrors.ts'

/** The type of a get-method argument is not supported. */
export class UnsupportedEntryError extends CodedError {
  readonly code = 'unsupported_stack_entry'
  constructor(type: string) {
    super(`Unsupported stack entry type: ${type.slice(0, 100)}`)
  }
}

/** The resulting stack of a get-method is nested too deep. */
export class StackTooDeepError extends CodedError {
  readonly code = 'stack_too_deep'
  constructor() {
    super('TVM stack is nested too deep')
  }
}

/** The resulting stack of a get-method is too large for a response. */
export class StackTooLargeError extends CodedError {
  readonly code = 'stack_too_large'
  constructor() {
    super('TVM stack size exceeds limit')
  }
}

/** The account is not a token contract, or its parent contract does not confirm it. */
export class NotATokenError extends CodedError {
  readonly code = 'not_a_token'
  constructor(address: string) {
    super(`Smart contract ${address} is not Jetton or NFT`)
  }
}

/** A message was not accepted; reported as an error of the request, not of the server. */
export class MessageRefusedError extends CodedError {
  readonly code = 'message_refused'
}

/** A JSON object does not describe a valid cell. */
export class CellObjectError extends CodedError {
  readonly code = 'cell_object_invalid'
  constructor(cause?: unknown) {
    super('Error while parsing cell object', { cause })
  }
}

/** A node response is unusable, or a node would refuse the request. The wording is that of the original service. */
export class NodeClientError extends CodedError {
  readonly code: ErrorCode = 'node_answer_invalid'
}

/** The stage at which a request was refused: it selects the prefix of the message. */
export type RefusalStage = 'parse' | 'validate' | 'handle'

/** A refused request, in the wording of the original service. */
export class RefusedRequestError extends CodedError {
  readonly code: ErrorCode = 'invalid_params'
  readonly stage: RefusalStage

  constructor(stage: RefusalStage, reason: string) {
    super(reason)
    this.stage = stage
  }
}

/** A parameter is malformed. */
export const unreadable = (reason: string): RefusedRequestError => new RefusedRequestError('parse', reason)

/** Parameters are out of range, or conflict with each other. */
export const outOfRange = (reason: string): RefusedRequestError => new RefusedRequestError('validate', reason)

/** No matching transaction was found. */
export class TransactionNotFoundError extends CodedError {
  readonly code = 'transaction_not_found'

  constructor(options?: ErrorOptions) {
    super('transaction was not found', options)
  }
}

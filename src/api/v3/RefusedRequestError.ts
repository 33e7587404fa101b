import { CodedError } from '../../primitives/errors.ts'

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

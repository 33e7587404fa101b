/**
 * Base of every failure we expect. `code` is stable and machine readable; the message is a full sentence that says what
 * was expected and what came. `retryable` is true only where another try may succeed.
 */
export abstract class CodedError extends Error {
  abstract readonly code: string
  readonly retryable: boolean = false

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

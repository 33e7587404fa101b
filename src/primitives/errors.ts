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

const shownLength = 40

/** A text is not what it should be. `expected` completes the sentence "Expected …"; the text is shown, cut if long. */
export class ParseError extends CodedError {
  readonly code = 'invalid_text'

  constructor(expected: string, text: string, options?: ErrorOptions) {
    const shown = text.length > shownLength ? `${text.slice(0, shownLength - 1)}…` : text
    // Quoting escapes line breaks and other controls, so a hostile text cannot forge a line of a log.
    super(`Expected ${expected}, but got ${JSON.stringify(shown)}`, options)
  }
}

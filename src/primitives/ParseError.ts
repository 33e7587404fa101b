import { CodedError } from './CodedError.ts'

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

import { CodedError } from '../../primitives/CodedError.ts'

/** Cells do not hold the text, token content or record that was looked for, or more of it than is taken. */
export class ContentError extends CodedError {
  readonly code = 'invalid_content'
}

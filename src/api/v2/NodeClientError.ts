import { CodedError } from '../../primitives/errors.ts'
import type { ErrorCode } from '../core/wireErrors.ts'

/** What a node said cannot be used, or what it was to be told makes no sense to it. Told in the words that clients know. */
export class NodeClientError extends CodedError {
  readonly code: ErrorCode = 'node_answer_invalid'
}

import { CodedError } from '../../primitives/errors.ts'

/** Two actions of a trace would have the same id. */
export class DuplicateActionError extends CodedError {
  readonly code = 'duplicate_action'
  constructor() {
    super('Two actions of one trace have the same id.')
  }
}
